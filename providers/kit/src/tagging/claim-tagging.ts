import { groupVersion, karpenterKinds, type Milliseconds, type NodeClaim, ownValue } from '@kerf/apis'
import { type DeclaredReason, isNodeClaimNotFound, type ProviderContext } from '@kerf/provider-contract'
import { type Controller, done, type Informer, type Outcome, sleep, source } from '@kerf/runtime'
import { annotate } from '../node-class/annotate.ts'
import { isEmpty, missingIn, type Tags } from './tags.ts'

/** How long to wait after an attempt to restore the tags of an instance, in milliseconds. */
const RESTORE_AGAIN: Milliseconds = 600_000

/** The operations on instances that tagging needs. */
export interface TaggableInstances {
  /**
   * Returns an instance.
   *
   * @throws NodeClaimNotFoundError if it is gone.
   */
  get(id: string, signal: AbortSignal): Promise<{ readonly id: string; readonly tags: Tags }>
  /** Returns the last known tags of an instance. */
  knownTags(id: string): Tags | undefined
  /**
   * Adds tags to an instance.
   *
   * @throws NodeClaimNotFoundError if it is gone.
   */
  tag(id: string, tags: Tags, signal: AbortSignal): Promise<void>
  /** Calls the listener whenever an instance is found without its ownership tags. Returns a function that unsubscribes it. */
  onUntagged(listener: (id: string) => void): () => void
}

export interface ClaimTaggingDeps {
  readonly context: Pick<ProviderContext, 'client' | 'informers' | 'clock' | 'log' | 'events'>
  readonly instances: TaggableInstances
  /** Returns whether the NodeClaim belongs to this cloud. */
  readonly isOwn: (claim: NodeClaim) => boolean
  readonly claimsOf: (instanceId: string) => readonly NodeClaim[]
  readonly instanceIdOf: (claim: NodeClaim) => string | undefined
  /** The cloud's name in messages. */
  readonly cloud: string
  /** The annotations that a NodeClaim gets after its instance has been tagged. */
  readonly doneAnnotations: readonly string[]
  /** Returns the tags that are known only after the Node exists. */
  readonly tagsOf: (claim: NodeClaim) => Tags
  /**
   * Returns the ownership tags. The request that creates an instance sets them. They identify the instance, and the cloud allows Kerf to
   * terminate the instance only if it has them.
   */
  readonly ownerTagsOf: (claim: NodeClaim) => Tags
  /** Returns whether the controller's permissions allow it to add the tag to a running instance. */
  readonly isAllowed: (tag: string) => boolean
  /** Returns whether the cloud refused the request because of a missing permission. */
  readonly isRefusal: (error: unknown) => boolean
  /** Returns what a user must do to restore the tags. */
  readonly remedyFor: (instanceId: string, tags: Tags) => string
  /** The reason of the Event about lost tags. */
  readonly eventReason: DeclaredReason
  /** The pause between two requests, in milliseconds. It is needed because the cloud throttles tagging together with launches. */
  readonly pause: Milliseconds
}

/**
 * Adds the tags that are known only after the Node exists (`providers/aws/docs/spec/aws-controllers.md#tagging`). If an instance has lost
 * its ownership tags, restores those that the controller is allowed to add. In any case, publishes an Event on the NodeClaim: without these
 * tags, Kerf cannot find the instance and must not terminate it.
 */
export class ClaimTagging {
  readonly #deps: ClaimTaggingDeps
  readonly #claims: Informer<NodeClaim>
  /** NodeClaims whose instance was found without its tags and whose tags have not been restored yet, with the time of the last attempt. */
  readonly #untagged = new Map<string, Milliseconds>()
  readonly #toRestore = new Set<string>()

  constructor(deps: ClaimTaggingDeps) {
    this.#deps = deps
    this.#claims = deps.context.informers.of(karpenterKinds.NodeClaim)
  }

