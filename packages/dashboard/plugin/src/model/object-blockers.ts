import { labels } from '@kerf/apis'
import type { PoolCount } from '@kerf/controllers/cluster-view'
import type { Blocker } from '@kerf/engine'
import { netAllowances } from './budgets.ts'
import { coversPod } from './eviction-budgets.ts'
import { isGuarded } from './guarded-claims.ts'
import { isActivePod } from './pending-pods.ts'
import { at, isDeleting, listAt, numberAt, objectLabel, objectName, textAt } from './read.ts'

interface NodeObjects {
  /** The name of the Node. Absent if the NodeClaim has none yet. */
  readonly node: string | undefined
  /** The name of the node's NodeClaim. */
  readonly claim: string | undefined
  readonly nodes: readonly unknown[]
  readonly claims: readonly unknown[]
  readonly pods: readonly unknown[]
  /** PodDisruptionBudgets. */
  readonly budgets: readonly unknown[]
  readonly pools: readonly unknown[]
  /** The numbers of nodes by pool, counted in the same way as for budgets. Absent if unknown. */
  readonly counts: ReadonlyMap<string, PoolCount> | undefined
}

const objectNamespace = (object: unknown): string => textAt(object, 'metadata', 'namespace') ?? ''

const isOwnedBy = (pod: unknown, ...owners: readonly string[]): boolean =>
  listAt(pod, 'metadata', 'ownerReferences').some((owner) => owners.includes(textAt(owner, 'kind') ?? ''))

const ofPod = (pod: unknown, budgets: readonly unknown[]): readonly Blocker[] => {
  const name = `${objectNamespace(pod)}/${objectName(pod)}`
  if (isGuarded(pod)) return [{ code: 'pod.do-not-disrupt', pod: name }]
  const own = budgets.filter((budget) => coversPod(budget, pod))
  const [only] = own
  const names = own.map((budget) => `${objectNamespace(budget)}/${objectName(budget)}`)
  if (own.length > 1) return [{ code: 'pdb.several', pod: name, budgets: names }]
  if (only === undefined || (numberAt(only, 'status', 'disruptionsAllowed') ?? 0) > 0) return []
  return [{ code: 'pdb.blocks', pod: name, budget: names[0] ?? '' }]
}

/** Returns the reasons for which the budgets of the node's pool allow no further disruption. */
const ofPool = (
  machines: readonly unknown[],
  { pools, counts }: Pick<NodeObjects, 'pools' | 'counts'>,
  now: number,
): readonly Blocker[] => {
  const name = machines.map((each) => objectLabel(each, labels.nodePool)).find((each) => each !== undefined)
  const pool = pools.find((each) => objectName(each) === name)
  const count = counts?.get(name ?? '')
  if (name === undefined || pool === undefined || count === undefined) return []
  return netAllowances(pool, count, now).flatMap(({ reasons, allowed, disrupting, left, opensAt, error }) =>
    left !== 0 && error === undefined
      ? []
      : reasons.map(
          (reason): Blocker => ({
            ...{ code: 'budget.exhausted', pool: name, reason, allowed: allowed ?? 0, disrupting, budgets: [] },
            ...(opensAt === undefined ? {} : { opensAt }),
            ...(error === undefined ? {} : { error }),
          }),
        ),
  )
}

/**
 * Returns the blockers of a node that the objects alone show: its deletion, annotations of the node and its pods, PodDisruptionBudgets that
 * allow no eviction now, and budgets of its NodePool. For clusters whose controller does not report blockers. Does not consider whether
 * consolidation would save money.
 */
export const objectBlockers = (objects: NodeObjects, now: number): readonly Blocker[] => {
  const { node, claim, nodes, claims, pods, budgets } = objects
  const machines = [
    ...nodes.filter((each) => objectName(each) === node),
    ...claims.filter((each) => objectName(each) === claim),
  ]
  if (machines.some(isDeleting)) return [{ code: 'node.deleting' }]
  const onNode = pods.filter(
    (pod) =>
      node !== undefined &&
      textAt(pod, 'spec', 'nodeName') === node &&
      isActivePod(pod) &&
      !isOwnedBy(pod, 'DaemonSet', 'Node'),
  )
  return [
    ...(machines.some(isGuarded) ? [{ code: 'node.do-not-disrupt' } as const] : []),
    ...onNode.flatMap((pod) => ofPod(pod, budgets)),
    ...ofPool(machines, objects, now),
  ]
}

const indexByNode = (nodes: readonly unknown[], pods: readonly unknown[]) => ({
  nodesByName: new Map(nodes.map((node) => [objectName(node), node])),
  podsByNode: Map.groupBy(pods, (pod) => textAt(pod, 'spec', 'nodeName') ?? ''),
})

/**
 * Returns a function that returns everything that blocks the replacement of a drifted NodeClaim, according to the objects alone. Budgets of
 * its NodePool are not considered. If the NodeClaim has a `terminationGracePeriod`, its pods do not block the replacement.
 */
export const driftBlockers = ({
  nodes,
  pods,
  budgets,
}: Pick<NodeObjects, 'nodes' | 'pods' | 'budgets'>): ((claim: unknown) => readonly Blocker[]) => {
  // Most clusters have no drifted claim, so the pods are grouped only when the first one is examined.
  let found: ReturnType<typeof indexByNode> | undefined
  return (claim) => {
    found ??= indexByNode(nodes, pods)
    const { nodesByName, podsByNode } = found
    const node = textAt(claim, 'status', 'nodeName')
    const own = nodesByName.get(node ?? '')
    const endsPods = at(claim, 'spec', 'terminationGracePeriod') !== undefined
    return objectBlockers(
      {
        ...{ node, claim: objectName(claim), nodes: own === undefined ? [] : [own], claims: [claim] },
        ...{ pods: endsPods ? [] : podsByNode.get(node ?? '') ?? [], budgets, pools: [], counts: undefined },
      },
      0,
    )
  }
}
