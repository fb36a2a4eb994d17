import { hostname } from 'node:os'
import { arch, version as nodeVersion } from 'node:process'
import { Kerf, requiredKinds } from '@kerf/controllers'
import { schedule, warmUp } from '@kerf/engine'
import {
  ApiEventRecorder,
  bindAddress,
  type Clock,
  type Connection,
  createLogger,
  explainApiError,
  findConnection,
  type HealthChecks,
  HttpKubeClient,
  keepSmallHeapSmall,
  LeaderElector,
  type Logger,
  leaderIdentity,
  leaseNamespace,
  leaseRequestTimeout,
  type Metrics,
  MetricsAuthorization,
  missingKinds,
  PrometheusMetrics,
  type Random,
  type RunSignals,
  requireKinds,
  SharedInformers,
  SystemClock,
  SystemRandom,
  serveEndpoints,
  shownServer,
  softHeapLimit,
} from '@kerf/runtime'
import { type BuildInfo, buildInfo } from '../build-info.ts'
import { lastResort } from '../process/last-resort.ts'
import { offlineInstanceTypes, providerNamed } from '../providers.ts'
import { legacyStart } from './legacy-start.ts'
import type { StartInput } from './old-settings.ts'
import type { RunSettings } from './run-settings.ts'
import { systemNamespaceOf } from './system-namespace.ts'

type Environment = Readonly<Record<string, string | undefined>>

const READY_CHECK_TIMEOUT = 5_000

/** The process's ambient parts, made once. */
interface Basics {
  readonly clock: Clock
  readonly random: Random
  readonly metrics: Metrics
  readonly log: Logger
  readonly connection: Connection
}

/** Upstream's rule: the heap gets 90 % of the limit; and a small one takes little more than its data. Returns the way to stop. */
const limitMemory = ({ memoryLimit }: RunSettings, clock: Clock): (() => void) => {
  const stops = [keepSmallHeapSmall(clock), ...(memoryLimit > 0 ? [softHeapLimit(clock, memoryLimit * 0.9)] : [])]
  return () => {
    for (const stop of stops) stop()
  }
}

const publishBuildInfo = (metrics: Metrics, { version, commit }: BuildInfo): void => {
  const gauge = metrics.gauge({
    name: 'karpenter_build_info',
    help: 'Always 1; the labels tell what runs.',
    labels: ['version', 'goversion', 'goarch', 'commit'],
  })
  gauge.set(1, { version, goversion: `node ${nodeVersion}`, goarch: arch, commit })
}

const clientOf = (basics: Basics, settings: RunSettings, env: Environment, purpose: 'work' | 'lease') => {
  const { connection, clock, random, log, metrics } = basics
  const common = { connection, clock, random, logger: log, env, userAgent: `karpenter/${buildInfo(env).version}` }
  if (purpose === 'lease') return new HttpKubeClient({ ...common, answerTimeout: leaseRequestTimeout() })
  return new HttpKubeClient({
    ...common,
    metrics,
    rate: { qps: settings.kubeClientQps, burst: settings.kubeClientBurst },
  })
}

/** Runs `lead` under the Lease in `namespace`, or at once when there is none. */
const underLease = async (
  basics: Basics,
  settings: RunSettings,
  env: Environment,
  namespace: string | undefined,
  stop: AbortSignal,
  lead: (signals: RunSignals) => Promise<void>,
): Promise<void> => {
  if (namespace === undefined) return lead({ stop })
  const { clock, random, log, metrics } = basics
  const client = clientOf(basics, settings, env, 'lease')
  const elector = new LeaderElector({
    client,
    clock,
    random,
    logger: log.child('leader-election'),
    metrics,
    lease: { namespace, name: settings.leaderElectionName },
    identity: leaderIdentity(hostname(), random),
  })
  try {
    await elector.run(stop, (abandon) => lead({ stop, abandon }))
  } finally {
    await client.close()
  }
}

/** Turns a failure of the whole connection into an error of the catalogue of errors. */
const explained = async <T>(server: string, call: () => Promise<T>): Promise<T> => {
  try {
    return await call()
  } catch (error) {
    throw explainApiError(error, server) ?? error
  }
}

