/**
 * `npm run bench:large [-- --nodes N --minutes N --pace N --arrivals N --autoscaler NAME=COMMAND --out FILE --profile DIRECTORY --program
 * FILE]`: measures what the controller uses in a large cluster with ordinary changes. The controller is a separate process, and a sandbox
 * serves the cluster over HTTP. Fails if a threshold is missed. README.md explains the measurement.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generatedEntries } from '@kerf/provider-kwok'
import { programOptions } from '../../../tools/program-options.ts'
import { commitHere } from '../beside/raw-runs.ts'
import { installProgram } from '../installed-program.ts'
import { processCpu } from '../process-usage.ts'
import { ClusterClient } from './cluster-client.ts'
import type { LargeRun, Period, Sample } from './large-run.ts'
import { loopDelays, monotonicTime } from './loop-delays.ts'
import { MeasuredProcess } from './measured-process.ts'
import { ARRIVALS_PER_NODE } from './objects.ts'
import { listBars, loopText } from './page.ts'
import { quantile } from './quantile.ts'
import { freePort, Scrapes } from './scrapes.ts'

const MEBIBYTE = 1_048_576
/** The time between two groups, in milliseconds: the batch window plus time to decide. */
const GROUP_EVERY = 1_700
/** How long after the first decision the start counts as complete, in milliseconds. */
const SETTLE = 30_000
const FIRST_DECISION_LIMIT = 900_000
const SAMPLE_EVERY = 10_000

const { values } = programOptions(
  'npm run bench:large: what the controller costs in a large cluster with ordinary change, as a process of its own. tests/benchmarks/large/README.md says how it is measured.',
  {
    options: {
      nodes: { type: 'string', default: '5000' },
      minutes: { type: 'string', default: '60' },
      pace: { type: 'string', default: '1' },
      arrivals: { type: 'string', default: '1000' },
      autoscaler: { type: 'string', default: 'kerf' },
      log: { type: 'string', default: '' },
      // The directory for V8's profile of Kerf, which covers the whole process.
      profile: { type: 'string' },
      // An earlier bundle of Kerf (npm run bundle). The default is the bundle of this commit.
      program: { type: 'string' },
      out: { type: 'string' },
    },
  },
)
const nodes = Number(values.nodes)
const pace = Number(values.pace)
const groups = Math.ceil(Number(values.arrivals) / ARRIVALS_PER_NODE)
const [name = '', ...rest] = values.autoscaler.split('=')

