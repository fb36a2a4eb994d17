import {
  findCondition,
  formatResources,
  type LabelVocabulary,
  type NodePool,
  type NodeSelectorRequirement,
  ownValue,
  parseResources,
  type UsdPerHour,
} from '@kerf/apis'
import { type FunnelStage, type InstanceType, LabelRules, type NodeState, type Requirements } from '@kerf/engine'

/** How much of one limit is used. */
export interface LimitUse {
  readonly resource: string
  readonly limit: string
  readonly used: string
  readonly left: string
}

/** The output of `kerf explain nodepool -o json`. */
export interface PoolDocument {
  readonly nodePool: string
  /** Whether the pool launches nodes for pods. */
  readonly launches: boolean
  /** Sentences that explain why the pool launches no nodes. */
  readonly obstacles: readonly string[]
  readonly nodes: number
  /** The total cost of the pool's nodes whose price is known. */
  readonly hourlyCost: UsdPerHour
  readonly limits: readonly LimitUse[]
  /** The number of offerings that remain after each requirement of the pool. */
  readonly stages: readonly FunnelStage[]
}

/** Returns why a pool launches no nodes for pods. A pool without a status counts as ready, as in `kerf plan`. */
const conditionObstacles = (pool: NodePool): readonly string[] => {
  if (pool.metadata.deletionTimestamp !== undefined) return ['it is being deleted']
  if (pool.spec.replicas !== undefined) return ['it is static: it launches nodes only for spec.replicas']
  const ready = findCondition(pool, 'Ready')
  if (ready === undefined || ready.status === 'True') return []
  const causes = (pool.status?.conditions ?? []).filter(({ type, status }) => type !== 'Ready' && status !== 'True')
  return (causes.length === 0 ? [ready] : causes).map(
    ({ type, status, reason, message }) =>
      `${type} is ${status}${reason === undefined || reason === '' ? '' : ` (${reason})`}${message === undefined || message === '' ? '' : `: ${message}`}`,
  )
}

const poolLimits = (pool: NodePool, nodes: readonly NodeState[]): readonly LimitUse[] => {
  const limits = parseResources(pool.spec.limits)
  return Object.entries(limits).map(([resource, limit]) => {
    const used = nodes.reduce((sum, { capacity }) => sum + (ownValue(capacity, resource) ?? 0n), 0n) as typeof limit
    const left = (limit > used ? limit - used : 0n) as typeof limit
    const text = (amount: typeof limit): string => ownValue(formatResources({ [resource]: amount }), resource) ?? '0'
    return { resource, limit: text(limit), used: text(used), left: text(left) }
  })
}

const requirementText = ({ key, operator, values = [] }: NodeSelectorRequirement): string =>
  `${key} ${operator}${values.length === 0 ? '' : ` [${values.join(', ')}]`}`

/** Returns how many offerings remain after each requirement of a NodePool. */
export const poolStages = (
  pool: NodePool,
  types: readonly InstanceType[],
  vocabulary: LabelVocabulary,
): readonly FunnelStage[] => {
  const rules = new LabelRules(vocabulary)
  let left: readonly Requirements[] = types.flatMap(({ requirements, offerings }) => {
    const ofType = rules.requirements(requirements)
    return offerings
      .filter(({ available }) => available)
      .map((offering) => ofType.merge(rules.requirements(offering.requirements)))
  })
  const stages: FunnelStage[] = [{ constraint: 'offerings', offeringsLeft: left.length }]
  for (const requirement of pool.spec.template.spec.requirements ?? []) {
    const wanted = rules.requirements([requirement])
    left = left.filter((offering) => offering.intersects(wanted))
    stages.push({ constraint: requirementText(requirement), offeringsLeft: left.length })
  }
  return stages
}

/** Facts about a NodePool that come from other objects, such as commitments and policies. */
interface PoolFacts {
  /** Returns the price of a node. A node that a commitment covers has the price 0. */
  readonly priceOf: (node: NodeState) => UsdPerHour | undefined
  /** Why policies keep the NodePool from launching nodes. */
  readonly obstacles: readonly string[]
}

/**
 * Returns the offerings that a NodePool may launch, and the obstacles to a launch. `types` contains the instance types that the provider
 * offers to the NodePool.
 */
export const poolDocument = (
  pool: NodePool,
  nodes: readonly NodeState[],
  types: readonly InstanceType[],
  vocabulary: LabelVocabulary,
  { priceOf, obstacles: policyObstacles }: PoolFacts,
): PoolDocument => {
  const own = nodes.filter(({ nodePool }) => nodePool === pool.metadata.name)
  const limits = poolLimits(pool, own)
  const stages = poolStages(pool, types, vocabulary)
  const spent = limits.filter(({ left }) => left === '0')
  const empty = stages.find(({ offeringsLeft }) => offeringsLeft === 0)
  const obstacles = [
    ...conditionObstacles(pool),
    ...policyObstacles,
    ...spent.map(({ resource, limit, used }) => `its limit of ${limit} ${resource} is reached: its nodes have ${used}`),
    ...(empty === undefined ? [] : [`no instance type is left after ${empty.constraint}`]),
  ]
  return {
    nodePool: pool.metadata.name,
    launches: obstacles.length === 0,
    obstacles,
    nodes: own.length,
    hourlyCost: own.reduce((sum, node) => sum + (priceOf(node) ?? 0), 0),
    limits,
    stages,
  }
}
