import { arch, version as nodeVersion } from 'node:process'
import {
  ApiEventRecorder,
  type Connection,
  createLogger,
  defineMetrics,
  findConnection,
  HttpKubeClient,
  LeaseGate,
  type Logger,
  leaseRequestTimeout,
  type Metrics,
  OBSERVER_LEASE,
  PrometheusMetrics,
  type Random,
  ServerClock,
  SystemClock,
  SystemRandom,
} from '@kerf/runtime'
import { type BuildInfo, buildInfo } from '../build-info.ts'
import { lastResort } from '../process/last-resort.ts'
import { type RunSettings, runSettings } from './run-settings.ts'

/** The name of observe mode's Lease, which is also the source of its Events. */
export const OBSERVER = OBSERVER_LEASE

export type Environment = Readonly<Record<string, string | undefined>>

/** The objects that the process creates once: clock, log, metrics and connection. */
export interface Basics {
  /** A clock that follows the API server's time. */
  readonly clock: ServerClock
  readonly random: Random
  readonly metrics: Metrics
  readonly log: Logger
  readonly connection: Connection
  /** Stops all writes when the Lease has expired. Absent without leader election. */
  readonly gate?: LeaseGate
}

export const buildMetrics = defineMetrics({
  info: {
    name: 'karpenter_build_info',
    type: 'gauge',
    help: 'Always 1; the labels say what is running.',
    labels: ['version', 'goversion', 'goarch', 'commit'],
  },
})

const publishBuildInfo = (metrics: Metrics, { version, commit }: BuildInfo): void => {
  buildMetrics.register(metrics).info.set(1, { version, goversion: `node ${nodeVersion}`, goarch: arch, commit })
}

/** Returns the name of the Lease. Observe mode uses a separate Lease, because it runs at the same time as the active controller. */
export const leaseName = ({ observe, leaderElectionName }: RunSettings): string =>
  observe && leaderElectionName === runSettings.leaderElectionName.default ? OBSERVER : leaderElectionName

/** Returns a client for one purpose. The client for the Lease has no rate limit and a short timeout. */
export const createClient = (basics: Basics, settings: RunSettings, env: Environment, purpose: 'work' | 'lease') => {
  const { connection, clock, random, log, metrics, gate } = basics
  const userAgent = `karpenter/${buildInfo(env).version}`
  const common = { connection, clock, random, logger: log, env, userAgent, serverTime: clock }
  if (purpose === 'lease')
    // Uses HTTP/1.1, so that a request that got no response is retried on a new connection.
    return new HttpKubeClient({ ...common, answerTimeout: leaseRequestTimeout(), http1Only: true })
  return new HttpKubeClient({
    ...common,
    metrics,
    ...(gate === undefined ? {} : { gate }),
    rate: { qps: settings.kubeClientQps, burst: settings.kubeClientBurst },
  })
}

/** Creates the clock, the log and the connection of the process. */
const openBasics = (given: RunSettings, env: Environment, build: BuildInfo): Basics => {
  const system = new SystemClock()
  const metrics = new PrometheusMetrics()
  const log = createLogger({
    clock: system,
    level: given.logLevel,
    paths: given.logOutputPaths,
    errorPaths: given.logErrorOutputPaths,
    commit: build.commit,
    format: given.logFormat,
    terminal: process.stdout,
  }).child('controller')
  // The handler is never removed, because requests that the shutdown cuts off may also fail unexpectedly.
  lastResort(log, metrics)
  publishBuildInfo(metrics, build)
  metrics.collectProcess()
  const clock = new ServerClock(system, { logger: log.child('clock'), metrics })
  // A token expires by the clock of the machine that requested it. So the connection uses the system clock, not the API server's time.
  const connection = findConnection({
    clock: system,
    env,
    ...(given.kubeconfig === '' ? {} : { kubeconfig: given.kubeconfig }),
    ...(given.context === '' ? {} : { context: given.context }),
  })
  const gate = given.disableLeaderElection ? {} : { gate: new LeaseGate(clock, metrics, leaseName(given)) }
  return { clock, random: new SystemRandom(), metrics, log, connection, ...gate }
}

/** The deps of the controllers: the basics, a client and an event recorder. The process closes the workspace before it exits. */
export interface Workspace extends Basics {
  readonly client: HttpKubeClient
  readonly events: ApiEventRecorder
  readonly env: Environment
  readonly build: BuildInfo
}

/** Finds the cluster and creates the log, metrics, client and event recorder. Sends no request to the cluster. */
export const openWorkspace = (given: RunSettings, env: Environment, build: BuildInfo): Workspace => {
  const basics = openBasics(given, env, build)
  const client = createClient(basics, given, env, 'work')
  const { clock, random, log, metrics } = basics
  const component = given.observe ? { component: OBSERVER } : {}
  const events = new ApiEventRecorder({ client, clock, random, logger: log, metrics, ...component })
  return { ...basics, client, events, env, build }
}
