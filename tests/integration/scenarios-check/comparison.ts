import type { PlanDocument, Problem } from './documents.ts'
import type { BestKnown, ExpectedPlan } from './scenario.ts'

/** The results of one scenario. */
export interface Row {
  readonly name: string
  readonly pods: number
  readonly nodes: number
  readonly cost: number
  readonly unschedulable: number
  readonly upstream: ExpectedPlan
  readonly best: BestKnown | undefined
  readonly problems: readonly Problem[]
  /** The average number of instance types per new node. It is 0 if there are no new nodes. */
  readonly flexibility: number
}

export const countFlexibility = ({ nodeClaims }: Pick<PlanDocument, 'nodeClaims'>): number =>
  nodeClaims.length === 0
    ? 0
    : nodeClaims.reduce((sum, { instanceTypes }) => sum + instanceTypes.length, 0) / nodeClaims.length

const geometricMean = (ratios: readonly number[]): number =>
  Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / Math.max(1, ratios.length))

const NOISE = 1e-9

/** Returns the highest cost among upstream's recorded plans. */
const upstreamCeiling = ({ upstream }: Row): number => Math.max(upstream.hourlyCost, upstream.observed.hourlyCost[1])

/** Returns whether the best known plan is a fair comparison, which means that it ignores no NodePool weight and no soft taint. */
const isFair = (row: Row): row is Row & { readonly best: BestKnown } =>
  row.best !== undefined && !row.best.policyIgnored

const LARGE_PODS = 2_000

export interface Summary {
  /** The cost of Kerf's plan divided by the cost of upstream's plan. This and the next three values are geometric means. */
  readonly toUpstream: number
  /** The same ratio over those scenarios only in which the comparison is fair (`isFair`). */
  readonly toUpstreamFair: number
  /** The cost of Kerf's plan divided by the lower bound of the cost. */
  readonly toBound: number
  /** The cost of Kerf's plan divided by the cost of the best known plan. */
  readonly toBest: number
  /**
   * The number of nodes relative to upstream's, for scenarios in which upstream has several nodes. Of two plans with equal cost, the one
   * with fewer nodes is better.
   */
  readonly toUpstreamNodes: number
}

/**
 * A scenario counts in this comparison if upstream has at least this many nodes. With fewer nodes, a single additional one would weigh too
 * much.
 */
const SEVERAL_NODES = 5

/** Returns whether the plan places more pods than upstream's. If it does, a higher cost is not a disadvantage. */
export const placesMore = ({ unschedulable, upstream }: Row): boolean => unschedulable < upstream.unschedulable.length

export const summarize = (all: readonly Row[]): Summary => {
  const rows = all.filter((row) => !placesMore(row))
  const fair = rows.filter(isFair)
  return {
    toUpstream: geometricMean(rows.map(({ cost, upstream }) => cost / upstream.hourlyCost)),
    toUpstreamFair: geometricMean(fair.map(({ cost, best }) => cost / best.upstreamCost)),
    toBound: geometricMean(fair.map(({ cost, best }) => cost / best.lowerBound)),
    toBest: geometricMean(fair.map(({ cost, best }) => cost / best.bestKnownValidCost)),
    toUpstreamNodes: geometricMean(
      rows.flatMap(({ nodes, upstream: { nodeClaims } }) =>
        nodeClaims.length < SEVERAL_NODES ? [] : [nodes / nodeClaims.length],
      ),
    ),
  }
}

/** Returns one line for each promise that these scenarios break. */
export const brokenPromises = (rows: readonly Row[], isImproved: boolean): readonly string[] => {
  const broken: string[] = []
  for (const row of rows) {
    const { name, problems, upstream, unschedulable, cost, nodes, flexibility } = row
    for (const { code, subject, text } of problems) broken.push(`${name}: ${code}: ${subject} ${text}`)
    if (unschedulable > upstream.unschedulable.length)
      broken.push(
        `${name}: ${unschedulable} pods have no place, upstream places all but ${upstream.unschedulable.length}`,
      )
    if (!placesMore(row) && cost > upstreamCeiling(row) + NOISE)
      broken.push(`${name}: costs ${cost.toFixed(6)}, upstream at most ${upstreamCeiling(row).toFixed(6)}`)
    if (isImproved && row.pods >= LARGE_PODS) {
      const upstreamNodes = upstream.nodeClaims.length
      if (nodes > upstreamNodes * 1.1)
        broken.push(`${name}: ${nodes} nodes, more than a tenth above upstream’s ${upstreamNodes}`)
      const upstreamFlexibility = countFlexibility(upstream)
      if (flexibility < upstreamFlexibility)
        broken.push(`${name}: ${flexibility.toFixed(2)} types a node, upstream ${upstreamFlexibility.toFixed(2)}`)
    }
  }
  return broken
}

/** Returns the promises about all scenarios together that are broken. */
export const brokenMeans = (summary: Summary, isImproved: boolean): readonly string[] => {
  const limits: readonly (readonly [string, number, number])[] = isImproved
    ? [
        ['cost over upstream’s', summary.toUpstream, 0.9],
        ['cost over upstream’s where the target is fair', summary.toUpstreamFair, 0.82],
        ['cost over the lower bound where the target is fair', summary.toBound, 1.02],
        ['nodes over upstream’s where it has five or more', summary.toUpstreamNodes, 1.1],
      ]
    : [['cost over upstream’s without the improvement pass', summary.toUpstream, 1]]
  return limits
    .filter(([, value, limit]) => value > limit + NOISE)
    .map(([what, value, limit]) => `geometric mean of ${what} is ${value.toFixed(4)}, promised is ${limit.toFixed(2)}`)
}
