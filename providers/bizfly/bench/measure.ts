import { defaultControllerSettings, Kerf, permissionOptions } from '@kerf/controllers'
import { scheduleInSteps } from '@kerf/engine'
import { BizflyProvider } from '@kerf/provider-bizfly'
import { fakeApi, fakeJoin, REGION } from '@kerf/provider-bizfly/testing'
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
/** How long a first Kerf runs before the measured run starts, so that the cluster is settled by then. */
const EARLIER = 3 * MINUTE
const WRITES: ReadonlySet<string> = new Set(['launchServer', 'deleteServer', 'leaveCluster'])

/** The requests to Bizfly Cloud, by call. */
export interface CallCounts extends PeriodCounts {
  /** Requests that change something, since the start. An idle cluster needs none. */
  readonly writes: number
}

type Fake = ReturnType<typeof fakeApi>

/** Starts Kerf as `kerf run` composes it, with a Bizfly Cloud in memory. Returns the function that stops it. */
const startKerf = async (
  client: KubeClient,
  { api }: Fake,
  clock: VirtualClock,
  random: SeededRandom,
): Promise<{ readonly stop: () => Promise<void> }> => {
  // Metrics of thousands of objects cause no requests to the cloud, but take most of the time.
  const settings = { ...defaultControllerSettings, cpuRequests: 2_000, disableClusterStateObservability: true }
  const own = declaredOnly(client, await processPermissions('bizfly'), permissionOptions(settings))
  const log = silentLogger
  const metrics = new PrometheusMetrics()
  const informers = new SharedInformers({ client: own, clock, random: random.fork('informers'), logger: log })
  const events = new ApiEventRecorder({ client: own, clock, random: random.fork('events'), logger: log })
  const context = { client: own, informers, clock, random: random.fork('provider'), events, log }
  const provider = new BizflyProvider(context, { api, region: REGION, join: fakeJoin, kubernetesVersion: '' })
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
 * Counts the requests of Kerf on an idle cluster with this many nodes, in virtual time: in the first minute after a restart, and during
 * `steady`, which begins `settled` after the restart.
 */
export const measureCalls = async (
  nodes: number,
  { settled, steady }: { readonly settled: number; readonly steady: number },
): Promise<CallCounts> => {
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
  await createPool(client)
  const fake = fakeApi(clock)
  const run = async (name: string, time: number): Promise<void> => {
    const kerf = await drive(startKerf(client, fake, clock, random.fork(name)))
    await pass(time)
    await drive(kerf.stop())
  }
  // The first run resolves the node class. The second run, which is measured, finds the nodes.
  await run('first', EARLIER)
  await plantNodes(client, fake.account, clock, nodes)
  await run('earlier', EARLIER)
  fake.cloud.requests.length = 0
  const start = clock.monotonic()
  await run('kerf', settled + steady)
  await drive(cluster.stop())
  const calls = fake.cloud.requests.map(({ call, at }) => ({ name: call, at }))
  return {
    ...periodCounts(calls, start, { settled, steady }),
    writes: calls.filter(({ name }) => WRITES.has(name)).length,
  }
}
