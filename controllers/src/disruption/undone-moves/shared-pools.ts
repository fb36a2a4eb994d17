import { controllerOf, isTerminal, labels, type Pod, type UsdPerHour } from '@kerf/apis'
import { nodePrice, oncePerObject, requestsKey } from '@kerf/engine'
import type { Isolation } from '../../isolation/isolation.ts'
import { unreported } from '../../isolation/unreported.ts'
import { isReschedulable } from '../../pods/pod-predicates.ts'
import type { StateNode } from '../../state/state-node.ts'
import type { OfferedTypes } from '../candidates/offered-types.ts'

/** How many pods of each workload and size there are. */
export type Demand = ReadonlyMap<string, number>

/** NodePools whose nodes run pods of the same workloads: what moves in one of them is felt in the others. */
export interface SharedPools {
  /** Names, in order. */
  readonly pools: readonly string[]
  /** Of the workloads that have pods there, wherever the others of their pods are. Daemons come with the nodes. */
  readonly demand: Demand
  /** Of the pools' nodes that are to stay. */
  readonly price: UsdPerHour
}

const NOTHING: Demand = new Map()

export interface SharedPoolsInput {
  readonly nodes: Iterable<StateNode>
  /** All pods, bound or not. */
  readonly pods: Iterable<Pod>
  readonly types: OfferedTypes
  /** What every node costs beside its instance; 0 when absent. */
  readonly nodeOverheadCost?: UsdPerHour
  /** Where objects that cannot be read are reported: they are left out. */
  readonly isolation?: Pick<Isolation, 'guard'>
}

/** Who asked for the pod, and how large it is; a pod that nobody controls stands for itself. */
const workloadOf = oncePerObject((pod: Pod): string => {
  return `${controllerOf(pod)?.uid ?? pod.metadata.uid} ${requestsKey(pod)}`
})

/** Groups pools by the workloads they share; each pool that has a node is in exactly one group, found by its name. */
export const sharedPools = ({
  nodes,
  pods,
  types,
  nodeOverheadCost = 0,
  isolation = unreported,
}: SharedPoolsInput): ReadonlyMap<string, SharedPools> => {
  const poolOf = new Map<string, string>()
  const prices = new Map<string, UsdPerHour>()
  const addNode = (node: StateNode): void => {
    const { nodePool, claim } = node
    if (nodePool === undefined || claim === undefined) return
    if (node.node?.metadata.name !== undefined) poolOf.set(node.node.metadata.name, nodePool)
    const type = types.get(nodePool)?.byName.get(node.labels[labels.instanceType] ?? '')
    const price = node.isMarkedForDeletion ? 0 : (nodePrice(type, node.labels) ?? 0) + nodeOverheadCost
    prices.set(nodePool, (prices.get(nodePool) ?? 0) + price)
  }
  for (const node of nodes) isolation.guard('Node', 'disruption', node.node ?? node, () => addNode(node), undefined)
  const counts = new Map<string, number>()
  const poolsOf = new Map<string, Set<string>>()
  const addPod = (pod: Pod): void => {
    if (isTerminal(pod) || !isReschedulable(pod)) return
    const workload = workloadOf(pod)
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

/** Each name's group, where names that occur in one of the sets are in one group. */
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
