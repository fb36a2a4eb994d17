import { labels, type LabelVocabulary, type Pod, toQuantity, type UsdPerHour } from '@kerf/apis'
import {
  type ClusterSnapshot,
  type InstanceType,
  type NodeState,
  type PlannedClaim,
  schedule,
  typeAllocatable,
  type UnschedulablePod,
} from '@kerf/engine'

/** The result of replacing nodes step by step. */
export interface Replaced {
  /** Pods that fit nowhere when their node was replaced. */
  readonly unschedulable: readonly UnschedulablePod[]
  /** The cost of the new nodes. */
  readonly cost: UsdPerHour
  /** The number of new nodes whose price is unknown. */
  readonly unpriced: number
}

/**
 * Maximum number of steps. If budgets require more, each step replaces more nodes than they allow, so that the page
 * is not blocked.
 */
const MOST_STEPS = 20

/** Returns a bound pod as if it were pending. */
const unbound = (pod: Pod): Pod => {
  const { nodeName: _, ...spec } = pod.spec
  return { ...pod, spec, status: { phase: 'Pending' } }
}

const isMovable = (pod: Pod): boolean =>
  !(pod.metadata.ownerReferences ?? []).some(({ kind }) => kind === 'DaemonSet' || kind === 'Node')

const boundTo =
  (node: string) =>
  (pod: Pod): Pod => ({ ...pod, spec: { ...pod.spec, nodeName: node } })

const singleLabels = ({ requirements }: InstanceType): Readonly<Record<string, string>> =>
  Object.fromEntries(
    requirements.flatMap(({ key, operator, values }) =>
      operator === 'In' && values?.length === 1 ? [[key, String(values[0])]] : [],
    ),
  )

/** Returns the node that a planned claim becomes. Its instance type is the cheapest possible one. */
const nodeOf = (claim: PlannedClaim, name: string, snapshot: ClusterSnapshot): NodeState | undefined => {
  const { nodePool, cheapest, pods } = claim
  const pool = snapshot.pools.find((each) => each.nodePool.metadata.name === nodePool)
  const type = pool?.instanceTypes.find((each) => each.name === cheapest.instanceType)
  if (type === undefined) return undefined
  return {
    ...{ name, hostName: name, nodeClaim: name, nodePool },
    labels: {
      ...singleLabels(type),
      ...claim.labels,
      [labels.nodePool]: nodePool,
      [labels.instanceType]: cheapest.instanceType,
      [labels.zone]: cheapest.zone,
      [labels.capacityType]: cheapest.capacityType,
      [labels.hostname]: name,
    },
    taints: claim.spec.taints ?? [],
    capacity: { ...type.capacity, nodes: toQuantity(1) },
    allocatable: Object.fromEntries(typeAllocatable(type)) as NodeState['allocatable'],
    ...{ initialized: false, managed: true, hasNode: false, markedForDeletion: false },
    pods: pods.map(boundTo(name)),
  }
}

/**
 * Replaces nodes as the drift controller does: at most `atOnce` at a time, as budgets allow. The pods of each step
 * are planned on the nodes that exist then, including new ones. Planning all pods at once would be wrong: limits
 * would count each claim with its largest possible type, and pods that fit would be refused.
 */
export const replaceNodes = (
  snapshot: ClusterSnapshot,
  leaving: readonly NodeState[],
  atOnce: number,
  vocabulary: LabelVocabulary,
): Replaced => {
  const size = Math.max(1, atOnce, Math.ceil(leaving.length / MOST_STEPS))
  const unschedulable: UnschedulablePod[] = []
  const names = leaving.map(({ name }) => name)
  let nodes = snapshot.nodes
  let cost = 0
  let unpriced = 0
  for (let first = 0; first < names.length; first += size) {
    const step = new Set(names.slice(first, first + size))
    const pods = nodes.flatMap((node) => (step.has(node.name) ? node.pods.filter(isMovable).map(unbound) : []))
    const staying = nodes.filter(({ name }) => !step.has(name))
    const plan = schedule({ ...snapshot, nodes: staying }, pods, { vocabulary })
    const moved = new Map(plan.placements.map((placement) => [placement.node, placement.pods]))
    nodes = [
      ...staying.map((node) => {
        const more = moved.get(node.name)
        return more === undefined ? node : { ...node, pods: [...node.pods, ...more.map(boundTo(node.name))] }
      }),
      ...plan.claims.flatMap((claim, place) => nodeOf(claim, `replacement-${first}-${place}`, snapshot) ?? []),
    ]
    unschedulable.push(...plan.unschedulable)
    cost += plan.hourlyCost
    unpriced += plan.unpricedClaims
  }
  return { unschedulable, cost, unpriced }
}
