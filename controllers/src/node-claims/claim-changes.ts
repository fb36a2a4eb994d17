import {
  type ConditionChange,
  conditionSets,
  findCondition,
  karpenterKinds,
  type Milliseconds,
  type NodeClaim,
  type NodeClaimStatus,
  openConditions,
  ownValue,
  setCondition,
  withConditions,
} from '@kerf/apis'
import { isConflict, isInvalid, isNotFound, type KubeClient } from '@kerf/runtime'

/** A NodeClaim that is being worked on in memory: steps hand the next one a changed copy. */
export const withCondition = (claim: NodeClaim, change: ConditionChange, now: Milliseconds): NodeClaim =>
  withConditions(claim, setCondition(conditionSets.NodeClaim, claim, change, now))

/** All conditions that sum up to Ready present. */
export const opened = (claim: NodeClaim, now: Milliseconds): NodeClaim =>
  withConditions(claim, openConditions(conditionSets.NodeClaim, claim, now))

/** The condition as it is, stamped with the current generation. */
export const restamped = (claim: NodeClaim, type: string, now: Milliseconds): NodeClaim => {
  const condition = findCondition(claim, type)
  return condition === undefined ? claim : withCondition(claim, condition, now)
}

type Texts = Readonly<Record<string, string>>

/** The entries of `after` that `before` has not. Nothing is ever taken off a claim this way. */
const addedTexts = (before: Texts = {}, after: Texts = {}): Texts =>
  Object.fromEntries(Object.entries(after).filter(([key, value]) => ownValue(before, key) !== value))

const statusChanges = (before: NodeClaimStatus = {}, after: NodeClaimStatus = {}): Partial<NodeClaimStatus> => {
  const old = new Map<string, unknown>(Object.entries(before))
  return Object.fromEntries(
    Object.entries(after).filter(([key, value]) => JSON.stringify(old.get(key)) !== JSON.stringify(value)),
  )
}

/**
 * Writes what changed between two copies of a claim: labels and annotations first, then the status, each under the
 * optimistic lock of what was read, because a list of conditions is replaced as a whole. A claim that is gone is fine.
 * If the API server refuses a label or annotation, the status is written all the same: it names the instance.
 *
 * @returns the claim as stored, or nothing when it is gone.
 * @throws ApiError 409 when somebody else wrote meanwhile; 422 when a part was refused, after the rest is stored.
 */
export const writeClaim = async (
  client: KubeClient,
  before: NodeClaim,
  after: NodeClaim,
  signal: AbortSignal,
): Promise<NodeClaim | undefined> => {
  const ref = { name: before.metadata.name }
  let stored = before
  let refused: unknown
  try {
    const labels = addedTexts(before.metadata.labels, after.metadata.labels)
    const annotations = addedTexts(before.metadata.annotations, after.metadata.annotations)
    if (Object.keys(labels).length + Object.keys(annotations).length > 0) {
      const body = { metadata: { resourceVersion: stored.metadata.resourceVersion, labels, annotations } }
      try {
        stored = await client.patch(karpenterKinds.NodeClaim, ref, { type: 'merge', body }, { signal })
      } catch (error) {
        if (!isInvalid(error) || isConflict(error)) throw error
        refused = error
      }
    }
    const status = statusChanges(before.status, after.status)
    if (Object.keys(status).length > 0) {
      const body = { metadata: { resourceVersion: stored.metadata.resourceVersion }, status }
      stored = await client.patch(
        karpenterKinds.NodeClaim,
        ref,
        { type: 'merge', body },
        { subresource: 'status', signal },
      )
    }
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
  if (refused !== undefined) throw refused
  return stored
}

/**
 * Adds or takes off a finalizer under an optimistic lock, so that those of others survive.
 *
 * @throws ApiError 409 when somebody else wrote meanwhile; 404 when the claim is gone.
 */
export const writeFinalizers = (
  client: KubeClient,
  claim: NodeClaim,
  finalizers: readonly string[],
  signal: AbortSignal,
): Promise<NodeClaim> =>
  client.patch(
    karpenterKinds.NodeClaim,
    { name: claim.metadata.name },
    { type: 'merge', body: { metadata: { resourceVersion: claim.metadata.resourceVersion, finalizers } } },
    { signal },
  )
