import { apiVersionOf, karpenterKinds, labels, type Milliseconds, type NodeClaim } from '@kerf/apis'
import { isNodeClaimNotFound } from '@kerf/provider-contract'
import { annotate } from '@kerf/provider-kit'
import { type Controller, done, type Outcome, sleep, source } from '@kerf/runtime'
import type { AwsEventReason } from '../aws-events.ts'
import type { AwsParts } from '../aws-parts.ts'
import { awsFailureOf } from '../failures/aws-failure.ts'
import type { AwsInstance } from '../instances/aws-instance.ts'
import { isOwnClaim } from '../instances/claim-index.ts'
import { parseProviderId } from '../instances/provider-id.ts'
import { awsAnnotations, awsTags, clusterTag } from '../labels.ts'

/** CreateTags is throttled together with launches. */
const PAUSE = 1_000
/** How long to wait after an attempt to restore the tags of an instance. */
const RESTORE_AGAIN: Milliseconds = 600_000

const isDone = ({ metadata }: NodeClaim): boolean =>
  metadata.annotations?.[awsAnnotations.tagged] === 'true' &&
  metadata.annotations[awsAnnotations.clusterNameTagged] === 'true'

/**
 * The tags that the controller's IAM policy allows on running instances (`docs/spec/aws-installation.md`,
 * AllowScopedResourceTagging).
 */
const ALLOWED: ReadonlySet<string> = new Set([awsTags.name, awsTags.nodeClaim, awsTags.clusterName])

const textOf = (tags: Readonly<Record<string, string>>): string =>
  Object.entries(tags)
    .map(([key, value]) => `Key=${key},Value=${value}`)
    .join(' ')

const isEmpty = (tags: Readonly<Record<string, string>>): boolean => Object.keys(tags).length === 0

const missingIn = (
  tags: Readonly<Record<string, string>>,
  wanted: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(wanted).filter(([key]) => tags[key] === undefined))

const isReady = (claim: NodeClaim): boolean =>
  isOwnClaim(claim) &&
  claim.metadata.deletionTimestamp === undefined &&
  (claim.status?.nodeName ?? '') !== '' &&
  !isDone(claim)

/**
 * Adds the tags that are known only once the node exists: its name, and the name of the NodeClaim
 * (`docs/spec/aws-controllers.md#tagging`). An instance whose ownership tags were removed gets them back, as far as the
 * controller may add them. The NodeClaim gets an event in any case, because without these tags nobody finds the
 * instance, and the controller may not terminate it.
 */
export class NodeClaimTagging {
  readonly #context
  readonly #instances
  readonly #cluster
  readonly #claims
  readonly #index
  /** NodeClaims whose instance was seen without its tags and has not got them back, with the time of the last attempt. */
  readonly #untagged = new Map<string, Milliseconds>()
  readonly #toRestore = new Set<string>()

  constructor({ context, claims, instances, cluster }: AwsParts) {
    this.#context = context
    this.#instances = instances
    this.#cluster = cluster
    this.#claims = claims.claims
    this.#index = claims
  }

