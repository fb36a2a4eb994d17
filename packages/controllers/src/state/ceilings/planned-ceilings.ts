import { CLUSTER_POLICY, type ClusterPolicy, labels, type NodeClaim } from '@kerf/apis'
import { type CeilingHeadroom, HOURLY_COST, type InstanceType, type NodeState } from '@kerf/engine'
import {
  type CeilingUse,
  type CountedNode,
  ceilingUse,
  claimAmounts,
  labelledPrice,
  nodeAmounts,
  type PolicyCeilings,
  readCeilings,
  runningPrice,
} from './ceiling-amounts.ts'

/** The objects of a cluster that ceilings depend on. They come from files. */
export interface CountedCluster {
  readonly policies: readonly ClusterPolicy[]
  readonly nodes: readonly NodeState[]
  readonly claims: readonly NodeClaim[]
  /** Returns the instance types that a NodePool may launch. */
  readonly typesOf: (nodePool: string) => readonly InstanceType[]
}

/** The ceilings of a cluster whose objects come from files, what its nodes use, and what a decision may launch. */
export interface PlannedCeilings {
  readonly ceilings: PolicyCeilings
  readonly use: CeilingUse
  readonly headroom: CeilingHeadroom
}

/**
 * Returns the ceilings of a cluster that is read once, by the same rules as `Ceilings` (`docs/spec/policies.md#ceilings`), or undefined if
 * there are none.
 */
export const plannedCeilings = ({ policies, nodes, claims, typesOf }: CountedCluster): PlannedCeilings | undefined => {
  const ceilings = readCeilings(policies.find(({ metadata }) => metadata.name === CLUSTER_POLICY))
  if (ceilings === undefined) return undefined
  const byPool = new Map<string, ReadonlyMap<string, InstanceType>>()
  const namedTypes = (nodePool: string): ReadonlyMap<string, InstanceType> => {
    let types = byPool.get(nodePool)
    if (types === undefined) {
      types = new Map(typesOf(nodePool).map((type) => [type.name, type]))
      byPool.set(nodePool, types)
    }
    return types
  }
  const prices = new Map<string, bigint>()
  const counted: CountedNode[] = []
  const known = new Set<string>()
  for (const { name, nodePool, nodeClaim, labels: own, capacity, markedForDeletion } of nodes) {
    if (nodePool === undefined) continue
    if (nodeClaim !== undefined) known.add(nodeClaim)
    const price = ceilings.most.has(HOURLY_COST) ? runningPrice(labelledPrice(own, namedTypes(nodePool))) : 0n
    prices.set(name, price)
    counted.push({ name, amounts: nodeAmounts(ceilings, capacity, price), isLeaving: markedForDeletion })
  }
  for (const claim of claims) {
    const { name, deletionTimestamp, labels: own = {} } = claim.metadata
    if (known.has(name) || deletionTimestamp !== undefined) continue
    const types = namedTypes(own[labels.nodePool] ?? '').values()
    counted.push({ name, amounts: claimAmounts(ceilings, claim, types), isLeaving: false })
  }
  const inOrder = counted.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const use = ceilingUse(ceilings, inOrder)
  const { free, surge } = use
  return { ceilings, use, headroom: { free, surge, ...(ceilings.most.has(HOURLY_COST) ? { prices } : {}) } }
}
