import { type KubeObject, karpenterKinds, kinds, noVocabulary } from '@kerf/apis'
import { defaultControllerSettings, Kerf } from '@kerf/controllers'
import { scheduleInSteps } from '@kerf/engine'
import { KwokProvider, loadInstanceTypes } from '@kerf/provider-kwok'
import {
  ApiEventRecorder,
  type KubeClient,
  type Logger,
  PrometheusMetrics,
  SeededRandom,
  SharedInformers,
  silentLogger,
  VirtualClock,
} from '@kerf/runtime'
import { SandboxCluster } from '@kerf/sandbox'
import { allCrdFiles } from '../../../packages/cli/src/crds/crd-files.ts'
import type { BenchCluster, Running } from './bench-cluster.ts'
import { Observer } from './observer.ts'
import { Timeline } from './timeline.ts'
import { type WorkloadChoice, wantedObjects } from './workload.ts'

const STEP = 100

/** Options for starting Kerf, for example without letting it act. */
interface StartOptions {
  readonly observe?: boolean
  readonly client?: KubeClient
}

/** Opens a sandbox with a virtual clock in which only Kerf runs. A run takes seconds, and the same seed gives the same result. */
export const openSandboxCluster = async (
  choice: WorkloadChoice,
  seed: number,
  logger: Logger = silentLogger,
): Promise<BenchCluster & { readonly api: SandboxCluster['api']; startKerf(options?: StartOptions): Running }> => {
  const clock = new VirtualClock()
  const random = new SeededRandom(seed)
  const sandbox = new SandboxCluster({ clock, random: random.fork('cluster') })
  const drive = <T>(action: Promise<T>): Promise<T> => clock.advanceUntilDone(action, STEP)
  await drive(sandbox.start())
  const { client } = sandbox
  for (const { manifest } of allCrdFiles()) {
    const crd = manifest as unknown as KubeObject & { spec: Readonly<Record<string, unknown>> }
    await client.create(kinds.CustomResourceDefinition, crd)
  }
  for (const { kind, object } of wantedObjects(choice)) await client.create(kind, object)

  const stop = new AbortController()
  const informers = new SharedInformers({ client, clock, random: random.fork('bench'), logger: silentLogger })
  const observer = new Observer(informers, clock)
  const timeline = new Timeline(informers, clock)
  informers.start(stop.signal)
  await drive(informers.of(karpenterKinds.NodeClaim).synced(stop.signal))

  const instanceTypes = await loadInstanceTypes()
  const startKerf = ({ observe = false, client: given = sandbox.api.client() }: StartOptions = {}): Running => {
    const deps = { client: given, clock, random: random.fork(observe ? 'observer' : 'kerf'), log: logger }
    const ownInformers = new SharedInformers({ ...deps, logger })
    const events = new ApiEventRecorder({ ...deps, logger, ...(observe ? { component: 'kerf-observe' } : {}) })
    const context = { ...deps, informers: ownInformers, events }
    const provider = new KwokProvider(context, {
      instanceTypes,
      labels: noVocabulary,
      settings: { simulateKubelet: false },
    })
    const settings = { ...defaultControllerSettings, cpuRequests: 2_000, observe }
    const kerf = new Kerf(
      { ...context, provider, settings, metrics: new PrometheusMetrics() },
      { schedule: scheduleInSteps },
    )
    const end = new AbortController()
    const before = process.cpuUsage()
    const running = kerf.run({ stop: end.signal })
    return {
      hasEnded: false,
      used: async () => {
        const { user, system } = process.cpuUsage(before)
        return { cpuSeconds: (user + system) / 1e6, peakMebibytes: process.resourceUsage().maxRSS / 1024 }
      },
      stop: async () => {
        end.abort()
        await drive(running)
        await drive(events.close())
      },
    }
  }
  return {
    client,
    api: sandbox.api,
    observer,
    timeline,
    clock,
    writes: () => ({}),
    pass: (milliseconds) => clock.advance(milliseconds),
    startKerf,
    close: async () => {
      stop.abort()
      await drive(sandbox.stop())
    },
  }
}
