import { defaultControllerSettings, Kerf, permissionOptions } from '@kerf/controllers'
import { scheduleInSteps } from '@kerf/engine'
import { type AzureSettings, assembleAzure } from '@kerf/provider-azure'
import { azureTestSettings, FakeAzure, fakeAzureApi, machineTestEnv } from '@kerf/provider-azure/testing'
import { HttpClient } from '@kerf/provider-kit'
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
/** How long another Kerf process runs before the measured one, until the cluster has settled. */
const EARLIER = 3 * MINUTE
const never = new AbortController().signal

/** The kinds of machines behind nodes: VMs that Kerf creates, or machines of an AKS pool. */
export const NODE_KINDS = ['vms', 'machines'] as const
export type NodeKind = (typeof NODE_KINDS)[number]

/** The number of requests to Azure, by operation. */
export interface CallCounts extends PeriodCounts {
  /** The number of requests since the start that change resources. An idle cluster needs none. */
  readonly writes: number
}

/** Starts Kerf as `kerf run` composes it, with an in-memory Azure. Returns the function that stops it. */
const startKerf = async (
  client: KubeClient,
  { azure, azureSettings }: { readonly azure: FakeAzure; readonly azureSettings: AzureSettings },
  random: SeededRandom,
): Promise<{ readonly stop: () => Promise<void> }> => {
  const { clock } = azure
  // Object metrics cause no requests to Azure, but with thousands of objects they would dominate the run time.
  const settings = { ...defaultControllerSettings, cpuRequests: 2_000, disableClusterStateObservability: true }
  const own = declaredOnly(client, await processPermissions('azure'), permissionOptions(settings))
  const log = silentLogger
  const metrics = new PrometheusMetrics()
  const informers = new SharedInformers({ client: own, clock, random: random.fork('informers'), logger: log })
  const events = new ApiEventRecorder({ client: own, clock, random: random.fork('events'), logger: log })
  const context = { client: own, informers, clock, random: random.fork('provider'), events, log }
  const provider = assembleAzure(context, {
    ...{ api: fakeAzureApi(azure), metrics, settings: azureSettings, caBundle: 'Q0E=', namespace: 'kube-system' },
    hasBilling: true,
    priceHttp: new HttpClient({ send: azure.send, clock, random: random.fork('prices') }),
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
 * Counts Kerf's requests to Azure on an idle cluster with this many nodes, in virtual time. One count covers the first minute after a
 * restart. The other covers a period of length `steady`, which begins `settled` milliseconds after the restart.
 */
export const measureCalls = async (
  nodes: number,
  { settled, steady, kind }: { readonly settled: number; readonly steady: number; readonly kind: NodeKind },
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
  const azure = new FakeAzure(clock)
  const azureSettings = azureTestSettings(kind === 'machines' ? machineTestEnv : {})
  const run = async (name: string, time: number): Promise<void> => {
    const kerf = await drive(startKerf(client, { azure, azureSettings }, random.fork(name)))
    await pass(time)
    await drive(kerf.stop())
  }
  // The first run resolves the node class, and the second finds the nodes.
  await run('first', EARLIER)
  await plantNodes(client, { azure, settings: azureSettings }, clock, nodes)
  await run('earlier', EARLIER)
  azure.requests.length = 0
  const start = clock.monotonic()
  await run('kerf', settled + steady)
  await drive(cluster.stop())
  return {
    ...periodCounts(azure.requests, start, { settled, steady }),
    writes: azure.requests.filter(({ name }) => /_(CreateOrUpdate|Update|UpdateTags|Delete|DeleteMachines)$/.test(name))
      .length,
  }
}
