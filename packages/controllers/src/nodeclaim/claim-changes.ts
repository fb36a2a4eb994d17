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

/** Returns a copy of the claim with the changed condition. Each step of the lifecycle passes its copy to the next step. */
export const withCondition = (claim: NodeClaim, change: ConditionChange, now: Milliseconds): NodeClaim =>
  withConditions(claim, setCondition(conditionSets.NodeClaim, claim, change, now))

/** Returns the claim with every condition that Ready depends on. Adds missing conditions with the status Unknown. */
export const opened = (claim: NodeClaim, now: Milliseconds): NodeClaim =>
  withConditions(claim, openConditions(conditionSets.NodeClaim, claim, now))

/** Returns the claim with the current generation in the observedGeneration of the condition. */
export const restamped = (claim: NodeClaim, type: string, now: Milliseconds): NodeClaim => {
  const condition = findCondition(claim, type)
  return condition === undefined ? claim : withCondition(claim, condition, now)
}

type Texts = Readonly<Record<string, string>>

/**
 * Returns the entries of `after` that `before` lacks or that have another value in `before`. Kerf never removes labels or annotations from
 * a claim.
 */
const addedTexts = (before: Texts = {}, after: Texts = {}): Texts =>
  Object.fromEntries(Object.entries(after).filter(([key, value]) => ownValue(before, key) !== value))

const statusChanges = (before: NodeClaimStatus = {}, after: NodeClaimStatus = {}): Partial<NodeClaimStatus> => {
  const old = new Map<string, unknown>(Object.entries(before))
  return Object.fromEntries(
    Object.entries(after).filter(([key, value]) => JSON.stringify(old.get(key)) !== JSON.stringify(value)),
  )
}

/**
 * Writes the differences between two copies of a claim: first labels and annotations, then the status. Each write contains the
 * resourceVersion that was read, because a merge patch replaces the list of conditions as a whole. A deleted claim is not an error. If the
 * API server rejects a label or annotation, the status is still written, because it contains the provider ID of the instance.
 *
 * @returns the stored claim, or undefined if it is deleted.
 * @throws ApiError 409 if the claim has changed in the meantime; 422 if a label or annotation was rejected, after the status is stored.
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
 * Replaces the finalizers under an optimistic lock, so that finalizers of other controllers are not lost.
 *
 * @throws ApiError 409 if the claim has changed in the meantime; 404 if it is deleted.
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
