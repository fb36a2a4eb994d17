import { isConditionTrue, type Milliseconds, type NodeClaim, timeOf } from '@kerf/apis'
import { ifReadable } from '../isolation/if-readable.ts'
import type { ClaimNodes } from '../node-claims/claim-nodes.ts'

/** Claims that were created this close together may be of one plan. */
const TOGETHER: Milliseconds = 3_000
/** The Node of a claim that is older than this may take minutes to come. */
const YOUNG: Milliseconds = 10_000

const createdAt = ({ metadata }: NodeClaim): Milliseconds => timeOf(metadata.creationTimestamp) ?? 0

/**
 * Those of the `targets` that are claims of about the same time as `claim` and whose nodes are about to open: the Node is there, or
 * may come any moment.
 */
export const plannedTogether = (
  claim: NodeClaim,
  targets: readonly string[],
  claimNodes: ClaimNodes,
  now: Milliseconds,
): readonly string[] =>
  targets.filter((target) => ifReadable(() => isPlannedTogether(claim, target, claimNodes, now)) ?? false)

/** Cluster state reports a claim that cannot be read. */
const isPlannedTogether = (claim: NodeClaim, target: string, claimNodes: ClaimNodes, now: Milliseconds): boolean => {
  const other = claimNodes.claims.get(target)
  if (other === undefined || other.metadata.deletionTimestamp !== undefined) return false
  if (isConditionTrue(other, 'Registered') || Math.abs(createdAt(other) - createdAt(claim)) > TOGETHER) return false
  return now - createdAt(other) <= YOUNG || claimNodes.nodesOf(other).length > 0
}
