import { type Style, styleFor, table } from '@kerf/provider-kit/terminal'
import { type Clock, SystemClock } from '@kerf/runtime'
import { stringify } from 'yaml'
import { foreignPricesNote, typesPriceMark } from '../cluster/opened-types.ts'
import { type ClusterSource, loadCluster } from '../plan/load-cluster.ts'
import type { PlanningOptions } from '../plan/planning-options.ts'
import { forecastRemoval, type HeldPod, type RemovalForecast } from '../plan/removal-forecast.ts'
import type { PlanStreams } from '../plan/run-plan.ts'
import { counted } from '../terminal/amounts.ts'
import { type PriceMark, perHour } from '../terminal/money.ts'
import { ProgressLine } from '../terminal/progress-line.ts'

export interface RemoveOptions extends ClusterSource, PlanningOptions {
  readonly output: 'text' | 'json' | 'yaml'
}

const placeText = (to: string | number, { newNodes }: RemovalForecast): string => {
  if (typeof to === 'string') return to
  const claim = newNodes[to - 1]
  return claim === undefined
    ? `new node ${to}`
    : `new node ${to}: ${claim.cheapest.instanceType} (${claim.cheapest.capacityType}) of NodePool ${claim.nodePool}`
}

/**
 * Returns a text about a pod that cannot be evicted: the reason, the latest time at which it is deleted, and the node on which it would run
 * next.
 */
const heldText = ({ pod, why, to, forcedAt }: HeldPod, forecast: RemovalForecast): string => {
  const end = forcedAt === undefined ? '' : `; force-deleted at ${forcedAt} (terminationGracePeriod)`
  const without = forecast.withoutPlace.find((each) => each.pod === pod)
  const then =
    to !== undefined
      ? `; then ${placeText(to, forecast)}`
      : without === undefined
        ? ''
        : `; then unschedulable: ${without.why}`
  return `${why}${end}${then}`
}

const removalReport = (forecast: RemovalForecast, style: Style, mark: PriceMark): string => {
  const { removed, moves, withoutPlace, held, cost } = forecast
  const rows = [
    ...moves.flatMap(({ pod, from, to }) => (from === undefined ? [] : [{ pod, from, to: placeText(to, forecast) }])),
    ...withoutPlace
      .filter(({ pod }) => !held.some((each) => each.pod === pod))
      .map(({ pod, node, why }) => ({ pod, from: node, to: `no place: ${why}` })),
    ...held.map((each) => ({ pod: each.pod, from: each.node, to: `stays: ${heldText(each, forecast)}` })),
  ]
  const lines = [
    style('bold', `Without ${removed.join(', ')}`),
    `  ${perHour(cost.before.hourly, mark)} → ${perHour(cost.after.hourly, mark)}, ${cost.before.nodes} → ${counted(cost.after.nodes, 'node')}`,
  ]
  const holders = new Set(held.map(({ node }) => node))
  if (holders.size > 0)
    lines.push(
      `  ${[...holders].join(', ')} ${holders.size === 1 ? 'stays' : 'stay'} until every pod can be evicted; the cost includes that time`,
    )
  const waiting = moves.filter(({ from }) => from === undefined).length
  if (waiting > 0) lines.push(`  the plan also places ${waiting} pending ${waiting === 1 ? 'pod' : 'pods'}`)
  if (rows.length === 0) return `${[...lines, '', 'No pods need to move.'].join('\n')}\n`
  const [head = '', ...body] = table(
    rows,
    [
      { title: 'POD', value: (row) => row.pod },
      { title: 'FROM', value: (row) => row.from },
      { title: 'TO', value: (row) => row.to },
    ],
    style.width,
  )
  return `${[...lines, '', style('gray', head), ...body].join('\n')}\n`
}

/** Runs `kerf simulate remove node`. Returns 0 if every pod fits somewhere, 3 if some do not. Changes nothing. */
export const runRemove = async (
  names: readonly string[],
  options: RemoveOptions,
  streams: PlanStreams,
  clock: Clock = new SystemClock(),
): Promise<0 | 3> => {
  const progress = new ProgressLine(streams.stderr)
  const loaded = await loadCluster(options, streams.env, (line) => progress.show(line)).finally(() => progress.clear())
  const { planBudget, nodeOverheadCost = 0, fewerNodesCostShare } = options
  const { preferencePolicy = 'Respect', minValuesPolicy = 'Strict' } = options
  const planning = {
    nodeOverheadCost,
    preferencePolicy,
    minValuesPolicy,
    ...(planBudget === undefined ? {} : { planBudget }),
    ...(fewerNodesCostShare === undefined ? {} : { fewerNodesCostShare }),
  }
  const forecast = await forecastRemoval(loaded, names, planning, clock)
  for (const line of loaded.notes) streams.stderr.write(`${line}\n`)
  switch (options.output) {
    case 'json':
      streams.stdout.write(`${JSON.stringify(forecast, null, 2)}\n`)
      break
    case 'yaml':
      streams.stdout.write(stringify(forecast, { aliasDuplicateObjects: false, compat: 'yaml-1.1' }))
      break
    case 'text': {
      const style = styleFor(streams.stdout, streams.env)
      const { priceNote } = loaded.opened
      const heading = foreignPricesNote(loaded.opened)
      if (heading !== undefined) streams.stdout.write(`${style('gray', heading)}\n\n`)
      streams.stdout.write(removalReport(forecast, style, typesPriceMark(loaded.opened)))
      if (priceNote !== undefined) streams.stdout.write(`\n${style('gray', priceNote)}\n`)
    }
  }
  return forecast.withoutPlace.length > 0 ? 3 : 0
}
