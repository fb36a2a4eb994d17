/**
 * `npm run bench:beside [-- --autoscaler NAME=COMMAND --autoscaler kerf --runs N --from PODS --to PODS -o json]`: measures
 * autoscalers that speak Karpenter's API, each on a real control plane of its own with the same instance types and objects: pods
 * are scaled up, and when all is quiet cut down; with `--drift` all nodes are replaced in the end. `--pods mixed` adds pods
 * with constraints, `--limit-cpu N` limits the NodePool, `--plot FILE` draws the cost over time. Runs alternate. `--cluster sandbox` runs Kerf alone in virtual time.
 * docs/beside-upstream.md explains how to read it.
 */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { AutoscalerProcess, parseAutoscaler } from './autoscaler.ts'
import { openRealCluster } from './bench-cluster.ts'
import { costPlot } from './cost-plot.ts'
import { measure, type Phase, type Run, type RunOptions } from './measure.ts'
import { openSandboxCluster } from './sandbox-cluster.ts'
import type { CapacityTypes, PodMix, WorkloadChoice } from './workload.ts'

const { values } = parseArgs({
  options: {
    autoscaler: { type: 'string', multiple: true, default: ['kerf'] },
    cluster: { type: 'string', default: 'real' },
    seed: { type: 'string', default: '1' },
    runs: { type: 'string', default: '1' },
    from: { type: 'string', default: '1000' },
    to: { type: 'string', default: '300' },
    pods: { type: 'string', default: 'plain' },
    drift: { type: 'boolean', default: false },
    // A file to draw the cost after the cut into, and the JSON of earlier runs to draw beside it.
    plot: { type: 'string' },
    before: { type: 'string' },
    // The NodePool's limit in CPUs.
    'limit-cpu': { type: 'string' },
    'capacity-types': { type: 'string', default: 'on-demand' },
    quiet: { type: 'string', default: '60' },
    'cut-after': { type: 'string', default: '900' },
    timeout: { type: 'string' },
    // The former name of --timeout.
    patience: { type: 'string', default: '900' },
    output: { type: 'string', short: 'o', default: 'text' },
  },
})

const capacityTypes = (text: string): CapacityTypes => {
  if (text === 'on-demand' || text === 'spot,on-demand') return text
  throw new Error(`--capacity-types ${text}: give on-demand or spot,on-demand`)
}

const podMixOf = (text: string): PodMix => {
  if (text === 'plain' || text === 'mixed') return text
  throw new Error(`--pods ${text}: give plain or mixed`)
}

const choice: WorkloadChoice = {
  capacityTypes: capacityTypes(values['capacity-types']),
  podMix: podMixOf(values.pods),
  ...(values['limit-cpu'] !== undefined && { limitCpu: values['limit-cpu'] }),
}
const options: RunOptions = {
  podMix: choice.podMix,
  drift: values.drift,
  from: Number(values.from),
  to: Number(values.to),
  quiet: Number(values.quiet),
  cutAfter: Number(values['cut-after']),
  timeout: Number(values.timeout ?? values.patience),
}
const logs = mkdtempSync(join(tmpdir(), 'kerf-beside-logs-'))

const HEAD = [
  'autoscaler',
  'phase',
  'pods run',
  'settled',
  'nodes',
  '$/h',
  'spent $',
  'evictions',
  'most down',
  'made',
  'gone',
]

const row = (name: string, phase: string, measured: Phase): readonly string[] => [
  name,
  phase,
  `${measured.runningAfter.toFixed(1)} s`,
  measured.hasSettled ? `${measured.settledAfter.toFixed(1)} s` : 'not yet',
  String(measured.nodes),
  measured.hourlyCost.toFixed(3),
  measured.spent.toFixed(3),
  String(measured.evictions),
  String(measured.mostDown),
  String(measured.nodesMade),
  String(measured.nodesGone),
]

