import { controllerOwner, type Pod, type UsdPerHour } from '@kerf/apis'
import { schedule } from '../decision/schedule.ts'
import { lowerBound } from '../improvement/lower-bound.ts'
import { buildModel } from '../improvement/model.ts'
import { pack } from '../packing/pack.ts'
import { inQueueOrder } from '../packing/queue.ts'
import { buildProblem } from '../problem/problem.ts'
import type { ScheduleOptions } from '../schedule-options.ts'
import type { ClusterSnapshot } from '../snapshot.ts'
import { type NodeTradeOff, nodeTradeOffs } from './node-trade-offs.ts'
import { podConstraints } from './pod-constraint.ts'
import { type RulePrice, rulePrices } from './rule-prices.ts'

/** The cost of one constraint of a workload: how much cheaper the plan is without the constraint. */
export interface ConstraintPrice {
  /** The name of the controller, such as `ReplicaSet shop/cart`, or of the pod. */
  readonly workload: string
  readonly pods: number
  readonly constraint: string
  readonly price: UsdPerHour
}

export interface CostExplanation {
  readonly hourlyCost: UsdPerHour
  /** The cost of the first pass's plan for the same pods. */
  readonly firstPassCost: UsdPerHour
  /** No valid plan that places these pods on new nodes costs less. */
  readonly lowerBound: UsdPerHour
  /** The most expensive first. Constraints without a cost are left out. */
  readonly constraints: readonly ConstraintPrice[]
  /** The cost of rules of NodePools and of Kerf, the most expensive first. Rules without a cost are left out. */
  readonly rules: readonly RulePrice[]
  /** The number of nodes and the cost for other values of `FEWER_NODES_COST_SHARE`. */
  readonly nodeTradeOffs: readonly NodeTradeOff[]
  /** The number of constraints and rules whose cost was not computed, because there are too many. */
  readonly unpriced: number
  /** The number of planned nodes without a known price. The costs do not include them. If there are any, `lowerBound` is 0. */
  readonly unpricedClaims: number
}

/** The maximum number of constraints to price, because each requires a plan. */
const MOST_PRICED = 40

const workloadName = (pod: Pod): string => {
  const owner = controllerOwner(pod)
  const namespace = pod.metadata.namespace ?? 'default'
  return owner === undefined ? `Pod ${namespace}/${pod.metadata.name}` : `${owner.kind} ${namespace}/${owner.name}`
}

/**
 * Explains the cost of a plan: the lower bound of all plans, and the cost of each constraint of each workload. The cost of a
 * constraint is found by planning again without it. Workloads with the most pods come first.
 */
export const explainCost = (
  snapshot: ClusterSnapshot,
  pods: readonly Pod[],
  options: ScheduleOptions,
): CostExplanation => {
  const plan = schedule(snapshot, pods, options)
  const first = schedule(snapshot, pods, { ...options, planBudget: 0 })
  const problem = buildProblem(snapshot, pods, options)
  const { run } = pack(problem, inQueueOrder(problem.table, problem.pods))
  const model = buildModel(run)
  const workloads = new Map<string, Pod[]>()
  for (const pod of pods) {
    const name = workloadName(pod)
    const members = workloads.get(name)
    if (members === undefined) workloads.set(name, [pod])
    else members.push(pod)
  }
  const candidates = [...workloads]
    .sort(([a, left], [b, right]) => right.length - left.length || (a < b ? -1 : 1))
    .flatMap(([workload, members]) => {
      const [sample] = members
      return sample === undefined ? [] : podConstraints(sample).map((constraint) => ({ workload, members, constraint }))
    })
  const placed = plan.unschedulable.length
  const constraints: ConstraintPrice[] = []
  for (const { workload, members, constraint } of candidates.slice(0, MOST_PRICED)) {
    const own = new Set(members)
    const changed = pods.map((pod) => (own.has(pod) ? constraint.without(pod) : pod))
    const without = schedule(snapshot, changed, options)
    const price = plan.hourlyCost - without.hourlyCost
    // The two costs are comparable only if both plans place the same number of pods.
    if (without.unschedulable.length !== placed || price <= 1e-9) continue
    if (without.unpricedClaims !== plan.unpricedClaims) continue
    constraints.push({ workload, pods: members.length, constraint: constraint.text, price })
  }
  const own = rulePrices(snapshot, pods, plan, options)
  return {
    hourlyCost: plan.hourlyCost,
    firstPassCost: first.hourlyCost,
    lowerBound: plan.unpricedClaims > 0 || model === undefined ? 0 : Math.min(plan.hourlyCost, lowerBound(model)),
    unpricedClaims: plan.unpricedClaims,
    constraints: constraints.sort((a, b) => b.price - a.price),
    rules: own.rules,
    nodeTradeOffs: nodeTradeOffs(snapshot, pods, plan, options),
    unpriced: Math.max(0, candidates.length - MOST_PRICED) + own.unpriced,
  }
}
