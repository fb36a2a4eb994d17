import { isActive, labels, type Pod, type UsdPerHour } from '@kerf/apis'
import { cachedRequests, type Plan, schedule } from '@kerf/engine'
import { foreignPricesNote } from '../cluster/opened-types.ts'
import { type ExplainedCommitment, explainedUse } from '../policy/commitments-text.ts'
import { counted } from '../terminal/amounts.ts'
import { type Comparison, compareWithPlan, type Finding } from './findings.ts'
import { instanceTypeOfNode, type NodeFacts, podWorkload } from './node-facts.ts'
import type { ReportCluster } from './report-cluster.ts'

/** A node in the report. */
export interface ReportedNode {
  readonly node: string
  readonly keptBy: NodeFacts['keeper']
  /** The node's NodePool or node group. Empty if it has neither. */
  readonly group: string
  readonly instanceType: string
  readonly zone: string
  readonly capacityType: string
  /** Absent if the price is unknown. */
  readonly price?: UsdPerHour
  readonly pods: number
  /** The fraction (0 to 1) of the node's CPU or memory, whichever is larger, that its pods request. */
  readonly used: number
  /** The fraction that the pods use. Absent if it was not measured. */
  readonly measured?: number
  /** The cost of the capacity that no pod requests. */
  readonly idle?: UsdPerHour
  /** Why the node was left out of the new plan. */
  readonly leftAlone?: string
}

/** A workload and its share of its nodes' cost, today and in the plan. */
export interface ReportedWorkload {
  readonly workload: string
  readonly pods: number
  readonly now: UsdPerHour
  readonly planned?: UsdPerHour
}

/** The output of `kerf report -o json`. Costs are in US dollars per hour and exclude nodes whose price is unknown. */
export interface ReportDocument {
  readonly from: string
  readonly madeAt: string
  readonly region?: string
  /** The region of the prices, if it differs from the cluster's region. */
  readonly pricesOf?: string
  readonly priceNote?: string
  /** Additional cost of each node. The prices of nodes include it; the prices in `newNodes` do not. Absent if it is 0. */
  readonly nodeOverheadCost?: UsdPerHour
  /** Why there is no plan. Absent if there is one. */
  readonly notCompared?: string
  readonly now: {
    readonly nodes: number
    readonly pods: number
    readonly cost: UsdPerHour
    /** The number of nodes whose price is unknown. */
    readonly unpriced: number
    /** The number of nodes that are part of the comparison. */
    readonly comparedNodes: number
    readonly comparedCost: UsdPerHour
    /** The part of the cost that comes from the additional cost per node. */
    readonly overhead: UsdPerHour
  }
  /** The result of a new plan for the same pods. */
  readonly planned?: {
    /** The cost of the whole cluster, including nodes that are not part of the comparison. */
    readonly cost: UsdPerHour
    /** The cost of the compared nodes after the plan; `now` has the same field for today. */
    readonly comparedCost: UsdPerHour
    /** The part of the planned cost that comes from the additional cost per node. Absent if removing nodes is enough. */
    readonly overhead?: UsdPerHour
    readonly newNodes: readonly {
      readonly instanceType: string
      readonly capacityType: string
      readonly nodePool: string
      readonly count: number
      readonly price?: UsdPerHour
    }[]
  }
  /** The findings in the order in which they were computed. Their savings add up. */
  readonly findings: readonly Finding[]
  readonly nodes: readonly ReportedNode[]
  /** The most expensive first. */
  readonly workloads: readonly ReportedWorkload[]
  /**
   * The prepaid commitments. They are paid for whether they are used or not, so the costs of nodes do not include them. Absent if there are
   * none.
   */
  readonly commitments?: readonly ExplainedCommitment[]
  /** Pending pods, and the cost of the nodes that they need. */
  readonly waiting: { readonly pods: number; readonly cost: UsdPerHour; readonly withoutPlace: number }
  /** Pods that fit on no planned node. Their nodes are not replaced. */
  readonly kept: Comparison['kept']
  /** Further useful facts that have no price. */
  readonly remarks: readonly string[]
  readonly notLookedAt: readonly string[]
}

const round = (value: number): number => Number(value.toFixed(9))
const sumOf = (values: readonly (number | undefined)[]): number =>
  values.reduce<number>((total, value) => total + (value ?? 0), 0)

