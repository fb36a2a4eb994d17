import { defaultControllerSettings, Kerf, permissionOptions } from '@kerf/controllers'
import { scheduleInSteps } from '@kerf/engine'
import { generatedTypes, ProxmoxProvider } from '@kerf/provider-proxmox'
import { FakeCluster, FakeProxmox, fakeApi, hypervisor } from '@kerf/provider-proxmox/testing'
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
import { CLUSTER, createPool, FIRST_ID, plantNodes, REGION } from './settled-nodes.ts'

const STEP = 1_000
/** How long a first Kerf runs before the measured run starts, so that the cluster is settled by then. */
const EARLIER = 3 * MINUTE
/** The hypervisors, which have room for a thousand guests. */
const HYPERVISORS = ['pve-1', 'pve-2', 'pve-3'].map((name) =>
  hypervisor(name, { cpus: 2_048, memory: 8_192 * 1024 ** 3 }),
)

/** The requests to Proxmox, by call. */
export interface CallCounts extends PeriodCounts {
  /** Requests that change something, since the start. An idle cluster needs none. */
  readonly writes: number
}

/** Starts Kerf as `kerf run` composes it, with a Proxmox in memory. Returns the function that stops it. */
const startKerf = async (
  client: KubeClient,
  fake: FakeProxmox,
  clock: VirtualClock,
  random: SeededRandom,
): Promise<{ readonly stop: () => Promise<void> }> => {
  // Metrics of thousands of objects cause no requests to the cloud, but take most of the time.
  const settings = { ...defaultControllerSettings, cpuRequests: 2_000, disableClusterStateObservability: true }
  const own = declaredOnly(client, await processPermissions('proxmox'), permissionOptions(settings))
  const log = silentLogger
  const metrics = new PrometheusMetrics()
  const informers = new SharedInformers({ client: own, clock, random: random.fork('informers'), logger: log })
  const events = new ApiEventRecorder({ client: own, clock, random: random.fork('events'), logger: log })
  const context = { client: own, informers, clock, random: random.fork('provider'), events, log }
  const provider = new ProxmoxProvider(context, {
    apis: new Map([[REGION, fakeApi(fake, clock)]]),
    ...{ types: generatedTypes, cluster: CLUSTER, firstId: FIRST_ID, prefersLinked: false },
  })
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
  const fake = new FakeProxmox(new FakeCluster(clock, { nodes: HYPERVISORS }))
  const calls: { readonly name: string; readonly at: number }[] = []
  fake.onCall = (name) => calls.push({ name, at: clock.monotonic() })
  const run = async (name: string, time: number): Promise<void> => {
    const kerf = await drive(startKerf(client, fake, clock, random.fork(name)))
    await pass(time)
    await drive(kerf.stop())
  }
  // The first run resolves the class, and the second finds the nodes.
  await run('first', EARLIER)
  await plantNodes(client, fake.cluster, clock, nodes)
  await run('earlier', EARLIER)
  calls.length = 0
  const start = clock.monotonic()
  await run('kerf', settled + steady)
  await drive(cluster.stop())
  return {
    ...periodCounts(calls, start, { settled, steady }),
    writes: calls.filter(({ name }) => !name.startsWith('GET ')).length,
  }
}
