import { kinds } from '@kerf/apis'
import { defaultControllerSettings, Kerf } from '@kerf/controllers'
import { scheduleInSteps } from '@kerf/engine'
import { clusterApiOver, InformedManagementCluster } from '@kerf/provider-cluster-api'
import { NAMESPACE } from '@kerf/provider-cluster-api/testing'
import {
  LeaderElector,
  leaderIdentity,
  SeededRandom,
  SharedInformers,
  silentLogger,
  silentMetrics,
  VirtualClock,
} from '@kerf/runtime'
import { RecordingEventRecorder } from '@kerf/runtime/testing'
import { type ApiCall, type Interceptor, SandboxApi } from '@kerf/sandbox'
import { MINUTE, type PeriodCounts, periodCounts } from '../../../tests/benchmarks/call-counts.ts'
import { installCrds } from '../../../tests/integration/story/story-cluster.ts'
import { CLUSTER, settledNodes } from './settled-nodes.ts'

const STEP = 1_000
/** How long another Kerf process runs before the measured one, until the clusters have settled. */
const EARLIER = 3 * MINUTE

/** The number of calls to each cluster, by `verb plural`. */
export interface CallCounts {
  readonly workload: PeriodCounts
  readonly management: PeriodCounts
}

interface Call {
  readonly at: number
  readonly name: string
}

/**
 * Counts Kerf's calls to both API servers on an idle cluster with this many nodes, in virtual time. One count covers the first minute after
 * a restart. The other covers a period of length `steady`, which begins `settled` milliseconds after the restart. Both include leader
 * election.
 */
export const measureCalls = async (
  nodes: number,
  { settled, steady }: { readonly settled: number; readonly steady: number },
): Promise<CallCounts> => {
  const clock = new VirtualClock({ turns: 2 })
  const random = new SeededRandom(1)
  const here = new SandboxApi({ clock, random: random.fork('workload') })
  const there = new SandboxApi({ clock, random: random.fork('management') })
  const workload = here.client()
  await installCrds(workload)
  await settledNodes({ clock, random: random.fork('player'), management: there.client(), workload }, nodes)
  const made = { workload: [] as Call[], management: [] as Call[] }
  const counting = (calls: Call[]): Interceptor => ({
    before: (call) => {
      calls.push({ at: clock.monotonic(), name: nameOf(call) })
    },
  })
  const run = (name: string): AbortController => {
    const clients = {
      workload: here.client({ interceptor: counting(made.workload) }),
      management: there.client({ interceptor: counting(made.management) }),
    }
    return startKerf(clients, clock, random.fork(name))
  }
  const pass = async (time: number): Promise<void> => {
    for (let gone = 0; gone < time; gone += STEP) await clock.advance(STEP)
  }
  const earlier = run('earlier')
  await pass(EARLIER)
  earlier.abort(new Error('replaced'))
  await pass(MINUTE)
  const start = clock.monotonic()
  const kerf = run('kerf')
  await pass(settled + steady)
  kerf.abort(new Error('measured'))
  const of = (calls: readonly Call[]): PeriodCounts => periodCounts(calls, start, { settled, steady })
  return { workload: of(made.workload), management: of(made.management) }
}

const nameOf = ({ verb, kind, path, subresource }: ApiCall): string => {
  const resource = kind?.plural ?? (path?.startsWith('/apis') === true ? 'discovery' : 'others')
  return `${verb === 'raw' ? 'get' : verb} ${resource}${subresource === undefined ? '' : `/${subresource}`}`
}

interface Clients {
  readonly workload: ReturnType<SandboxApi['client']>
  readonly management: ReturnType<SandboxApi['client']>
}

/** Starts a Kerf that is elected leader. Returns an AbortController that stops it. */
const startKerf = (clients: Clients, clock: VirtualClock, random: SeededRandom): AbortController => {
  const stop = new AbortController()
  const { workload: client } = clients
  const [logger, events] = [silentLogger, new RecordingEventRecorder()]
  const informers = new SharedInformers({ client, clock, random, logger })
  const context = { client, informers, clock, random, events, log: logger }
  const management = new InformedManagementCluster({
    ...{ clock, random, log: logger, client: clients.management, origin: 'the bench' },
    nodes: informers.of(kinds.Node),
    cluster: { namespace: NAMESPACE, name: CLUSTER },
  })
  const settings = { ...defaultControllerSettings, disableClusterStateObservability: true }
  const { provider, start } = clusterApiOver(
    management,
    { clusterApiTemplateDrift: true, featureGates: settings.featureGates },
    context,
    { metrics: silentMetrics, aliases: [] },
  )
  const kerf = new Kerf({ ...context, provider, metrics: silentMetrics, settings }, { schedule: scheduleInSteps })
  const elector = new LeaderElector({
    ...{ client, clock, random, logger, metrics: silentMetrics },
    lease: { namespace: 'kube-system', name: 'karpenter-leader-election' },
    identity: leaderIdentity('kerf', random),
  })
  const lead = async (): Promise<void> => {
    await start?.(stop.signal)
    await kerf.run({ stop: stop.signal, abandon: stop.signal })
  }
  void elector.run(stop.signal, lead).catch(() => {})
  return stop
}
