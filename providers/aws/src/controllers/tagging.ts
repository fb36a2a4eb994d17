import { apiVersionOf, karpenterKinds, labels, type NodeClaim } from '@kerf/apis'
import { isNodeClaimNotFound } from '@kerf/provider-contract'
import { type Controller, done, type Milliseconds, sleep, source } from '@kerf/runtime'
import type { AwsEventReason } from '../aws-events.ts'
import type { AwsParts } from '../aws-parts.ts'
import { awsFailureOf } from '../failures/aws-failure.ts'
import type { AwsInstance } from '../instances/aws-instance.ts'
import { ClaimIndex, isOwnClaim } from '../instances/claim-index.ts'
import { parseProviderId } from '../instances/provider-id.ts'
import { awsAnnotations, awsTags, clusterTag } from '../labels.ts'
import { annotate } from './annotate.ts'

/** CreateTags is throttled together with launches. */
const PAUSE = 1_000
/** How long a claim is left alone whose instance could not get its tags back. */
const TELL_AGAIN: Milliseconds = 600_000

const isDone = ({ metadata }: NodeClaim): boolean =>
  metadata.annotations?.[awsAnnotations.tagged] === 'true' &&
  metadata.annotations[awsAnnotations.clusterNameTagged] === 'true'

/**
 * The tags that the policy of the controller lets it put on instances (`docs/spec/aws-installation.md`,
 * AllowScopedResourceTagging).
 */
const ALLOWED: ReadonlySet<string> = new Set([awsTags.name, awsTags.nodeClaim, awsTags.clusterName])

const textOf = (tags: Readonly<Record<string, string>>): string =>
  Object.entries(tags)
    .map(([key, value]) => `Key=${key},Value=${value}`)
    .join(' ')

const isEmpty = (tags: Readonly<Record<string, string>>): boolean => Object.keys(tags).length === 0

/**
 * Gives instances the tags that are known only once their node is there: its name, and the claim's
 * (`docs/spec/aws-controllers.md#tagging`). An instance whose tags of ownership were taken away gets them back, as far
 * as the controller may; the claim is told either way, for without them nobody finds the instance and the controller
 * may not end it.
 */
export const nodeClaimTagging = ({ context, instances, cluster }: AwsParts): Controller => {
  const { client, clock, events, log, informers } = context
  const claims = informers.of(karpenterKinds.NodeClaim)
  const index = new ClaimIndex(informers)
  /** Claims whose instance was seen without its tags and has not got them back, and when that was last tried. */
  const untagged = new Map<string, Milliseconds>()
  const toRestore = new Set<string>()

  const isReady = (claim: NodeClaim): boolean =>
    isOwnClaim(claim) &&
    claim.metadata.deletionTimestamp === undefined &&
    (claim.status?.nodeName ?? '') !== '' &&
    !isDone(claim)

  const put = async (id: string, tags: Readonly<Record<string, string>>, signal: AbortSignal): Promise<void> => {
    if (isEmpty(tags)) return
    await instances.tag(id, tags, signal)
    await sleep(clock, PAUSE, signal)
  }

  const restore = async (
    claim: NodeClaim,
    { id, tags }: Pick<AwsInstance, 'id' | 'tags'>,
    signal: AbortSignal,
  ): Promise<void> => {
    const owner = {
      [clusterTag(cluster.name)]: 'owned',
      [awsTags.clusterName]: cluster.name,
      [awsTags.nodePool]: claim.metadata.labels?.[labels.nodePool] ?? '',
      [awsTags.nodeClass]: claim.spec.nodeClassRef.name,
    }
    const missing = Object.fromEntries(Object.entries(owner).filter(([key]) => tags[key] === undefined))
    if (isEmpty(missing)) return
    const pick = (isAllowed: boolean): Readonly<Record<string, string>> =>
      Object.fromEntries(Object.entries(missing).filter(([key]) => ALLOWED.has(key) === isAllowed))
    const left: Record<string, string> = {}
    for (const part of [pick(true), pick(false)]) {
      try {
        await put(id, part, signal)
      } catch (error) {
        signal.throwIfAborted()
        if (awsFailureOf(error).class !== 'unauthorized') throw error
        Object.assign(left, part)
      }
    }
    const what = `instance ${id} had lost the tags ${Object.keys(missing).join(', ')}, by which it is found and may be ended`
    const outcome = isEmpty(left)
      ? 'they were put back'
      : `the controller may not put all of them back: run "aws ec2 create-tags --resources ${id} --tags ${textOf(left)}"`
    if (isEmpty(left)) untagged.delete(claim.metadata.name)
    log.error('an instance had lost tags', {
      NodeClaim: { name: claim.metadata.name },
      'instance-id': id,
      missing,
      left,
    })
    events.publish({
      object: { ...claim, apiVersion: apiVersionOf(karpenterKinds.NodeClaim), kind: 'NodeClaim' },
      type: 'Warning',
      reason: 'InstanceTagsMissing' satisfies AwsEventReason,
      message: `${what}; ${outcome}`,
      dedupeValues: [claim.metadata.uid ?? '', ...Object.keys(left)],
    })
  }

  return {
    name: 'nodeclaim.tagging',
    reconciles: karpenterKinds.NodeClaim,
    sources: [
      source(claims, ({ before, after }) => {
        if (after === undefined) untagged.delete(before?.metadata.name ?? '')
        return after !== undefined && isReady(after) ? [after.metadata.name] : []
      }),
    ],
    concurrency: 1,
    backoff: { base: 1_000, max: 60_000 },
    subscribe: (enqueue) =>
      instances.onUntagged((id) => {
        for (const { metadata } of index.claimsOf(id)) {
          const { name = '' } = metadata
          if (clock.monotonic() - (untagged.get(name) ?? Number.NEGATIVE_INFINITY) < TELL_AGAIN) continue
          untagged.set(name, clock.monotonic())
          toRestore.add(name)
          enqueue(name)
        }
      }),
    reconcile: async (name, signal) => {
      const claim = claims.get(name)
      if (claim === undefined || !(isReady(claim) || toRestore.has(name))) return done()
      const id = parseProviderId(claim.status?.providerID)
      if (id === undefined) {
        log.error('a nodeclaim has no provider ID of AWS and cannot be tagged', { NodeClaim: { name } })
        return done()
      }
      try {
        const instance = await instances.get(id.instanceId, 'cloud', signal)
        if (toRestore.has(name)) {
          await restore(claim, instance, signal)
          toRestore.delete(name)
        }
        if (!isReady(claim)) return done()
        const wanted = {
          [awsTags.name]: claim.status?.nodeName ?? '',
          [awsTags.nodeClaim]: name,
          [awsTags.clusterName]: cluster.name,
        }
        const tags = instances.knownTags(id.instanceId) ?? instance.tags
        await put(
          id.instanceId,
          Object.fromEntries(Object.entries(wanted).filter(([key]) => tags[key] === undefined)),
          signal,
        )
      } catch (error) {
        if (!isNodeClaimNotFound(error)) throw error
        toRestore.delete(name)
        return done()
      }
      const annotations = { [awsAnnotations.tagged]: 'true', [awsAnnotations.clusterNameTagged]: 'true' }
      await annotate(client, karpenterKinds.NodeClaim, name, annotations, signal)
      return done()
    },
  }
}