const rowsOf = ({ autoscaler, up, down, drifted }: Run): readonly (readonly string[])[] => [
  row(autoscaler, `0 to ${options.from}`, up),
  row(autoscaler, `${options.from} to ${options.to}`, down),
  ...(drifted === undefined ? [] : [row(autoscaler, `${options.to}, all nodes drift`, drifted)]),
]

/** The middle of the runs, figure by figure. */
const medians = (phases: readonly Phase[]): Phase | undefined => {
  const middle = (of: (each: Phase) => number): number => {
    const sorted = phases.map(of).sort((a, b) => a - b)
    const [low = 0, high = 0] = [sorted[(sorted.length - 1) >>> 1], sorted[sorted.length >>> 1]]
    return (low + high) / 2
  }
  const [first] = phases
  if (first === undefined) return undefined
  return {
    ...first,
    hasSettled: phases.every(({ hasSettled }) => hasSettled),
    runningAfter: middle((each) => each.runningAfter),
    settledAfter: middle((each) => each.settledAfter),
    nodes: middle((each) => each.nodes),
    hourlyCost: middle((each) => each.hourlyCost),
    spent: middle((each) => each.spent),
    evictions: middle((each) => each.evictions),
    mostDown: middle((each) => each.mostDown),
    nodesMade: middle((each) => each.nodesMade),
    nodesGone: middle((each) => each.nodesGone),
  }
}

const medianRows = (runs: readonly Run[]): readonly (readonly string[])[] =>
  [...Map.groupBy(runs, ({ autoscaler }) => autoscaler)].flatMap(([name, own]) => {
    const up = medians(own.map((run) => run.up))
    const down = medians(own.map((run) => run.down))
    const drifted = medians(own.flatMap((run) => run.drifted ?? []))
    const [first] = own
    if (first === undefined || up === undefined || down === undefined) return []
    return rowsOf({ ...first, autoscaler: `${name}, median`, up, down, drifted })
  })

const print = (rows: readonly (readonly string[])[]): void => {
  const widths = HEAD.map((title, column) => Math.max(title.length, ...rows.map((cells) => cells[column]?.length ?? 0)))
  for (const cells of [HEAD, ...rows]) {
    console.log(
      cells
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
  }
}

const progress = (line: string): void => console.error(`  ${line}`)

const runInSandbox = async (number: number): Promise<Run> => {
  const seed = Number(values.seed) + number - 1
  console.error(`kerf in the sandbox, seed ${seed}`)
  const cluster = await openSandboxCluster(choice, seed)
  return await measure('kerf (sandbox)', options, cluster, ({ startKerf }) => startKerf(), progress)
}

const runForReal = async (text: string, number: number): Promise<Run> => {
  const autoscaler = parseAutoscaler(text)
  const logFile = join(logs, `${autoscaler.name}-${number}.log`)
  console.error(`${autoscaler.name}, run ${number}; its log: ${logFile}`)
  const cluster = await openRealCluster(choice)
  const start = (real: typeof cluster) => new AutoscalerProcess(autoscaler, real, logFile)
  return await measure(autoscaler.name, options, cluster, start, progress)
}

const runs: Run[] = []
for (let number = 1; number <= Number(values.runs); number++) {
  for (const text of values.cluster === 'sandbox' ? ['kerf'] : values.autoscaler) {
    const run = await (values.cluster === 'sandbox' ? runInSandbox(number) : runForReal(text, number))
    runs.push(run)
    const { cpuSeconds, peakMebibytes } = run.used
    console.error(`  ${cpuSeconds.toFixed(1)} s of CPU, ${peakMebibytes.toFixed(0)} MiB at most`)
    if (values.output !== 'json') print(rowsOf(run))
  }
}
if (values.output === 'json') console.log(JSON.stringify(runs, undefined, 2))
else if (runs.length > 1) print([...runs.flatMap(rowsOf), ...medianRows(runs)])
if (values.plot !== undefined) {
  const before = values.before === undefined ? [] : (JSON.parse(readFileSync(values.before, 'utf8')) as readonly Run[])
  writeFileSync(values.plot, costPlot(`${options.from} pods cut to ${options.to}`, { before, now: runs }))
}