const reportedNode = ({
  state,
  keeper,
  group,
  price,
  movable,
  used,
  measured,
  leftAlone,
}: NodeFacts): ReportedNode => ({
  node: state.name,
  keptBy: keeper,
  group,
  instanceType: instanceTypeOfNode(state),
  zone: state.labels[labels.zone] ?? 'unknown',
  capacityType: state.labels[labels.capacityType] ?? 'unknown',
  ...(price === undefined ? {} : { price }),
  pods: movable.length,
  used: Number(used.toFixed(4)),
  ...(measured === undefined ? {} : { measured: Number(measured.toFixed(4)) }),
  ...(price === undefined ? {} : { idle: round(price * (1 - used)) }),
  ...(leftAlone === undefined ? {} : { leftAlone }),
})

/** Divides the price of a node among its pods by their requests: half of it by cpu, half by memory. */
const shares = (pods: readonly Pod[], price: UsdPerHour): readonly (readonly [Pod, UsdPerHour])[] => {
  const amount = (pod: Pod, resource: string): number => Number(cachedRequests(pod).get(resource) ?? 0n)
  const total = (resource: string): number => sumOf(pods.map((pod) => amount(pod, resource)))
  const [cpu, memory] = [total('cpu'), total('memory')]
  const part = (of: number, all: number): number => (all === 0 ? 1 / pods.length : of / all)
  return pods.map((pod) => [pod, (price * (part(amount(pod, 'cpu'), cpu) + part(amount(pod, 'memory'), memory))) / 2])
}

const LISTED_WORKLOADS = 50

const nodeWorkloads = (
  nodes: readonly NodeFacts[],
  comparison: Comparison | undefined,
  nodeOverheadCost: UsdPerHour,
): readonly ReportedWorkload[] => {
  const sums = new Map<string, { pods: number; now: number; planned: number }>()
  const of = (pod: Pod) => {
    const name = podWorkload(pod)
    const known = sums.get(name) ?? { pods: 0, now: 0, planned: 0 }
    sums.set(name, known)
    return known
  }
  const compared = new Set(comparison?.replaced)
  for (const node of nodes) {
    for (const [pod, cost] of shares(node.movable, node.price ?? 0)) {
      const sum = of(pod)
      sum.pods++
      sum.now += cost
      if (!compared.has(node)) sum.planned += cost
    }
  }
  for (const { pods, cheapest } of comparison?.plan?.claims ?? [])
    for (const [pod, cost] of shares(pods, cheapest.price === undefined ? 0 : cheapest.price + nodeOverheadCost))
      of(pod).planned += cost
  return [...sums]
    .map(([workload, { pods, now, planned }]) => ({
      workload,
      pods,
      now: round(now),
      ...(comparison?.plan === undefined ? {} : { planned: round(planned) }),
    }))
    .sort((a, b) => b.now - a.now || b.pods - a.pods || (a.workload < b.workload ? -1 : 1))
    .slice(0, LISTED_WORKLOADS)
}

const newNodesOf = ({ plan }: Comparison): NonNullable<ReportDocument['planned']>['newNodes'] =>
  [
    ...Map.groupBy(
      plan?.claims ?? [],
      ({ nodePool, cheapest: { instanceType, capacityType, price } }) =>
        `${nodePool}/${instanceType}/${capacityType}/${price}`,
    ).values(),
  ]
    .flatMap((claims) => {
      const [first] = claims
      if (first === undefined) return []
      const { instanceType, capacityType, price } = first.cheapest
      const known = price === undefined ? {} : { price }
      return [{ instanceType, capacityType, nodePool: first.nodePool, count: claims.length, ...known }]
    })
    .sort((a, b) => b.count * (b.price ?? 0) - a.count * (a.price ?? 0))

const notComparedBecause = ({ opened, hasAllPods, nodes, snapshot }: ReportCluster): string | undefined => {
  if (!hasAllPods) return 'not every pod could be read, so it is unknown which nodes are needed'
  if (nodes.length === 0) return 'there are no nodes, as in a recording: the report can only plan for the pods'
  if (opened === undefined)
    return 'the instance types of these nodes are unknown: set --instance-types to a file or a provider'
  if (snapshot.pools.length === 0) return 'no NodePool launches nodes'
  if (!nodes.some(({ leftAlone }) => leftAlone === undefined)) return 'no node can be included in a new plan'
  return undefined
}

const clusterRemarks = (cluster: ReportCluster): readonly string[] => {
  const pods = cluster.nodes.flatMap(({ movable }) => movable)
  const without = (resource: string): number =>
    pods.filter((pod) => (cachedRequests(pod).get(resource) ?? 0n) === 0n).length
  const [cpu, memory] = [without('cpu'), without('memory')]
  return [
    ...cluster.notes,
    ...(cluster.hasAssumedPools
      ? [
          'the cluster has no NodePool: plans use assumed NodePools with the zones, architectures and capacity types of its nodes and any instance type',
        ]
      : []),
    ...(cpu === 0 ? [] : [`${counted(cpu, 'pod')} of ${pods.length} have no cpu request and count as zero`]),
    ...(memory === 0 ? [] : [`${counted(memory, 'pod')} of ${pods.length} have no memory request and count as zero`]),
  ]
}

