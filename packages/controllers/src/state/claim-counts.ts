import { isConditionTrue, type NodeClaim } from '@kerf/apis'
import { claimJoinKey } from './join-key.ts'

/** The number of NodeClaims in each stage. `claims` includes `launched`. `launched` includes `nodes` and `draining`. */
export interface ClaimCounts {
  /** All NodeClaims. */
  readonly claims: number
  /** NodeClaims with an instance. They cost money. */
  readonly launched: number
  /** NodeClaims whose instance has joined the cluster as a Node. */
  readonly nodes: number
  /** NodeClaims with an instance that are being deleted. They cost money until the instance is terminated. */
  readonly draining: number
}

/** Returns whether a claim has an instance. Cluster state, metrics and costs count such a claim as a node. */
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
