import { controllerOwner, isTerminal, type Pod, type UsdPerHour } from '@kerf/apis'
import { nodePrice, oncePerObject, requestsKey } from '@kerf/engine'
import { isReschedulable } from '../../pod/pod-predicates.ts'
import type { Isolation } from '../../state/isolation/isolation.ts'
import { unreported } from '../../state/isolation/unreported.ts'
import type { StateNode } from '../../state/state-node.ts'
import { type OfferedTypes, offeredType } from '../candidates/offered-types.ts'

/** The number of pods, by workload and pod size. */
export type Demand = ReadonlyMap<string, number>

/** A group of NodePools whose nodes run pods of the same workloads, so that a move in one pool affects the others. */
export interface SharedPools {
  /** The names of the pools, sorted. */
  readonly pools: readonly string[]
  /**
   * The number of pods of all workloads that have pods in these pools. Includes pods of these workloads in other pools. Excludes daemon
   * pods.
   */
  readonly demand: Demand
  /** The total price of the pools' nodes. Excludes nodes that are being removed. */
  readonly price: UsdPerHour
}

const NOTHING: Demand = new Map()
const NONE_COVERED: ReadonlyMap<string, number> = new Map()

export interface SharedPoolsInput {
  readonly nodes: Iterable<StateNode>
  /** All pods, bound or not. */
  readonly pods: Iterable<Pod>
  readonly types: OfferedTypes
  /** A cost that every node adds to the price of its instance. Default 0. */
  readonly nodeOverheadCost?: UsdPerHour
  /** The share of each node that commitments cover, keyed by node name. Default: none. */
  readonly covered?: ReadonlyMap<string, number>
  /** Reports objects that cannot be read. These objects are ignored. */
  readonly isolation?: Pick<Isolation, 'guard'>
}

/** Returns a key made of the pod's controller and size. A pod without a controller gets a unique key. */
const workloadKey = oncePerObject((pod: Pod): string => {
  return `${controllerOwner(pod)?.uid ?? pod.metadata.uid} ${requestsKey(pod)}`
})

/** Groups pools that share workloads. Each pool with a node is in exactly one group. Returns the groups by pool name. */
export const sharedPools = ({
  nodes,
  pods,
  types,
  nodeOverheadCost = 0,
  covered = NONE_COVERED,
  isolation = unreported,
}: SharedPoolsInput): ReadonlyMap<string, SharedPools> => {
  const poolOf = new Map<string, string>()
  const prices = new Map<string, UsdPerHour>()
  const addNode = (node: StateNode): void => {
    const { nodePool, claim } = node
    if (nodePool === undefined || claim === undefined) return
    if (node.node?.metadata.name !== undefined) poolOf.set(node.node.metadata.name, nodePool)
    const type = offeredType(types, nodePool, node.labels)
    const instance = (nodePrice(type, node.labels) ?? 0) * (1 - (covered.get(node.name) ?? 0))
    const price = node.isMarkedForDeletion ? 0 : instance + nodeOverheadCost
    prices.set(nodePool, (prices.get(nodePool) ?? 0) + price)
  }
  for (const node of nodes) isolation.guard('Node', 'disruption', node.node ?? node, () => addNode(node), undefined)
  const counts = new Map<string, number>()
  const poolsOf = new Map<string, Set<string>>()
  const addPod = (pod: Pod): void => {
    if (isTerminal(pod) || !isReschedulable(pod)) return
    const workload = workloadKey(pod)
    const pool = poolOf.get(pod.spec.nodeName ?? '')
    counts.set(workload, (counts.get(workload) ?? 0) + 1)
    if (pool === undefined) return
    const known = poolsOf.get(workload)
    if (known === undefined) poolsOf.set(workload, new Set([pool]))
    else known.add(pool)
  }
  for (const pod of pods) isolation.guard('Pod', 'disruption', pod, () => addPod(pod), undefined)
  const groups = joined(prices.keys(), poolsOf.values())
  const demands = new Map<ReadonlySet<string>, Map<string, number>>()
  for (const [workload, [pool]] of poolsOf) {
    const group = groups.get(pool ?? '')
    if (group === undefined) continue
    const demand = demands.get(group) ?? new Map<string, number>()
    demands.set(group, demand.set(workload, counts.get(workload) ?? 0))
  }
  const byPool = new Map<string, SharedPools>()
  for (const group of new Set(groups.values())) {
    const pools = [...group].sort()
    const price = pools.reduce((sum, pool) => sum + (prices.get(pool) ?? 0), 0)
    const shared: SharedPools = { pools, demand: demands.get(group) ?? NOTHING, price }
    for (const pool of pools) byPool.set(pool, shared)
  }
  return byPool
}

/** Returns the group of each name. Names in the same set belong to the same group. */
const joined = (
  names: Iterable<string>,
  together: Iterable<ReadonlySet<string>>,
): ReadonlyMap<string, ReadonlySet<string>> => {
  const groups = new Map<string, Set<string>>()
  for (const name of names) groups.set(name, new Set([name]))
  for (const [first, ...others] of together) {
    const into = groups.get(first ?? '')
    if (into === undefined) continue
    for (const other of others) {
      for (const name of groups.get(other) ?? []) {
        into.add(name)
        groups.set(name, into)
      }
    }
  }
  return groups
}