  controller(): Controller {
    return {
      name: 'nodeclaim.tagging',
      reconciles: karpenterKinds.NodeClaim,
      sources: [
        source(this.#claims, ({ before, after }) => {
          if (after === undefined) this.#untagged.delete(before?.metadata.name ?? '')
          return after !== undefined && isReady(after) ? [after.metadata.name] : []
        }),
      ],
      concurrency: 1,
      backoff: { base: 1_000, max: 60_000 },
      subscribe: (enqueue) => this.#instances.onUntagged((id) => this.#lostTags(id, enqueue)),
      reconcile: (name, signal) => this.#reconcile(name, signal),
    }
  }

  #lostTags(instanceId: string, enqueue: (name: string) => void): void {
    const now = this.#context.clock.monotonic()
    for (const { metadata } of this.#index.claimsOf(instanceId)) {
      const { name = '' } = metadata
      if (now - (this.#untagged.get(name) ?? Number.NEGATIVE_INFINITY) < RESTORE_AGAIN) continue
      this.#untagged.set(name, now)
      this.#toRestore.add(name)
      enqueue(name)
    }
  }

  async #reconcile(name: string, signal: AbortSignal): Promise<Outcome> {
    const { client, log } = this.#context
    const claim = this.#claims.get(name)
    if (claim === undefined || !(isReady(claim) || this.#toRestore.has(name))) return done()
    const id = parseProviderId(claim.status?.providerID)
    if (id === undefined) {
      log.error('a nodeclaim has no provider ID of AWS and cannot be tagged', { NodeClaim: { name } })
      return done()
    }
    try {
      const instance = await this.#instances.get(id.instanceId, 'cloud', signal)
      if (this.#toRestore.has(name)) {
        await this.#restore(claim, instance, signal)
        this.#toRestore.delete(name)
      }
      if (!isReady(claim)) return done()
      const wanted = {
        [awsTags.name]: claim.status?.nodeName ?? '',
        [awsTags.nodeClaim]: name,
        [awsTags.clusterName]: this.#cluster.name,
      }
      const tags = this.#instances.knownTags(id.instanceId) ?? instance.tags
      await this.#put(id.instanceId, missingIn(tags, wanted), signal)
    } catch (error) {
      if (!isNodeClaimNotFound(error)) throw error
      this.#toRestore.delete(name)
      return done()
    }
    const annotations = { [awsAnnotations.tagged]: 'true', [awsAnnotations.clusterNameTagged]: 'true' }
    await annotate(client, karpenterKinds.NodeClaim, name, annotations, signal)
    return done()
  }

  async #put(id: string, tags: Readonly<Record<string, string>>, signal: AbortSignal): Promise<void> {
    if (isEmpty(tags)) return
    await this.#instances.tag(id, tags, signal)
    await sleep(this.#context.clock, PAUSE, signal)
  }

  async #restore(claim: NodeClaim, { id, tags }: Pick<AwsInstance, 'id' | 'tags'>, signal: AbortSignal): Promise<void> {
    const missing = missingIn(tags, {
      [clusterTag(this.#cluster.name)]: 'owned',
      [awsTags.clusterName]: this.#cluster.name,
      [awsTags.nodePool]: claim.metadata.labels?.[labels.nodePool] ?? '',
      [awsTags.nodeClass]: claim.spec.nodeClassRef.name,
    })
    if (isEmpty(missing)) return
    const pick = (isAllowed: boolean): Readonly<Record<string, string>> =>
      Object.fromEntries(Object.entries(missing).filter(([key]) => ALLOWED.has(key) === isAllowed))
    const left: Record<string, string> = {}
    for (const part of [pick(true), pick(false)]) {
      try {
        await this.#put(id, part, signal)
      } catch (error) {
        signal.throwIfAborted()
        if (awsFailureOf(error).class !== 'unauthorized') throw error
        Object.assign(left, part)
      }
    }
    if (isEmpty(left)) this.#untagged.delete(claim.metadata.name)
    this.#report(claim, id, missing, left)
  }

  #report(
    claim: NodeClaim,
    id: string,
    missing: Readonly<Record<string, string>>,
    left: Readonly<Record<string, string>>,
  ): void {
    const what = `instance ${id} had lost the tags ${Object.keys(missing).join(', ')}, by which it is found and may be ended`
    const outcome = isEmpty(left)
      ? 'they were put back'
      : `the controller may not put all of them back: run "aws ec2 create-tags --resources ${id} --tags ${textOf(left)}"`
    this.#context.log.error('an instance had lost tags', {
      NodeClaim: { name: claim.metadata.name },
      'instance-id': id,
      missing,
      left,
    })
    this.#context.events.publish({
      object: { ...claim, apiVersion: apiVersionOf(karpenterKinds.NodeClaim), kind: 'NodeClaim' },
      type: 'Warning',
      reason: 'InstanceTagsMissing' satisfies AwsEventReason,
      message: `${what}; ${outcome}`,
      dedupeValues: [claim.metadata.uid ?? '', ...Object.keys(left)],
    })
  }
}
