import { brokenMeans, brokenPromises, countFlexibility, placesMore, type Row, summarize } from './comparison.ts'
import { costBound } from './cost-bound.ts'
import type { PlanDocument } from './documents.ts'
import type { Harness } from './harness.ts'
import { planScenario } from './plan-scenario.ts'
import { type BestKnown, bestKnown, type Scenario, scenarios } from './scenario.ts'
import { validatePlan } from './validate-plan.ts'

type Alignment = 'left' | 'right'

const table = (lines: readonly (readonly string[])[], alignment: readonly Alignment[]): readonly string[] => {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)))
  return lines.map((line) =>
    line
      .map((cell, column) =>
        alignment[column] === 'left' ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  )
}

const HEADER = [
  'scenario',
  'pods',
  'nodes',
  'upstream',
  'cost/h',
  'upstream',
  'ratio',
  'to best',
  'to bound',
  'types',
  'upstream',
  'no place',
  'upstream',
  'valid',
]

const cells = (row: Row): readonly string[] => {
  const { name, pods, nodes, cost, upstream, best, problems, unschedulable, flexibility } = row
  const over = (reference: number | undefined): string => (reference === undefined ? '' : (cost / reference).toFixed(3))
  const mark = best?.policyIgnored === true ? '*' : ''
  return [
    name,
    String(pods),
    String(nodes),
    String(upstream.nodeClaims.length),
    cost.toFixed(4),
    upstream.hourlyCost.toFixed(4),
    (cost / upstream.hourlyCost).toFixed(3),
    `${over(best?.bestKnownValidCost)}${mark}`,
    `${over(best?.lowerBound)}${mark}`,
    flexibility.toFixed(1),
    countFlexibility(upstream).toFixed(1),
    String(unschedulable),
    String(upstream.unschedulable.length),
    problems.length === 0 ? 'yes' : `${problems.length} problems`,
  ]
}

/** Returns the target with the higher of two lower bounds: the recorded one, which allows fractions of pods, and the one for whole pods. */
const withBound = (best: BestKnown | undefined, harness: Harness, plan: PlanDocument): BestKnown | undefined => {
  if (best === undefined) return undefined
  const left = new Set(plan.unschedulable.map(({ pod }) => pod))
  const placed = [...harness.pending].flatMap(([name, pod]) => (left.has(name) ? [] : [pod]))
  return { ...best, lowerBound: Math.max(best.lowerBound, costBound(harness, placed) ?? 0) }
}

/** Plans one scenario and checks the plan. */
export const judge = async (scenario: Scenario, planBudget?: number): Promise<Row> => {
  const plan = await planScenario(scenario, planBudget)
  const harness = scenario.harness()
  return {
    name: scenario.name,
    pods: harness.pending.size,
    nodes: plan.nodeClaims.length,
    cost: plan.hourlyCost,
    unschedulable: plan.unschedulable.length,
    upstream: scenario.expected,
    best: withBound(bestKnown()[scenario.name], harness, plan),
    problems: validatePlan(harness, plan),
    flexibility: countFlexibility(plan),
  }
}

/**
 * Checks all scenarios, with and without the improvement pass, and prints a table of each.
 * @param names prefixes of scenario names; empty for all. The promises about means are checked only for all scenarios.
 * @returns the number of broken promises
 */
export const runScenarios = async (names: readonly string[], print: (line: string) => void): Promise<number> => {
  const chosen = scenarios().filter(({ name }) => names.length === 0 || names.some((start) => name.startsWith(start)))
  if (chosen.length === 0) {
    print(`no scenario begins with ${names.join(' or ')}`)
    return 1
  }
  let failures = 0
  for (const [title, isImproved] of [
    ['with the improvement pass', true],
    ['without it', false],
  ] as const) {
    const rows: Row[] = []
    for (const scenario of chosen) rows.push(await judge(scenario, isImproved ? undefined : 0))
    const summary = summarize(rows)
    print(`Plans ${title}`)
    for (const line of table([HEADER, ...rows.map(cells)], ['left'])) print(line)
    print(
      `geometric means: ${summary.toUpstream.toFixed(4)} of upstream's cost over ${rows.length - rows.filter(placesMore).length} scenarios; with a fair target ` +
        `${summary.toUpstreamFair.toFixed(4)} of upstream's, ${summary.toBest.toFixed(4)} of the best known, ${summary.toBound.toFixed(4)} of the lower bound; ` +
        `where upstream has five nodes or more ${summary.toUpstreamNodes.toFixed(4)} of its nodes`,
    )
    const more = rows.filter(placesMore).map(({ name }) => name)
    if (more.length > 0) print(`not in the means, since more pods have a place than with upstream: ${more.join(', ')}`)
    if (rows.some(({ best }) => best?.policyIgnored === true))
      print('* that plan disregards pool weights or soft taints: no fair target')
    const broken = [
      ...brokenPromises(rows, isImproved),
      ...(names.length === 0 ? brokenMeans(summary, isImproved) : []),
    ]
    for (const line of broken) print(`BROKEN  ${line}`)
    print('')
    failures += broken.length
  }
  print(failures === 0 ? 'every promise is kept' : `${failures} promises are broken`)
  return failures
}
