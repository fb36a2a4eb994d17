/**
 * `npm run bench:informers [-- --nodes N --pods N -o json]`: measures the time and the memory that a new process needs until its informers
 * are in sync and the cluster state is built. The objects come over HTTP from a server in a separate process. The thresholds are 30 s and
 * 1.5 GiB.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { kinds } from '@kerf/apis'
import { ClusterState, defaultControllerSettings, Snapshots } from '@kerf/controllers'
import {
  fixedCredentials,
  HttpKubeClient,
  PrometheusMetrics,
  SharedInformers,
  SystemClock,
  SystemRandom,
  silentLogger,
} from '@kerf/runtime'
import { programOptions } from '../../../tools/program-options.ts'
import { noCloud } from '../no-cloud.ts'

const MOST_SECONDS = 30
const MOST_GIBIBYTES = 1.5

const { values } = programOptions(
  'npm run bench:informers: time and memory from nothing to informers in sync and cluster state built.',
  {
    options: {
      nodes: { type: 'string', default: '5000' },
      pods: { type: 'string', default: '50000' },
      output: { type: 'string', short: 'o', default: 'text' },
    },
  },
)

const server = spawn(
  process.execPath,
  [fileURLToPath(new URL('api-server.ts', import.meta.url)), values.nodes, values.pods],
  {
    stdio: ['ignore', 'pipe', 'inherit'],
  },
)
const stop = new AbortController()
try {
  const [line] = await once(server.stdout.setEncoding('utf8'), 'data')
  const clock = new SystemClock()
  const random = new SystemRandom()
  const client = new HttpKubeClient({
    connection: {
      server: `http://127.0.0.1:${String(line).trim()}`,
      tls: {},
      credentials: fixedCredentials({}),
      origin: 'the benchmark',
    },
    clock,
    random,
    logger: silentLogger,
  })
  const informers = new SharedInformers({ client, clock, random, logger: silentLogger })
  const deps = {
    client,
    clock,
    informers,
    log: silentLogger,
    metrics: new PrometheusMetrics(),
    provider: noCloud(),
    settings: defaultControllerSettings,
  }
  const state = new ClusterState(deps)
  state.follow()
  const snapshots = new Snapshots(deps, state)

  const began = clock.monotonic()
  informers.start(stop.signal)
  await informers.allSynced(stop.signal)
  const measured = (): number => {
    const start = clock.monotonic()
    snapshots.take([])
    return Number((clock.monotonic() - start).toFixed(1))
  }
  const snapshotMilliseconds = { first: measured(), again: measured() }
  const seconds = (clock.monotonic() - began) / 1_000

  const report = {
    nodes: informers.of(kinds.Node).size,
    pods: informers.of(kinds.Pod).size,
    stateNodes: state.nodeCount,
    seconds: Number(seconds.toFixed(2)),
    snapshotMilliseconds,
    peakGibibytes: Number((process.resourceUsage().maxRSS / 1024 ** 2).toFixed(2)),
    heapGibibytes: Number((process.memoryUsage().heapUsed / 1024 ** 3).toFixed(2)),
  }
  const complete =
    report.nodes === Number(values.nodes) && report.pods === Number(values.pods) && report.stateNodes === report.nodes
  const isWithin = seconds <= MOST_SECONDS && report.peakGibibytes <= MOST_GIBIBYTES
  process.stdout.write(
    values.output === 'json'
      ? `${JSON.stringify({ ...report, complete, isWithin })}\n`
      : `${report.nodes} nodes and ${report.pods} pods in sync, state of ${report.stateNodes} nodes built: ` +
          `${report.seconds} s, peak ${report.peakGibibytes} GiB (heap ${report.heapGibibytes} GiB), ` +
          `snapshot ${snapshotMilliseconds.first} ms, then ${snapshotMilliseconds.again} ms; ` +
          `thresholds: ${MOST_SECONDS} s, ${MOST_GIBIBYTES} GiB: ${complete && isWithin ? 'met' : 'NOT MET'}\n`,
  )
  if (!complete || !isWithin) process.exitCode = 1
  stop.abort(new Error('done'))
  await client.close()
} finally {
  server.kill()
}
