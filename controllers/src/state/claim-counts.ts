import { isConditionTrue, type NodeClaim } from '@kerf/apis'
import { joinKeyOf } from './join-key.ts'

/** NodeClaims by how far they are. Each count is part of the one before, except `draining`, which is part of `launched`. */
export interface ClaimCounts {
  /** NodeClaims, whatever became of them. */
  readonly claims: number
  /** Those with an instance, which is what costs. */
  readonly launched: number
  /** Those whose instance has joined the cluster as a Node. */
  readonly nodes: number
  /** Those with an instance that are being deleted: they cost until the instance is gone. */
  readonly draining: number
}

/** Whether a claim has an instance: then it is a node of the controller's mirror, of metrics and of costs. */
export const hasInstance = (claim: NodeClaim): boolean => joinKeyOf(claim) !== ''

/** How many NodeClaims, instances and Nodes there are: the one count of dashboard, `/kerf/v1/history` and tests of metrics. */
export const countClaims = (claims: Iterable<NodeClaim>): ClaimCounts => {
  const counts = { claims: 0, launched: 0, nodes: 0, draining: 0 }
  for (const claim of claims) {
    counts.claims++
    if (!hasInstance(claim)) continue
    counts.launched++
    if (isConditionTrue(claim, 'Registered')) counts.nodes++
    if (claim.metadata.deletionTimestamp !== undefined) counts.draining++
  }
  return counts
}
