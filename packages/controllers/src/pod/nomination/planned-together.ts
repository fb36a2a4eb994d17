import { isConditionTrue, type Milliseconds, type NodeClaim, parseTime } from '@kerf/apis'
import type { ClaimNodes } from '../../nodeclaim/claim-nodes.ts'
import { ifReadable } from '../../state/isolation/if-readable.ts'

/** Two claims may belong to the same plan if they were created within this time. */
const TOGETHER: Milliseconds = 3_000
/**
 * A claim without a Node is expected to accept pods soon if it is younger than this. If it is older, its Node may take minutes to appear.
 */
const YOUNG: Milliseconds = 10_000

const createdAt = ({ metadata }: NodeClaim): Milliseconds => parseTime(metadata.creationTimestamp) ?? 0

/**
 * Returns the claims in `targets` that were created at about the same time as `claim` and whose nodes will soon accept pods. A node that
 * exists, or whose claim is young, is expected to accept pods soon.
 */
export const plannedTogether = (
  claim: NodeClaim,
  targets: readonly string[],
  claimNodes: ClaimNodes,
  now: Milliseconds,
): readonly string[] =>
  targets.filter((target) => ifReadable(() => isPlannedTogether(claim, target, claimNodes, now)) ?? false)

/** Throws if the claim cannot be read. Cluster state reports the error. */
const isPlannedTogether = (claim: NodeClaim, target: string, claimNodes: ClaimNodes, now: Milliseconds): boolean => {
  const other = claimNodes.claims.get(target)
  if (other === undefined || other.metadata.deletionTimestamp !== undefined) return false
  if (isConditionTrue(other, 'Registered') || Math.abs(createdAt(other) - createdAt(claim)) > TOGETHER) return false
  return now - createdAt(other) <= YOUNG || claimNodes.nodesOf(other).length > 0
}
