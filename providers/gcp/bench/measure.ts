import { defaultControllerSettings, Kerf, permissionOptions } from '@kerf/controllers'
import { scheduleInSteps } from '@kerf/engine'
import { GcpProvider } from '@kerf/provider-gcp'
import { FakeGcp, fakeApi, gcpTestOptions, loadSdk, publishImages, sourceTemplate } from '@kerf/provider-gcp/testing'
import {
  ApiEventRecorder,
  type KubeClient,
  PrometheusMetrics,
  SeededRandom,
  SharedInformers,
  silentLogger,
  VirtualClock,
} from '@kerf/runtime'
import { declaredOnly } from '@kerf/runtime/testing'
import { SandboxCluster } from '@kerf/sandbox'
import { processPermissions } from '../../../packages/cli/src/run/process-permissions.ts'
import { MINUTE, type PeriodCounts, periodCounts } from '../../../tests/benchmarks/call-counts.ts'
import { installCrds } from '../../../tests/integration/story/story-cluster.ts'
import { createPool, plantNodes } from './settled-nodes.ts'

const STEP = 1_000
/** How long an earlier Kerf process runs before the measured one starts, so that the cluster has settled by then. */
const EARLIER = 3 * MINUTE
const WRITES = /\.(insert|delete|create|setLabels)$/

/** The number of requests to Google Cloud, by method. */
export interface CallCounts extends PeriodCounts {
  /** The number of requests since the start that change something. An idle cluster needs none. */
  readonly writes: number
}

/** Starts Kerf as `kerf run` composes it, with a Google Cloud in memory. Returns the function that stops it. */
const startKerf = async (
  client: KubeClient,
  gcp: FakeGcp,
  random: SeededRandom,
): Promise<{ readonly stop: () => Promise<void> }> => {
  const { clock } = gcp
  // Metrics of thousands of objects cause no requests to Google Cloud, but take most of the time.
  const settings = { ...defaultControllerSettings, cpuRequests: 2_000, disableClusterStateObservability: true }
  const own = declaredOnly(client, await processPermissions('gcp'), permissionOptions(settings))
  const log = silentLogger
  const metrics = new PrometheusMetrics()
  const informers = new SharedInformers({ client: own, clock, random: random.fork('informers'), logger: log })
  const events = new ApiEventRecorder({ client: own, clock, random: random.fork('events'), logger: log })
  const context = { client: own, informers, clock, random: random.fork('provider'), events, log }
  const provider = new GcpProvider(context, { ...gcpTestOptions(clock), api: fakeApi(gcp), metrics })
  const kerf = new Kerf({ ...context, provider, settings, metrics }, { schedule: scheduleInSteps })
  const stop = new AbortController()
  const running = kerf.run({ stop: stop.signal, abandon: stop.signal })
  return {
    stop: async () => {
      stop.abort(new Error('counted'))
      await running
      await events.close()
    },
  }
}

/**
 * Counts the requests of Kerf to Google Cloud on an idle cluster with this many nodes, in virtual time: in the first minute after a restart,
 * and during `steady`, which begins `settled` after the restart.
 */
export const measureCalls = async (
  nodes: number,
  { settled, steady }: { readonly settled: number; readonly steady: number },
): Promise<CallCounts> => {
  await loadSdk()
  const clock = new VirtualClock({ turns: 3 })
  const random = new SeededRandom(1)
  const cluster = new SandboxCluster({
    ...{ clock, random: random.fork('cluster'), kubelet: false, scheduler: false, events: false },
  })
  const drive = <T>(action: Promise<T>): Promise<T> => clock.advanceUntilDone(action, STEP)
  const pass = async (time: number): Promise<void> => {
    for (let gone = 0; gone < time; gone += STEP) await clock.advance(STEP)
  }
  await drive(cluster.start())
  const { client } = cluster
  await installCrds(client)
  const gcp = new FakeGcp(clock)
  gcp.templates = [sourceTemplate('default-pool')]
  await publishImages(gcp, client, '125-19216-220-12', 0)
  await createPool(client)
  const run = async (name: string, time: number): Promise<void> => {
    const kerf = await drive(startKerf(client, gcp, random.fork(name)))
    await pass(time)
    await drive(kerf.stop())
  }
  // The first run resolves the node class, and the second finds the nodes.
  await run('first', EARLIER)
  await plantNodes(client, gcp, clock, nodes)
  await run('earlier', EARLIER)
  gcp.requests.length = 0
  const start = clock.monotonic()
  await run('kerf', settled + steady)
  await drive(cluster.stop())
  const calls = gcp.requests.map(({ id, at }) => ({ name: id, at }))
  return {
    ...periodCounts(calls, start, { settled, steady }),
    writes: calls.filter(({ name }) => WRITES.test(name)).length,
  }
}
