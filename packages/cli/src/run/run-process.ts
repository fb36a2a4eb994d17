import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import { Kerf, requiredKinds } from '@kerf/controllers'
import { scheduleInSteps, warmUp } from '@kerf/engine'
import {
  bindAddress,
  type Clock,
  explainApiError,
  type HealthChecks,
  isRefusal,
  keepSmallHeapSmall,
  LEASE_MODE,
  LEASE_PROVIDER,
  LeaderElector,
  leaderIdentity,
  leaseNamespace,
  MetricsAuthorization,
  missingKinds,
  OtherLeases,
  type RunSignals,
  requireKinds,
  retrying,
  SharedInformers,
  serveEndpoints,
  shownServer,
  softHeapLimit,
  watchEventLoop,
} from '@kerf/runtime'
import { buildInfo } from '../build-info.ts'
import { nodeGroupLabels } from '../node-group-labels.ts'
import { offlineInstanceTypes, providerNamed } from '../providers.ts'
import { labelAliases } from '../vocabulary.ts'
import { type LegacyStart, legacyStart } from './legacy-start.ts'
import type { StartInput } from './old-settings.ts'
import type { RunSettings } from './run-settings.ts'
import { resolveSystemNamespace } from './system-namespace.ts'
import { type Basics, createClient, type Environment, leaseName, openWorkspace, type Workspace } from './workspace.ts'

const READY_CHECK_TIMEOUT = 5_000

/**
 * Limits the heap to 90 % of the memory limit, as Karpenter does, and keeps a small heap close to the size of its data. Returns a function
 * that ends both measures.
 */
const limitMemory = ({ memoryLimit }: RunSettings, clock: Clock): (() => void) => {
  const stops = [keepSmallHeapSmall(clock), ...(memoryLimit > 0 ? [softHeapLimit(clock, memoryLimit * 0.9)] : [])]
  return () => {
    for (const stop of stops) stop()
  }
}

/** Runs `lead` while the process holds the Lease in `namespace`. Without a namespace, runs it immediately. */
const underLease = async (
  basics: Basics,
  settings: RunSettings,
  env: Environment,
  namespace: string | undefined,
  stop: AbortSignal,
  lead: (signals: RunSignals) => Promise<void>,
): Promise<void> => {
  if (namespace === undefined) return lead({ stop })
  const { clock, random, log, metrics, gate } = basics
  const client = createClient(basics, settings, env, 'lease')
  const annotations = { [LEASE_PROVIDER]: settings.provider, ...(settings.observe ? { [LEASE_MODE]: 'observe' } : {}) }
  const elector = new LeaderElector({
    client,
    clock,
    random,
    logger: log.child('leader-election'),
    metrics,
    lease: { namespace, name: leaseName(settings), annotations },
    identity: leaderIdentity(hostname(), random),
    ...(gate === undefined ? {} : { gate }),
  })
  try {
    await elector.run(stop, (abandon) => lead({ stop, abandon }))
  } finally {
    await client.close()
  }
}

/**
 * Warns about other controllers in the cluster until `stop` is aborted. Does nothing in observe mode, because Kerf then launches no nodes
 * and other controllers are expected.
 */
const lookForOthers = (
  { client, clock, log, metrics }: Workspace,
  settings: RunSettings,
  namespace: string | undefined,
  stop: AbortSignal,
): Promise<void> => {
  if (settings.observe) return Promise.resolve()
  const own = namespace === undefined ? {} : { own: { namespace, name: leaseName(settings) } }
  const { provider } = settings
  return new OtherLeases({ client, clock, logger: log.child('leader-election'), metrics, provider, ...own }).run(stop)
}

/**
 * For some seconds after its start, an API server refuses every request, because it has not loaded its RBAC roles yet. The retries take
 * half a minute in total.
 */
const REFUSED_AT_START = { base: 500, max: 2_000, attempts: 16, when: isRefusal }

/**
 * Converts connection failures into errors of the error catalogue. Retries refused requests for half a minute, because an API server that
 * is starting refuses every request.
 */
const explained = async <T>(
  { clock, log }: Pick<Basics, 'clock' | 'log'>,
  signal: AbortSignal,
  call: () => Promise<T>,
): Promise<T> => {
  try {
    return await retrying({ clock, signal }, REFUSED_AT_START, async (attempt) => {
      try {
        return await call()
      } catch (error) {
        if (attempt === 1 && isRefusal(error))
          log.warn('the API server rejects requests of Kerf at startup, retrying', { error })
        throw error
      }
    })
  } catch (error) {
    throw explainApiError(error) ?? error
  }
}