const print = (line: string): void => void process.stdout.write(`${line}\n`)
const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))
const directory = mkdtempSync(join(tmpdir(), 'kerf-large-'))
const logFile = values.log === '' ? join(directory, 'autoscaler.log') : values.log
const began = performance.now()
print(`filling a sandbox: ${nodes} nodes, ${nodes * 10} pods`)
const cluster = await ClusterClient.start(nodes, pace)
let measured: MeasuredProcess | undefined
let scraping: Scrapes | undefined
try {
  print(`filled after ${((performance.now() - began) / 1_000).toFixed(0)} s; load ${loadavg()[0]?.toFixed(1)}`)
  const kubeconfig = join(directory, 'kubeconfig')
  writeFileSync(kubeconfig, await cluster.ask('kubeconfig'))
  const catalogue = join(directory, 'instance-types.json')
  writeFileSync(catalogue, JSON.stringify(generatedEntries()))
  const installed = await installProgram(directory, values.program)
  const isKerf = name === 'kerf'
  const probe = fileURLToPath(new URL('loop-probe.mjs', import.meta.url))
  const probeFile = join(values.profile ?? directory, 'loop-probe.txt')
  const ports = { metrics: await freePort(), health: await freePort() }
  const profiling = values.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${values.profile}`]
  const command = isKerf
    ? [process.execPath, ...profiling, '--import', probe, ...installed.args, '--simulate-kubelet=false']
    : rest
        .join('=')
        .split(' ')
        .filter((word) => word !== '')
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: process.env['HOME'] ?? '',
    ...(isKerf && installed.env),
    KERF_PROVIDER: 'kwok',
    KUBECONFIG: kubeconfig,
    INSTANCE_TYPES_FILE_PATH: catalogue,
    DISABLE_LEADER_ELECTION: 'true',
    SYSTEM_NAMESPACE: 'kube-system',
    METRICS_PORT: String(ports.metrics),
    HEALTH_PROBE_PORT: String(ports.health),
    KERF_LOOP_PROBE: probeFile,
    CPU_REQUESTS: '1000',
  }

  const load = loadavg()[0] ?? 0
  const measuredAt = new Date().toISOString()
  await cluster.ask('arrive')
  const { traffic: none } = await cluster.ask('sight')
  const startedAt = monotonicTime()
  measured = new MeasuredProcess(command, env, logFile)
  scraping = new Scrapes(ports)
  const scrapes = scraping
  const autoscaler = measured
  const [first] = await cluster.ask('reactions', FIRST_DECISION_LIMIT)
  if (first === undefined || autoscaler.hasEnded) throw new Error(`${name} decided nothing; see ${logFile}`)
  const firstDecision = (first.decidedAt - autoscaler.startedAt) / 1_000
  const startCpu = autoscaler.cpu / 1_000
  const startPeak = autoscaler.memory.peak
  const { traffic: listed } = await cluster.ask('sight')
  const startReceived = (listed.sent - none.sent) / MEBIBYTE
  print(
    `first decision after ${firstDecision.toFixed(2)} s, ${startCpu.toFixed(2)} s of processor time, peak ${startPeak.toFixed(0)} MiB, ` +
      `${startReceived.toFixed(0)} MiB received; load ${loadavg()[0]?.toFixed(1)}`,
  )
  await pause(SETTLE)
  const startLoop = isKerf ? loopDelays(probeFile, startedAt, monotonicTime()) : undefined
  const startScrapes = scrapes.take()
  if (startLoop !== undefined) print(loopText('start', startLoop, startScrapes))

  /** Samples the autoscaler until `work` is done. */
  const period = async (title: string, work: Promise<unknown>): Promise<Period> => {
    let isOver = false
    const over = work.finally(() => {
      isOver = true
    })
    const before = await cluster.ask('sight')
    const start = { at: performance.now(), cpu: autoscaler.cpu, cluster: processCpu(cluster.pid) }
    const from = monotonicTime()
    scrapes.take()
    const memory: number[] = []
    const loads: number[] = []
    const samples: Sample[] = []
    let sampled = start
    let minute = { at: start.at, cpu: start.cpu }
    while (!isOver) {
      await Promise.race([over, pause(1_000)])
      if (autoscaler.hasEnded) throw new Error(`${name} ended by itself; see ${logFile}`)
      memory.push(autoscaler.memory.now)
      loads.push(loadavg()[0] ?? 0)
      const now = { at: performance.now(), cpu: autoscaler.cpu, cluster: 0 }
      if (now.at - sampled.at >= SAMPLE_EVERY) {
        const core = (now.cpu - sampled.cpu) / (now.at - sampled.at)
        samples.push({ seconds: (now.at - start.at) / 1_000, core, mebibytes: memory.at(-1) ?? 0 })
        sampled = now
      }
      if (now.at - minute.at < 60_000) continue
      const core = (now.cpu - minute.cpu) / (now.at - minute.at)
      minute = now
      const { nodes: there, pending } = await cluster.ask('sight')
      process.stderr.write(
        `${title}, ${((now.at - start.at) / 60_000).toFixed(0)} min: ${core.toFixed(3)} cores, ${memory.at(-1)?.toFixed(0)} MiB, ${there} nodes, ${pending} pending, load ${loads.at(-1)?.toFixed(1)}\n`,
      )
    }
    await over
    const wall = performance.now() - start.at
    const sight = await cluster.ask('sight')
    const { requests: asked, received, sent } = sight.traffic
    const requests = Object.fromEntries(
      Object.entries(asked)
        .map(([what, count]) => [what, count - (before.traffic.requests[what] ?? 0)] as const)
        .filter(([, count]) => count > 0)
        .sort(([, one], [, other]) => other - one),
    )
    const perSecond = (amount: number): number => amount / (wall / 1_000)
    return {
      seconds: wall / 1_000,
      core: (autoscaler.cpu - start.cpu) / wall,
      clusterCore: (processCpu(cluster.pid) - start.cluster) / wall,
      averageMebibytes: memory.reduce((sum, each) => sum + each, 0) / memory.length,
      peakMebibytes: autoscaler.memory.peak,
      requestsPerSecond: perSecond(Object.values(requests).reduce((sum, count) => sum + count, 0)),
      // The autoscaler receives exactly the bytes that the cluster's process sends.
      receivedPerSecond: perSecond(sent - before.traffic.sent),
      sentPerSecond: perSecond(received - before.traffic.received),
      requests,
      load: loads.reduce((sum, each) => sum + each, 0) / loads.length,
      sight,
      samples,
      ...(isKerf && { loop: loopDelays(probeFile, from, monotonicTime()) }),
      scrapes: scrapes.take(),
    }
  }
  const show = (title: string, of: Period): void => {
    print(
      `${title}: ${of.seconds.toFixed(0)} s, load ${of.load.toFixed(1)}\n` +
        `  ${name}: ${of.core.toFixed(3)} cores, ${of.averageMebibytes.toFixed(0)} MiB on average, ${of.peakMebibytes.toFixed(0)} MiB at most, ` +
        `${of.requestsPerSecond.toFixed(2)} requests/s, ${(of.receivedPerSecond / 1_024).toFixed(1)} KiB/s received, ${(of.sentPerSecond / 1_024).toFixed(1)} KiB/s sent\n` +
        `  sandbox: ${of.clusterCore.toFixed(3)} cores, delayed ${of.sight.delay.toFixed(0)} ms (p99)\n` +
        `  requests: ${Object.entries(of.requests)
          .slice(0, 12)
          .map(([what, count]) => `${what} ${count}`)
          .join(', ')}\n` +
        `  cluster: ${of.sight.nodes} nodes, ${of.sight.pods} pods, ${of.sight.pending} pending; ${JSON.stringify(of.sight.changes)}`,
    )
    if (of.loop !== undefined && of.scrapes !== undefined) print(loopText(title, of.loop, of.scrapes))
  }

  await cluster.ask('change')
  const hour = await period('change', pause((Number(values.minutes) * 60_000) / pace))
  show(`${values.minutes} minutes of ordinary change at ${pace} times its pace`, hour)

  let arriving: Period | undefined
  let reactions: readonly number[] = []
  if (groups > 0) {
    const come = async (): Promise<void> => {
      for (let nth = 0; nth < groups; nth++) {
        await cluster.ask('arrive')
        await pause(GROUP_EVERY)
      }
    }
    arriving = await period('arrivals', come())
    const decided = (await cluster.ask('reactions', 60_000)).slice(1)
    reactions = decided.map(({ windowClosedAt, decidedAt }) => (decidedAt - windowClosedAt) / 1_000)
    show(`${groups * ARRIVALS_PER_NODE} pods arriving, ${ARRIVALS_PER_NODE} at a time, beside it`, arriving)
    if (reactions.length < groups) print(`  only ${reactions.length} of ${groups} groups were decided`)
    print(
      `  from the end of the batch window to the NodeClaim: median ${quantile(reactions, 0.5).toFixed(3)} s, p99 ${quantile(reactions, 0.99).toFixed(3)} s, most ${quantile(reactions, 1).toFixed(3)} s`,
    )
  }
  const result: LargeRun = {
    autoscaler: name,
    commit: commitHere(),
    measuredAt,
    load,
    nodes,
    pace,
    firstDecision,
    startCpu,
    startPeak,
    startReceived,
    ...(startLoop !== undefined && { startLoop }),
    startScrapes,
    hour,
    ...(arriving !== undefined && { arriving }),
    reactions,
    groups,
  }
  const bars = listBars(result)
  print(
    bars
      .map(({ what, measured, bar, isMet }) => `${what}: ${measured}, under ${bar} ${isMet ? 'held' : 'MISSED'}`)
      .join('; '),
  )
  if (values.out !== undefined) writeFileSync(values.out, `${JSON.stringify(result, undefined, 1)}\n`)
  process.exitCode = bars.every(({ isMet }) => isMet) ? 0 : 1
} finally {
  scraping?.stop()
  await measured?.stop()
  await cluster.close()
  rmSync(directory, { recursive: true, force: true })
}
