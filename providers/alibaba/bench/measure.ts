import { defaultControllerSettings, Kerf, permissionOptions } from '@kerf/controllers'
import { scheduleInSteps } from '@kerf/engine'
import { AlibabaProvider, DEFAULT_CNY_PER_USD } from '@kerf/provider-alibaba'
import { CLUSTER, fakeApi, REGION } from '@kerf/provider-alibaba/testing'
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
const never = new AbortController().signal
const WRITES: ReadonlySet<string> = new Set(['CreateAutoProvisioningGroup', 'DeleteInstance', 'AddTags'])

/** The number of requests to Alibaba Cloud, by action. */
export interface CallCounts extends PeriodCounts {
  /** The number of requests since the start that change something. An idle cluster needs none. */
  readonly writes: number
}

type Fake = Awaited<ReturnType<typeof fakeApi>>

/** Starts Kerf as `kerf run` composes it, with an Alibaba Cloud in memory. Returns the function that stops it. */
const startKerf = async (
  client: KubeClient,
  { api }: Fake,
  clock: VirtualClock,
  random: SeededRandom,
): Promise<{ readonly stop: () => Promise<void> }> => {
  // Metrics of thousands of objects cause no requests to the cloud, but take most of the time.
  const settings = { ...defaultControllerSettings, cpuRequests: 2_000, disableClusterStateObservability: true }
  const own = declaredOnly(client, await processPermissions('alibaba'), permissionOptions(settings))
  const log = silentLogger
  const metrics = new PrometheusMetrics()
  const informers = new SharedInformers({ client: own, clock, random: random.fork('informers'), logger: log })
  const events = new ApiEventRecorder({ client: own, clock, random: random.fork('events'), logger: log })
  const context = { client: own, informers, clock, random: random.fork('provider'), events, log }
  const provider = new AlibabaProvider(context, {
    ...{ api, metrics, region: REGION, clusterId: CLUSTER, isManaged: true, vmMemoryOverheadPercent: 0.065 },
    ...{ cnyPerUsd: DEFAULT_CNY_PER_USD, firstPrices: new Map(), namespace: 'kube-system', watchesInterruptions: true },
  })
  await provider.warmUp(never)
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
  const fake = await fakeApi(clock)
  const run = async (name: string, time: number): Promise<void> => {
    const kerf = await drive(startKerf(client, fake, clock, random.fork(name)))
    await pass(time)
    await drive(kerf.stop())
  }
  // The first run resolves the node class, and the second finds the nodes.
  await run('first', EARLIER)
  await plantNodes(client, fake.account, clock, nodes)
  await run('earlier', EARLIER)
  fake.cloud.requests.length = 0
  const start = clock.monotonic()
  await run('kerf', settled + steady)
  await drive(cluster.stop())
  const calls = fake.cloud.requests.map(({ action, at }) => ({ name: action, at }))
  return {
    ...periodCounts(calls, start, { settled, steady }),
    writes: calls.filter(({ name }) => WRITES.has(name)).length,
  }
}
