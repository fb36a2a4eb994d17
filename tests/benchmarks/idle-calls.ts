import { defaultControllerSettings, Kerf, permissionOptions } from '@kerf/controllers'
import { scheduleInSteps } from '@kerf/engine'
import type { CloudProvider, ProviderContext } from '@kerf/provider-contract'
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
import { processPermissions } from '../../packages/cli/src/run/process-permissions.ts'
import { installCrds } from '../integration/story/story-cluster.ts'
import { type Call, MINUTE, periodCounts } from './call-counts.ts'
import type { CallCounts } from './recorded-calls.ts'

const STEP = 1_000
/** How long an earlier Kerf process runs before the measured one starts, so that the cluster has settled by then. */
const EARLIER = 3 * MINUTE

/** A fake cloud. */
export interface IdleCloud {
  /** All requests so far. */
  readonly calls: () => readonly Call[]
  readonly newProvider: (context: ProviderContext, metrics: PrometheusMetrics) => CloudProvider | Promise<CloudProvider>
  /** Creates settled nodes with their NodeClaims and instances. The node class has been resolved. */
  readonly plantNodes: (client: KubeClient, nodes: number) => Promise<void>
}

/** The provider whose requests are counted, and the functions that start it. */
export interface CallsBench {
  /** The name of the provider. */
  readonly name: string
  readonly cloud: string
  /** The file of the recorded counts. */
  readonly recorded: URL
  readonly isWrite: (call: string) => boolean
  /** Creates the fake cloud, and in the cluster a node class and a NodePool that never consolidates. */
  readonly createCloud: (clock: VirtualClock, client: KubeClient) => Promise<IdleCloud>
}

/** Starts Kerf as `kerf run` composes it. Returns the function that stops it. */
const startKerf = async (
  name: string,
  { newProvider }: IdleCloud,
  client: KubeClient,
  clock: VirtualClock,
  random: SeededRandom,
): Promise<() => Promise<void>> => {
  // Leave out the metrics of thousands of objects: they cause no requests to the cloud, but would take most of the time.
  const settings = { ...defaultControllerSettings, cpuRequests: 2_000, disableClusterStateObservability: true }
  const own = declaredOnly(client, await processPermissions(name), permissionOptions(settings))
  const log = silentLogger
  const metrics = new PrometheusMetrics()
  const informers = new SharedInformers({ client: own, clock, random: random.fork('informers'), logger: log })
  const events = new ApiEventRecorder({ client: own, clock, random: random.fork('events'), logger: log })
  const context = { client: own, informers, clock, random: random.fork('provider'), events, log }
  const provider = await newProvider(context, metrics)
  const kerf = new Kerf({ ...context, provider, settings, metrics }, { schedule: scheduleInSteps })
  const stop = new AbortController()
  const running = kerf.run({ stop: stop.signal, abandon: stop.signal })
  return async () => {
    stop.abort(new Error('counted'))
    await running
    await events.close()
  }
}

/**
 * Counts the requests of Kerf on an idle cluster with this many nodes, in virtual time: in the first minute after a restart, and during
 * `steady`, which begins `settled` after the restart.
 */
export const measureCalls = async (
  { name, isWrite, createCloud }: CallsBench,
  nodes: number,
  periods: { readonly settled: number; readonly steady: number },
): Promise<CallCounts> => {
  const clock = new VirtualClock({ turns: 3 })
  const random = new SeededRandom(1)
  const cluster = new SandboxCluster({
    ...{ clock, random: random.fork('cluster'), kubelet: false, scheduler: false, events: false },
  })
  const drive = <T>(action: Promise<T>): Promise<T> => clock.advanceUntilDone(action, STEP)
  await drive(cluster.start())
  const { client } = cluster
  await installCrds(client)
  const cloud = await createCloud(clock, client)
  const run = async (fork: string, time: number): Promise<void> => {
    const stop = await drive(startKerf(name, cloud, client, clock, random.fork(fork)))
    for (let gone = 0; gone < time; gone += STEP) await clock.advance(STEP)
    await drive(stop())
  }
  // In the first run, Kerf resolves the node class. In the second run, it finds the nodes that were planted in between.
  await run('first', EARLIER)
  await cloud.plantNodes(client, nodes)
  await run('earlier', EARLIER)
  const start = clock.monotonic()
  await run('kerf', periods.settled + periods.steady)
  await drive(cluster.stop())
  const calls = cloud.calls()
  return {
    ...periodCounts(calls, start, periods),
    writes: calls.filter((call) => call.at >= start && isWrite(call.name)).length,
  }
}
