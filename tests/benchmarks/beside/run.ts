/**
 * `npm run bench:beside [-- --autoscaler NAME=COMMAND --autoscaler kerf --runs N --from PODS --to PODS -o json]`: measures autoscalers that
 * support Karpenter's API, each on its own real control plane with the same instance types and objects. Pods are scaled up, and cut when
 * the cluster has settled. With `--drift`, all nodes are replaced at the end. `--pods mixed` adds pods with constraints, `--limit-cpu N`
 * limits the NodePool, and `--plot FILE` draws the cost over time. Runs alternate; with `--side-by-side`, all autoscalers run at once, each
 * on its own control plane. `--resume SERIES` stores each run in runs/SERIES.json.gz, after the existing pairs. `--cluster sandbox` runs
 * only Kerf, in virtual time. tests/benchmarks/beside/METHOD.md explains the results.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { programOptions, refuseOptions } from '../../../tools/program-options.ts'
import { type Autoscaler, AutoscalerProcess, installKerf, isKerf, parseAutoscaler } from './autoscaler.ts'
import { openRealCluster } from './bench-cluster.ts'
import { costPlot } from './cost-plot.ts'
import { measure, type Run, type RunOptions } from './measure.ts'
import { toProgram } from './program.ts'
import { commitHere, currentLoad, nextPair, saveRun } from './raw-runs.ts'
import { openSandboxCluster } from './sandbox-cluster.ts'
import { medianRows, printTable, runRows } from './table.ts'
import type { CapacityTypes, PodMix, WorkloadChoice } from './workload.ts'

const { values } = programOptions(
  'npm run bench:beside: autoscalers that speak Karpenter’s API, each on a real control plane of its own with the same workload. Any Karpenter build can be put in: --autoscaler upstream=COMMAND. tests/benchmarks/beside/METHOD.md explains the rest.',
  {
    options: {
      autoscaler: { type: 'string', multiple: true, default: ['kerf'] },
      cluster: { type: 'string', default: 'real' },
      seed: { type: 'string', default: '1' },
      runs: { type: 'string', default: '1' },
      from: { type: 'string', default: '1000' },
      to: { type: 'string', default: '300' },
      pods: { type: 'string', default: 'plain' },
      drift: { type: 'boolean', default: false },
      // The file for the graph of the cost after the number of pods is reduced, and the JSON output of earlier runs to include in the
      // graph.
      plot: { type: 'string' },
      // The series to which to add the runs.
      resume: { type: 'string' },
      before: { type: 'string' },
      // The NodePool's CPU limit.
      'limit-cpu': { type: 'string' },
      'capacity-types': { type: 'string', default: 'on-demand' },
      quiet: { type: 'string', default: '60' },
      'cut-after': { type: 'string', default: '900' },
      // How many seconds the autoscaler runs before the pods arrive.
      'start-first': { type: 'string', default: '0' },
      // Runs all autoscalers at once, so that other work on the machine affects all of them equally.
      'side-by-side': { type: 'boolean', default: false },
      timeout: { type: 'string', default: '900' },
      output: { type: 'string', short: 'o', default: 'text' },
    },
  },
)

const capacityTypes = (text: string): CapacityTypes => {
  if (text === 'on-demand' || text === 'spot,on-demand') return text
  return refuseOptions(`--capacity-types ${text}: give on-demand or spot,on-demand`)
}

const parsePodMix = (text: string): PodMix => {
  if (text === 'plain' || text === 'mixed') return text
  return refuseOptions(`--pods ${text}: give plain or mixed`)
}

const choice: WorkloadChoice = {
  capacityTypes: capacityTypes(values['capacity-types']),
  podMix: parsePodMix(values.pods),
  ...(values['limit-cpu'] !== undefined && { limitCpu: values['limit-cpu'] }),
}
const options: RunOptions = {
  podMix: choice.podMix,
  drift: values.drift,
  from: Number(values.from),
  to: Number(values.to),
  quiet: Number(values.quiet),
  cutAfter: Number(values['cut-after']),
  startFirst: Number(values['start-first']),
  timeout: Number(values.timeout),
  sideBySide: values['side-by-side'],
}
const logs = mkdtempSync(join(tmpdir(), 'kerf-beside-logs-'))

const progress = (line: string): void => console.error(`  ${line}`)

const runInSandbox = async (number: number): Promise<Run> => {
  const seed = Number(values.seed) + number - 1
  console.error(`kerf in the sandbox, seed ${seed}`)
  const cluster = await openSandboxCluster(choice, seed)
  return await measure('kerf (sandbox)', options, cluster, ({ startKerf }) => startKerf(), progress)
}

const program = join(logs, 'program')
mkdirSync(program)
// Remove only the installed program, and keep the logs.
process.once('exit', () => rmSync(program, { recursive: true, force: true }))
const isMeasured = values.cluster !== 'sandbox' && values.autoscaler.some(isKerf)
const kerf = isMeasured ? await installKerf(program) : undefined

const runForReal = async (autoscaler: Autoscaler, number: number): Promise<Run> => {
  const logFile = join(logs, `${autoscaler.name}-${number}.log`)
  console.error(`${autoscaler.name}, run ${number}; its log: ${logFile}`)
  const cluster = await openRealCluster(choice)
  const start = (real: typeof cluster) => new AutoscalerProcess(autoscaler, real, logFile)
  const run = await measure(autoscaler.name, options, cluster, start, progress)
  return { ...run, program: toProgram(autoscaler.command) }
}

const { resume: series } = values
const firstPair = series === undefined ? 1 : nextPair(series)
const runs: Run[] = []
const runOne = async (text: string, number: number): Promise<void> => {
  const load = currentLoad()
  const measuredAt = new Date().toISOString()
  const run = await (values.cluster === 'sandbox'
    ? runInSandbox(number)
    : runForReal(parseAutoscaler(text, kerf), number))
  runs.push(run)
  if (series !== undefined) {
    const pair = firstPair + number - 1
    saveRun(series, { pair, commit: commitHere(), measuredAt, load, workload: choice, options, run })
  }
  const { cpuSeconds, peakMebibytes } = run.used
  console.error(`  ${run.autoscaler}: ${cpuSeconds.toFixed(1)} s of CPU, ${peakMebibytes.toFixed(0)} MiB at most`)
  if (values.output !== 'json') printTable(runRows(run, options))
}
for (let number = 1; number <= Number(values.runs); number++) {
  const autoscalers = values.cluster === 'sandbox' ? ['kerf'] : values.autoscaler
  if (options.sideBySide) await Promise.all(autoscalers.map((text) => runOne(text, number)))
  else for (const text of autoscalers) await runOne(text, number)
}
if (values.output === 'json') console.log(JSON.stringify(runs, undefined, 2))
else if (runs.length > 1) {
  printTable([...runs.flatMap((run) => runRows(run, options)), ...medianRows(runs, options)])
}
if (values.plot !== undefined) {
  const before = values.before === undefined ? [] : (JSON.parse(readFileSync(values.before, 'utf8')) as readonly Run[])
  writeFileSync(values.plot, costPlot(`${options.from} pods cut to ${options.to}`, { before, now: runs }))
}