/**
 * Runs Kerf as a process until `stop`: connects, checks that the cluster has what is needed, serves metrics and health,
 * waits for the Lease, works, and gives everything back. Throws errors of the runtime's catalogue for what a person must
 * put right.
 */
export const runProcess = async (given: RunSettings, { env, flags }: StartInput, stop: AbortSignal): Promise<void> => {
  const build = buildInfo(env)
  const clock = new SystemClock()
  const random = new SystemRandom()
  const metrics = new PrometheusMetrics()
  const log = createLogger({
    clock,
    level: given.logLevel,
    paths: given.logOutputPaths,
    errorPaths: given.logErrorOutputPaths,
    commit: build.commit,
    format: given.logFormat,
    terminal: process.stdout,
  }).child('controller')
  // Until the end: calls that are cut off while the process stops may fail too.
  lastResort(log, metrics)
  publishBuildInfo(metrics, build)
  metrics.collectProcess()
  const connection = findConnection({
    clock,
    env,
    ...(given.kubeconfig === '' ? {} : { kubeconfig: given.kubeconfig }),
    ...(given.context === '' ? {} : { context: given.context }),
  })
  // Wrong usage is reported before the cluster is asked anything.
  const namespace = given.disableLeaderElection ? undefined : leaseNamespace(given, connection)
  const basics: Basics = { clock, random, metrics, log, connection }
  const client = clientOf(basics, given, env, 'work')
  const events = new ApiEventRecorder({ client, clock, random, logger: log })
  const unlimitMemory = limitMemory(given, clock)
  try {
    const { settings, legacy } = await explained(connection.server, () =>
      legacyStart({ client, clock, log, connection }, given, { env, flags }, stop),
    )
    const informers = new SharedInformers({ client, clock, random, logger: log })
    const context = { client, informers, clock, random, events, log }
    const running = await providerNamed(settings.provider).create(settings, context, {
      metrics,
      connection,
      env,
      version: build.version,
      namespace: systemNamespaceOf(settings, connection),
      instanceTypes: offlineInstanceTypes,
    })
    const { provider } = running
    const wanted = requiredKinds({ provider, settings })
    await explained(connection.server, () => requireKinds(client, wanted, { signal: stop }))
    // Makes many cloud calls, so the endpoints do not wait for it. The first plan does.
    const warm = Promise.resolve(running.start?.(stop))
    warm.catch(() => {})
    const ready: HealthChecks = {
      ping: () => undefined,
      caches: informers.check,
      crds: async () => {
        const missing = await missingKinds(client, wanted, { signal: AbortSignal.timeout(READY_CHECK_TIMEOUT) })
        return missing.length === 0 ? undefined : `missing ${missing.join(', ')}`
      },
      ...running.ready,
    }
    const deps = { client, informers, provider, clock, random, metrics, events, log, settings }
    const kerf = new Kerf(deps, { schedule, version: build.version, ...(legacy === undefined ? {} : { legacy }) })
    const endpoints = await serveEndpoints({
      clock,
      logger: log,
      metrics,
      metricsPort: settings.metricsPort,
      healthProbePort: settings.healthProbePort,
      address: bindAddress(settings.bindAddress, env),
      ready,
      answer: (path, signal) => kerf.respond(path, signal),
      ...(settings.metricsAuthorization
        ? { authorization: new MetricsAuthorization({ client, clock, logger: log }) }
        : {}),
      profiling: settings.enableProfiling,
    })
    try {
      if (!settings.disableControllerWarmup) {
        kerf.warmUp(stop)
        // Before this replica leads, and while the first lists are on their way.
        warmUp()
      }
      log.info('starting', { version: build.version, provider: provider.name, server: shownServer(connection.server) })
      await underLease(basics, settings, env, namespace, stop, async (signals) => {
        await warm
        await kerf.run(signals)
      })
      log.info('stopped')
    } finally {
      await endpoints.close()
    }
  } finally {
    await events.close()
    await client.close()
    unlimitMemory()
  }
}
