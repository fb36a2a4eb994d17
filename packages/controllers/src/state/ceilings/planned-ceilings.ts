import { CLUSTER_POLICY, type ClusterPolicy, type NodeClaim } from '@kerf/apis'
import type { CeilingHeadroom, InstanceType, NodeState } from '@kerf/engine'
import { type PolicyCeilings, readCeilings } from './ceiling-amounts.ts'
import { CeilingTally, type CeilingUse } from './ceiling-tally.ts'

/** The objects of a cluster that ceilings depend on, read from files. */
export interface CountedCluster {
  readonly policies: readonly ClusterPolicy[]
  readonly nodes: readonly NodeState[]
  readonly claims: readonly NodeClaim[]
  /** Returns the instance types that a NodePool may launch. */
  readonly typesOf: (nodePool: string) => readonly InstanceType[]
}

/** The ceilings of a cluster whose objects were read from files, how much its nodes use, and how much a decision may launch. */
export interface PlannedCeilings {
  readonly ceilings: PolicyCeilings
  readonly use: CeilingUse
  readonly headroom: CeilingHeadroom
}

const namedTypes = (typesOf: CountedCluster['typesOf']) => {
  const byPool = new Map<string, ReadonlyMap<string, InstanceType>>()
  return (nodePool: string): ReadonlyMap<string, InstanceType> => {
    let types = byPool.get(nodePool)
    if (types === undefined) {
      types = new Map(typesOf(nodePool).map((type) => [type.name, type]))
      byPool.set(nodePool, types)
    }
    return types
  }
}

/**
 * Returns the ceilings of a cluster whose objects are read only once, or undefined if there are none. Applies the same rules as `Ceilings`
 * (`docs/spec/policies.md#ceilings`).
 */
export const plannedCeilings = ({ policies, nodes, claims, typesOf }: CountedCluster): PlannedCeilings | undefined => {
  const ceilings = readCeilings(policies.find(({ metadata }) => metadata.name === CLUSTER_POLICY))
  if (ceilings === undefined) return undefined
  const tally = new CeilingTally(ceilings, namedTypes(typesOf))
  const known = new Set<string>()
  for (const view of nodes) {
    tally.putNode(view.name, view)
    if (view.nodeClaim !== undefined) known.add(view.nodeClaim)
  }
  for (const claim of claims) {
    const { name, deletionTimestamp } = claim.metadata
    if (known.has(name) || deletionTimestamp !== undefined) continue
    tally.putClaim(name, tally.largestAmounts(claim))
  }
  return { ceilings, use: tally.use(), headroom: tally.headroom() }
}
