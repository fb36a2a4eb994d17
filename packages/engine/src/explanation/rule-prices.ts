import type { NodePool, Pod, UsdPerHour } from '@kerf/apis'
import { schedule } from '../decision/schedule.ts'
import type { Plan } from '../plan.ts'
import type { ScheduleOptions } from '../schedule-options.ts'
import type { ClusterSnapshot } from '../snapshot.ts'

/** A rule of a NodePool or of Kerf itself, as opposed to a constraint of a workload. */
export type PricedRule = 'limits' | 'min-values' | 'spot-choice' | 'fewer-nodes' | 'node-overhead'

/** The cost of a rule: how much cheaper the plan for the same pods would be without the rule. */
export interface RulePrice {
  readonly rule: PricedRule
  /** The NodePool whose nodes the rule concerns; absent for rules about all nodes of the plan. */
  readonly nodePool?: string
  /** The rule as text. */
  readonly text: string
  readonly price: UsdPerHour
  /** The number of nodes in the plan. */
  readonly nodes: number
  /** The number of nodes in the plan without the rule. */
  readonly nodesWithout: number
}

interface Trial {
  readonly rule: PricedRule
  readonly nodePool?: string
  readonly text: string
  readonly snapshot: ClusterSnapshot
  readonly options: ScheduleOptions
}

/** The maximum number of rules to price, because each requires a plan. */
const MOST_PRICED = 20

const withPool = (snapshot: ClusterSnapshot, name: string, change: (pool: NodePool) => NodePool): ClusterSnapshot => ({
  ...snapshot,
  pools: snapshot.pools.map((each) =>
    each.nodePool.metadata.name === name ? { ...each, nodePool: change(each.nodePool) } : each,
  ),
})

const withoutLimits = (pool: NodePool): NodePool => {
  const { limits: _, ...spec } = pool.spec
  return { ...pool, spec }
}

const withoutMinValues = (pool: NodePool): NodePool => {
  const { template } = pool.spec
  const requirements = (template.spec.requirements ?? []).map(({ minValues: _, ...each }) => each)
  return { ...pool, spec: { ...pool.spec, template: { ...template, spec: { ...template.spec, requirements } } } }
}

const limitsText = (pool: NodePool): string =>
  Object.entries(pool.spec.limits ?? {})
    .map(([resource, amount]) => `${resource} ${amount}`)
    .join(', ')

const minValuesText = (pool: NodePool): string =>
  (pool.spec.template.spec.requirements ?? [])
    .flatMap(({ key, minValues }) => (minValues === undefined ? [] : [`${minValues} of ${key}`]))
    .join(', ')

const snapshotTrials = (snapshot: ClusterSnapshot, plan: Plan, options: ScheduleOptions): readonly Trial[] => {
  const { nodeOverheadCost = 0, planBudget } = options
  const spotPools = new Set(
    plan.claims.flatMap(({ nodePool, cheapest }) => (cheapest.capacityType === 'spot' ? [nodePool] : [])),
  )
  const trials: Trial[] = []
  for (const { nodePool: pool } of snapshot.pools) {
    const nodePool = pool.metadata.name
    const limits = limitsText(pool)
    if (limits !== '')
      trials.push({
        ...{ rule: 'limits', nodePool, text: `limits of the NodePool: ${limits}`, options },
        snapshot: withPool(snapshot, nodePool, withoutLimits),
      })
    const minValues = minValuesText(pool)
    if (minValues !== '')
      trials.push({
        ...{ rule: 'min-values', nodePool, text: `minValues: at least ${minValues}`, options },
        snapshot: withPool(snapshot, nodePool, withoutMinValues),
      })
  }
  const isImproved = planBudget !== 0
  if (isImproved)
    for (const nodePool of spotPools) {
      const text = 'a spot node has enough instance types and zones to choose from'
      trials.push({
        rule: 'spot-choice',
        nodePool,
        text,
        snapshot,
        options: { ...options, withoutSpotChoiceOf: nodePool },
      })
    }
  if (isImproved && plan.claims.length > 0)
    trials.push({
      ...{ rule: 'fewer-nodes', text: 'of plans that cost nearly the same, the one with fewer nodes', snapshot },
      options: { ...options, prefersFewerNodes: false },
    })
  if (nodeOverheadCost > 0)
    trials.push({
      ...{
        rule: 'node-overhead',
        text: `the cost of every node in addition to its instance: $${nodeOverheadCost}/h`,
        snapshot,
      },
      options: { ...options, nodeOverheadCost: 0 },
    })
  return trials
}

/**
 * Returns the cost of the rules of NodePools and of Kerf, the most expensive first. To find the cost of a rule, plans the placed pods again
 * without the rule. Leaves out rules without a cost. Ignores pods that were not placed, because the plan has no cost for them.
 */
export const rulePrices = (
  snapshot: ClusterSnapshot,
  pods: readonly Pod[],
  plan: Plan,
  options: ScheduleOptions,
): { readonly rules: readonly RulePrice[]; readonly unpriced: number } => {
  const left = new Set(plan.unschedulable.map(({ pod }) => pod))
  const placed = pods.filter((pod) => !left.has(pod))
  const trials = snapshotTrials(snapshot, plan, options)
  const rules = trials.slice(0, MOST_PRICED).flatMap((trial): readonly RulePrice[] => {
    const without = schedule(trial.snapshot, placed, trial.options)
    const price = plan.hourlyCost - without.hourlyCost
    if (without.unschedulable.length > 0 || without.unpricedClaims !== plan.unpricedClaims || price <= 1e-9) return []
    const { rule, nodePool, text } = trial
    const nodes = { nodes: plan.claims.length, nodesWithout: without.claims.length }
    return [{ rule, ...(nodePool === undefined ? {} : { nodePool }), text, price, ...nodes }]
  })
  return {
    rules: rules.sort((a, b) => b.price - a.price),
    unpriced: Math.max(0, trials.length - MOST_PRICED),
  }
}