  controller(): Controller {
    return {
      name: 'nodeclaim.tagging',
      reconciles: karpenterKinds.NodeClaim,
      sources: [
        source(this.#claims, ({ before, after }) => {
          if (after === undefined) this.#untagged.delete(before?.metadata.name ?? '')
          return after !== undefined && this.#isReady(after) ? [after.metadata.name] : []
        }),
      ],
      concurrency: 1,
      backoff: { base: 1_000, max: 60_000 },
      subscribe: (enqueue) => this.#deps.instances.onUntagged((id) => this.#lostTags(id, enqueue)),
      reconcile: (name, signal) => this.#reconcile(name, signal),
    }
  }

  #isReady(claim: NodeClaim): boolean {
    const { isOwn, doneAnnotations } = this.#deps
    return (
      isOwn(claim) &&
      claim.metadata.deletionTimestamp === undefined &&
      (claim.status?.nodeName ?? '') !== '' &&
      !doneAnnotations.every((key) => ownValue(claim.metadata.annotations, key) === 'true')
    )
  }

  #lostTags(instanceId: string, enqueue: (name: string) => void): void {
    const now = this.#deps.context.clock.monotonic()
    for (const { metadata } of this.#deps.claimsOf(instanceId)) {
      const { name = '' } = metadata
      if (now - (this.#untagged.get(name) ?? Number.NEGATIVE_INFINITY) < RESTORE_AGAIN) continue
      this.#untagged.set(name, now)
      this.#toRestore.add(name)
      enqueue(name)
    }
  }

  async #reconcile(name: string, signal: AbortSignal): Promise<Outcome> {
    const { context, cloud, instances, instanceIdOf, tagsOf, doneAnnotations } = this.#deps
    const claim = this.#claims.get(name)
    if (claim === undefined || !(this.#isReady(claim) || this.#toRestore.has(name))) return done()
    const id = instanceIdOf(claim)
    if (id === undefined) {
      context.log.error(`a nodeclaim has no provider ID of ${cloud} and cannot be tagged`, { NodeClaim: { name } })
      return done()
    }
    try {
      const instance = await instances.get(id, signal)
      if (this.#toRestore.has(name)) {
        await this.#restore(claim, instance, signal)
        this.#toRestore.delete(name)
      }
      if (!this.#isReady(claim)) return done()
      await this.#put(id, missingIn(instances.knownTags(id) ?? instance.tags, tagsOf(claim)), signal)
    } catch (error) {
      if (!isNodeClaimNotFound(error)) throw error
      this.#toRestore.delete(name)
      return done()
    }
    const annotations = Object.fromEntries(doneAnnotations.map((key) => [key, 'true']))
    await annotate(context.client, karpenterKinds.NodeClaim, name, annotations, signal)
    return done()
  }

  async #put(id: string, tags: Tags, signal: AbortSignal): Promise<void> {
    if (isEmpty(tags)) return
    const { context, instances, pause } = this.#deps
    await instances.tag(id, tags, signal)
    await sleep(context.clock, pause, signal)
  }

  async #restore(
    claim: NodeClaim,
    { id, tags }: { readonly id: string; readonly tags: Tags },
    signal: AbortSignal,
  ): Promise<void> {
    const { ownerTagsOf, isAllowed, isRefusal } = this.#deps
    const missing = missingIn(tags, ownerTagsOf(claim))
    if (isEmpty(missing)) return
    const pick = (wanted: boolean): Tags =>
      Object.fromEntries(Object.entries(missing).filter(([key]) => isAllowed(key) === wanted))
    let left: Tags = {}
    for (const part of [pick(true), pick(false)]) {
      try {
        await this.#put(id, part, signal)
      } catch (error) {
        signal.throwIfAborted()
        if (!isRefusal(error)) throw error
        left = { ...left, ...part }
      }
    }
    if (isEmpty(left)) this.#untagged.delete(claim.metadata.name)
    this.#report(claim, id, missing, left)
  }

  #report(claim: NodeClaim, id: string, missing: Tags, left: Tags): void {
    const { context, remedyFor, eventReason } = this.#deps
    const what = `instance ${id} had lost the tags ${Object.keys(missing).join(', ')}, which Kerf needs to find and terminate it`
    const outcome = isEmpty(left)
      ? 'the tags were restored'
      : `the controller is not allowed to restore all of them: ${remedyFor(id, left)}`
    context.log.error('an instance had lost tags', {
      NodeClaim: { name: claim.metadata.name },
      'instance-id': id,
      missing,
      left,
    })
    context.events.publish({
      object: { ...claim, apiVersion: groupVersion(karpenterKinds.NodeClaim), kind: 'NodeClaim' },
      type: 'Warning',
      reason: eventReason,
      message: `${what}; ${outcome}`,
      dedupeValues: [claim.metadata.uid ?? '', ...Object.keys(left)],
    })
  }
}
