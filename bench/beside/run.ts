/**
 * `npm run bench:beside [-- --autoscaler NAME=COMMAND --autoscaler kerf --runs N --from PODS --to PODS -o json]`: measures
 * autoscalers that speak Karpenter's API, each on a real control plane of its own with the same instance types and objects: pods
 * are scaled up, and when all is quiet cut down. Runs alternate. `--cluster sandbox` runs Kerf alone in virtual time.
 * docs/beside-upstream.md explains how to read it.
 */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { AutoscalerProcess, parseAutoscaler } from './autoscaler.ts'
import { openRealCluster } from './bench-cluster.ts'
import { measure, type Phase, type Run, type RunOptions } from './measure.ts'
import { openSandboxCluster } from './sandbox-cluster.ts'
import type { CapacityTypes } from './workload.ts'

const { values } = parseArgs({
  options: {
    autoscaler: { type: 'string', multiple: true, default: ['kerf'] },
    cluster: { type: 'string', default: 'real' },
    seed: { type: 'string', default: '1' },
    runs: { type: 'string', default: '1' },
    from: { type: 'string', default: '1000' },
    to: { type: 'string', default: '300' },
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

const mayBuy = capacityTypes(values['capacity-types'])
const options: RunOptions = {
  from: Number(values.from),
  to: Number(values.to),
  quiet: Number(values.quiet),
  cutAfter: Number(values['cut-after']),
  timeout: Number(values.timeout ?? values.patience),
}
const logs = mkdtempSync(join(tmpdir(), 'kerf-beside-logs-'))

const HEAD = ['autoscaler', 'phase', 'pods run', 'settled', 'nodes', '$/h', 'spent $', 'evictions', 'made', 'gone']

const row = (name: string, phase: string, measured: Phase): readonly string[] => [
  name,
  phase,
  `${measured.runningAfter.toFixed(1)} s`,
  measured.hasSettled ? `${measured.settledAfter.toFixed(1)} s` : 'not yet',
  String(measured.nodes),
  measured.hourlyCost.toFixed(3),
  measured.spent.toFixed(3),
  String(measured.evictions),
  String(measured.nodesMade),
  String(measured.nodesGone),
]

const rowsOf = ({ autoscaler, up, down }: Run): readonly (readonly string[])[] => [
  row(autoscaler, `0 to ${options.from}`, up),
  row(autoscaler, `${options.from} to ${options.to}`, down),
]

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
  const cluster = await openSandboxCluster(mayBuy, seed)
  return await measure('kerf (sandbox)', options, cluster, ({ startKerf }) => startKerf(), progress)
}

const runForReal = async (text: string, number: number): Promise<Run> => {
  const autoscaler = parseAutoscaler(text)
  const logFile = join(logs, `${autoscaler.name}-${number}.log`)
  console.error(`${autoscaler.name}, run ${number}; its log: ${logFile}`)
  const cluster = await openRealCluster(mayBuy)
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
else if (runs.length > 1) print(runs.flatMap(rowsOf))
