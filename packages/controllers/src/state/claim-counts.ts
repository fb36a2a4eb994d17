import { isConditionTrue, type NodeClaim } from '@kerf/apis'
import { claimJoinKey } from './join-key.ts'

/** The number of NodeClaims by progress. `claims` includes `launched`. `launched` includes `nodes` and `draining`. */
export interface ClaimCounts {
  /** All NodeClaims. */
  readonly claims: number
  /** NodeClaims with an instance. These cost money. */
  readonly launched: number
  /** NodeClaims whose instance has joined the cluster as a Node. */
  readonly nodes: number
  /** NodeClaims with an instance that are being deleted. They cost money until the instance is terminated. */
  readonly draining: number
}

/** Returns whether a claim has an instance. Such a claim counts as a node in cluster state, metrics and costs. */
export const hasInstance = (claim: NodeClaim): boolean => claimJoinKey(claim) !== ''

/** Counts NodeClaims, instances and Nodes. The dashboard, `/kerf/v1/history` and tests of metrics use this count. */
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