const priced = (nodes: readonly NodeFacts[]): number => nodes.filter(({ price }) => price !== undefined).length

/** Returns the number of nodes with a known price after the plan: the nodes that are kept, and the planned nodes. */
const nodesAfter = (nodes: readonly NodeFacts[], { replaced }: Comparison, plan: Plan): number => {
  const gone = new Set([
    ...replaced,
    ...nodes.filter(({ movable, leftAlone }) => movable.length === 0 && leftAlone === undefined),
  ])
  return priced(nodes.filter((node) => !gone.has(node))) + plan.claims.length - plan.unpricedClaims
}

/** Computes a report. Calls `show` with a line before each slow step. */
export const reportDocument = (
  cluster: ReportCluster,
  madeAt: string,
  show: (line: string) => void = () => undefined,
): ReportDocument => {
  const { nodes, snapshot, waiting, opened, options } = cluster
  const { nodeOverheadCost = 0 } = options
  const notCompared = notComparedBecause(cluster)
  const looked = nodes.filter(({ leftAlone }) => leftAlone === undefined)
  const comparison =
    notCompared === undefined
      ? compareWithPlan(
          snapshot,
          looked,
          cluster.blockers,
          { options, mayBuyOtherwise: !cluster.hasAssumedPools },
          show,
        )
      : undefined
  const cost = sumOf(nodes.map(({ price }) => price))
  const comparedCost = sumOf(looked.map(({ price }) => price))
  const forWaiting = waiting.length === 0 || opened === undefined ? undefined : schedule(snapshot, waiting, options)
  const foreign = opened === undefined ? undefined : foreignPricesNote(opened)
  const { offer, priceNote } = opened ?? {}
  return {
    from: cluster.from,
    madeAt,
    ...(offer === undefined ? {} : { region: offer.region.region }),
    ...(foreign === undefined || offer === undefined ? {} : { pricesOf: offer.region.pricesOf }),
    ...(priceNote === undefined ? {} : { priceNote: foreign ?? priceNote }),
    ...(nodeOverheadCost === 0 ? {} : { nodeOverheadCost }),
    ...(notCompared === undefined ? {} : { notCompared }),
    now: {
      nodes: nodes.length,
      pods: nodes.flatMap(({ state }) => state.pods.filter(isActive)).length,
      cost: round(cost),
      unpriced: nodes.filter(({ price }) => price === undefined).length,
      comparedNodes: comparison === undefined ? 0 : looked.length,
      comparedCost: comparison === undefined ? 0 : round(comparedCost),
      overhead: round(nodeOverheadCost * priced(nodes)),
    },
    ...(comparison === undefined
      ? {}
      : {
          planned: {
            cost: round(cost - comparedCost + comparison.planned),
            comparedCost: round(comparison.planned),
            ...(comparison.plan === undefined
              ? {}
              : { overhead: round(nodeOverheadCost * nodesAfter(nodes, comparison, comparison.plan)) }),
            newNodes: newNodesOf(comparison),
          },
        }),
    findings: (comparison?.findings ?? []).map((each) => ({ ...each, saves: round(each.saves) })),
    nodes: nodes.map(reportedNode).sort((a, b) => (b.idle ?? -1) - (a.idle ?? -1) || (a.node < b.node ? -1 : 1)),
    workloads: nodeWorkloads(nodes, comparison, nodeOverheadCost),
    ...(cluster.commitments.length === 0 ? {} : { commitments: cluster.commitments.map(explainedUse) }),
    waiting: {
      pods: waiting.length,
      cost: round(forWaiting?.hourlyCost ?? 0),
      withoutPlace: forWaiting?.unschedulable.length ?? 0,
    },
    kept: comparison?.kept ?? [],
    remarks: clusterRemarks(cluster),
    notLookedAt: [
      ...cluster.notLookedAt,
      ...(nodes.length > 0 && nodes.every(({ measured }) => measured !== undefined)
        ? ['the usage of each pod (a plan uses requests; the report shows the usage of nodes)']
        : ['the usage of pods and nodes: the metrics API was not read (a plan uses requests)']),
      'discounts, savings plans and reservations, except those in spec.commitments of the ClusterPolicy',
      'volumes, load balancers, traffic and the control plane',
      ...(comparison === undefined || comparison.unpricedConstraints === 0
        ? []
        : [`${counted(comparison.unpricedConstraints, 'more constraint')}that were not priced, to save time`]),
    ],
  }
}