/** The controllers and their provider before they start. */
interface Assembled {
  readonly kerf: Kerf
  readonly providerName: string
  readonly ready: HealthChecks
  /**
   * Resolves when the provider has loaded the data that it needs for plans. Loading takes many cloud calls. Kerf starts without waiting for
   * it, and only the first plan waits.
   */
  readonly warm: Promise<void>
}

/** Creates the provider, checks that the cluster serves every required kind, and creates the controllers. */
const assemble = async (
  workspace: Workspace,
  { settings, legacy }: LegacyStart,
  stop: AbortSignal,
): Promise<Assembled> => {
  const { client, clock, random, metrics, log, connection, events, env, build, gate } = workspace
  const informers = new SharedInformers({ client, clock, random, logger: log, metrics })
  const context = { client, informers, clock, random, events, log }
  const running = await providerNamed(settings.provider).create(settings, context, {
    metrics,
    connection,
    env,
    version: build.version,
    namespace: resolveSystemNamespace(settings, connection),
    aliases: labelAliases,
    instanceTypes: offlineInstanceTypes,
    gate,
  })
  const { provider } = running
  const wanted = requiredKinds({ provider, settings }, legacy)
  await explained(workspace, stop, () => requireKinds(client, wanted, { signal: stop }))
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
  const deps = { client, informers, provider, clock, random, metrics, events, log, settings, nodeGroupLabels }
  const kerf = new Kerf(deps, {
    schedule: scheduleInSteps,
    version: build.version,
    rehearses: true,
    pause: () => setImmediate(),
    readFile: (path) => readFile(path, 'utf8'),
    namespace: resolveSystemNamespace(settings, connection),
    ...(legacy === undefined ? {} : { legacy }),
  })
  return { kerf, providerName: provider.name, ready, warm }
}

/** Serves metrics, health and `/kerf/v1` until it is closed. */
const openEndpoints = ({ client, clock, log, metrics, env }: Workspace, settings: RunSettings, assembled: Assembled) =>
  serveEndpoints({
    clock,
    logger: log,
    metrics,
    metricsPort: settings.metricsPort,
    healthProbePort: settings.healthProbePort,
    address: bindAddress(settings.bindAddress, env),
    ready: assembled.ready,
    answer: (path, signal) => assembled.kerf.respond(path, signal),
    ...(settings.metricsAuthorization
      ? { authorization: new MetricsAuthorization({ client, clock, logger: log }) }
      : {}),
    profiling: settings.enableProfiling,
  })

/**
 * Runs Kerf as a process until `stop` is aborted: connects, checks the cluster, serves metrics and health, waits for the Lease, runs the
 * controllers, and closes everything.
 * @throws an error of the runtime's error catalogue if the user must fix something
 */
export const runProcess = async (given: RunSettings, { env, flags }: StartInput, stop: AbortSignal): Promise<void> => {
  const workspace = openWorkspace(given, env, buildInfo(env))
  const { client, clock, log, metrics, connection, events, build } = workspace
  const unlimitMemory = limitMemory(given, clock)
  const unwatch = watchEventLoop(metrics, clock)
  try {
    // Find usage errors before the first request to the cluster.
    const namespace = given.disableLeaderElection ? undefined : leaseNamespace(given, connection)
    const start = await explained(workspace, stop, () =>
      legacyStart({ client, clock, log, connection }, given, { env, flags }, stop),
    )
    const { settings } = start
    const assembled = await assemble(workspace, start, stop)
    const { kerf, providerName, warm } = assembled
    const endpoints = await openEndpoints(workspace, settings, assembled)
    try {
      if (!settings.disableControllerWarmup) {
        kerf.warmUp(stop)
        // Warm up while the first lists are read, before this replica becomes the leader.
        warmUp()
      }
      log.info('starting', { version: build.version, provider: providerName, server: shownServer(connection.server) })
      const others = new AbortController()
      const looking = lookForOthers(workspace, settings, namespace, AbortSignal.any([stop, others.signal]))
      try {
        await underLease(workspace, settings, env, namespace, stop, async (signals) => {
          await warm
          await kerf.run(signals)
        })
      } finally {
        others.abort()
        await looking
      }
      log.info('stopped')
    } finally {
      await endpoints.close()
    }
  } finally {
    await events.close()
    await client.close()
    unlimitMemory()
    unwatch()
  }
}
