import type { Output } from '@kerf/provider-contract'
import { CliError, UsageError } from '@kerf/provider-kit/command-line'
import { type Clock, createLogger, type Logger, SystemClock, sleep } from '@kerf/runtime'
import { buildInfo } from '../build-info.ts'
import { shutGate } from '../cluster/gated-objects.ts'
import { openTypes } from '../cluster/instance-types.ts'
import { foreignPricesNote, type OpenedTypes } from '../cluster/opened-types.ts'
import type { Manifest } from '../manifests/manifest.ts'
import { lastResort } from '../process/last-resort.ts'
import { stopSignals } from '../process/stop-signals.ts'
import { type KeyInput, listenToKeys } from '../terminal/keys.ts'
import { vocabularyFor } from '../vocabulary.ts'
import { type ClusterView, toUpResult } from './cluster-view.ts'
import { EventsLog } from './events-log.ts'
import type { OpenCluster, OpenOptions } from './open-cluster.ts'
import { Session } from './session.ts'
import { SettleWatch } from './settle-watch.ts'
import { standInsFor, typesForManifests } from './stand-ins.ts'
import { UpDashboard } from './up-dashboard.ts'
import { checkManifests, manifestNamespaces, manifestsFor, type UpManifests } from './up-manifests.ts'
import type { UpOptions } from './up-options.ts'
import { UpScreen } from './up-screen.ts'

/**
 * How long the cluster must be quiet before it counts as settled, in milliseconds. It is longer than a batching window, which passes
 * between a pod's refusal and Kerf's decision.
 */
const SETTLE_HOLD = 2_500
const FRAME = 100
const PODS_LEFT = 3
/** If a node becomes consolidatable only later than this many milliseconds from now, the cluster already counts as settled. */
const CONSOLIDATION_HORIZON = 600_000

interface Streams {
  /** Delivers key presses while the live screen is shown. */
  readonly stdin: KeyInput
  readonly stdout: Output
  readonly stderr: Output
  readonly env: Readonly<Record<string, string | undefined>>
}

const openCluster = async (
  options: UpOptions,
  env: Streams['env'],
  progress: OpenOptions['progress'],
): Promise<OpenCluster> => {
  if (options.speed !== 1 && options.cluster !== 'sandbox')
    throw new UsageError(
      `--speed changes the sandbox's clock; --cluster ${options.cluster} uses real time: use only one of them`,
    )
  const { port, speed, seed, kubeconfig, context } = options
  const open: OpenOptions = {
    ...{ port, speed, seed, env, progress },
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
    ...(context === undefined ? {} : { context }),
  }
  switch (options.cluster) {
    case 'sandbox':
      return (await import('./open-sandbox.ts')).openSandbox(open)
    case 'local':
      return (await import('./open-local.ts')).openLocal(open)
    case 'kubeconfig':
      return (await import('./open-kubeconfig.ts')).openKubeconfig(open)
  }
}

const consoleLogger = ({ logLevel: level }: UpOptions, clock: Clock, terminal: Output): Logger =>
  createLogger({ clock, level, paths: ['stderr'], format: 'console', terminal })

/** Returns notes about objects that have no effect, and about the source of the prices. */
const notesOn = (manifests: readonly Manifest[], options: UpOptions, opened: OpenedTypes): readonly string[] =>
  [
    ...manifests.map(({ object }) => shutGate(object, options.featureGates)),
    opened.regionNote,
    foreignPricesNote(opened) ?? opened.priceNote,
  ].filter((note) => note !== undefined)

const notSettled = ({ timeout }: UpOptions, view: ClusterView | undefined): CliError =>
  new CliError(
    `not settled after ${timeout} s: ${view?.pods.pending ?? 0} pods pending, ${view?.claims.length ?? 0} claims; watch it with --headless, or allow more time with --timeout`,
  )

/** Returns the namespaces to create in a disposable cluster. Throws CliError if an existing cluster lacks namespaces. */
const addedNamespaces = async (
  session: Session,
  cluster: OpenCluster,
  manifests: readonly Manifest[],
  signal: AbortSignal,
): Promise<readonly Manifest[]> => {
  const missing = await session.missingNamespaces(manifestNamespaces(manifests), signal)
  const [first] = missing
  if (first === undefined) return []
  if (!cluster.disposable)
    throw new CliError(
      `the cluster has no namespace ${missing.join(', ')}, which the manifests need; create it with: kubectl create namespace ${first}`,
    )
  return missing.map((name) => ({
    object: { apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
    file: '(needed)',
    line: 1,
  }))
}

/** Prepares the cluster, starts Kerf in it and applies the manifests. */
const startSession = async (
  session: Session,
  cluster: OpenCluster,
  { manifests, notes }: UpManifests,
  log: (line: string) => void,
  isStrict: boolean,
  signal: AbortSignal,
): Promise<void> => {
  await session.prepare(signal)
  session.start()
  const namespaces = await addedNamespaces(session, cluster, manifests, signal)
  const leftOut: string[] = []
  const print = isStrict ? undefined : (line: string): unknown => leftOut.push(line)
  const count = await session.apply([...namespaces, ...manifests], signal, print)
  for (const note of [...notes, ...leftOut]) log(note)
  if (namespaces.length > 0)
    log(
      `created the namespaces that the manifests need: ${namespaces.map(({ object }) => object.metadata.name).join(', ')}`,
    )
  log(`applied ${count} ${count === 1 ? 'object' : 'objects'}`)
}

const openDashboard = (
  { context }: UpOptions,
  { kubeconfig }: OpenCluster,
  controller: Session,
  { env, logger, screen }: { readonly env: Streams['env']; readonly logger: Logger; readonly screen: UpScreen },
): UpDashboard =>
  new UpDashboard({
    kubeconfig,
    ...(context === undefined ? {} : { context }),
    env,
    controller,
    logger,
    note: (line) => screen.dashboard(line),
  })

/**
 * Runs `kerf up` and returns its exit code: 0, or 3 if `--until-settled` is set and pods have no node.
 * @throws CliError if `--until-settled` timed out
 */
export const runUp = async (given: UpOptions, streams: Streams): Promise<number> => {
  const { stdout, stderr, env } = streams
  const wall = new SystemClock()
  const stop = stopSignals()
  const isLive = !given.headless && given.output === 'text' && stdout.isTTY === true
  // With JSON on standard output, everything for people goes to standard error.
  const people = given.output === 'json' ? stderr : stdout
  const screen = new UpScreen({ isLive, out: people, env })
  const read = await manifestsFor(given)
  const objects = read.manifests.map(({ object }) => object)
  const options = typesForManifests(given, objects)
  const opened = await openTypes(options, objects)
  const loaded = checkManifests(read, opened.types, given.validate)
  const isDisposable = options.cluster !== 'kubeconfig'
  const { standIns, notes } = standInsFor(opened, objects, { isDisposable })
  const cluster = await openCluster(options, env, (line) => screen.progress(line))
  let session: Session | undefined
  let dashboard: UpDashboard | undefined
  let restore = (): void => {}
  let stopKeys = (): void => {}
  try {
    const began = cluster.clock.now()
    const seconds = (): number => (cluster.clock.now() - began) / 1000
    const log = new EventsLog((line) => screen.line(line))
    const logger = consoleLogger(options, cluster.clock, isLive ? screen.logSink : stderr)
    restore = lastResort(logger)
    const { featureGates } = options
    session = new Session({
      cluster,
      logger,
      instanceTypes: opened.types,
      labels: vocabularyFor(objects, opened.types).added,
      featureGates,
      standIns,
      version: buildInfo(env).version,
      onDecision: (line) => log.add(seconds(), line),
    })
    const print = (line: string): void => log.add(seconds(), line)
    await startSession(session, cluster, loaded, print, given.validate === 'strict', stop.signal)
    for (const note of [...notes, ...notesOn(loaded.manifests, options, opened)]) print(note)
    screen.begin({
      title: `Kerf · ${cluster.name}`,
      kubeconfig: cluster.kubeconfig,
      endsBySignal: !options.untilSettled,
      hasKeys: isLive && streams.stdin.isTTY === true,
    })
    if (isLive) {
      stopKeys = listenToKeys(streams.stdin, (key) => {
        if (key === '?') screen.toggleHelp()
        if (key === 'q') stop.stop()
      })
    }
    if (options.dashboard ?? (isLive && !options.untilSettled))
      dashboard = openDashboard(options, cluster, session, { env, logger, screen })
    const { untilSettled, timeout } = options
    const watched = { session, cluster, log, screen, wall, seconds, untilSettled, timeout, signal: stop.signal }
    const view = await watch(watched)
    screen.end()
    if (options.output === 'json' && view !== undefined) stdout.write(`${JSON.stringify(toUpResult(view), null, 2)}\n`)
    if (options.untilSettled && view?.settled !== true && !stop.signal.aborted) {
      throw notSettled(options, view)
    }
    return options.untilSettled && (view?.pods.pending ?? 0) > 0 && !stop.signal.aborted ? PODS_LEFT : 0
  } catch (error) {
    screen.end()
    if (stop.signal.aborted) return 0
    throw error
  } finally {
    stopKeys()
    await dashboard?.stop()
    await session?.stop()
    await cluster.close()
    // Keep the signal handler until here. Without it, a second Ctrl-C would end the process before the kubeconfig is deleted.
    stop.dispose()
    restore()
  }
}

interface Watching {
  readonly session: Session
  readonly cluster: OpenCluster
  readonly log: EventsLog
  readonly screen: UpScreen
  readonly wall: Clock
  readonly seconds: () => number
  readonly untilSettled: boolean
  readonly timeout: number
  readonly signal: AbortSignal
}

/**
 * Draws the cluster ten times a second. Ends when the user stops it, when the time is up, or, if requested, when the cluster has settled.
 */
const watch = async (watching: Watching): Promise<ClusterView | undefined> => {
  const { session, cluster, log, screen, wall, seconds, signal } = watching
  const settle = new SettleWatch(SETTLE_HOLD)
  let view: ClusterView | undefined
  while (!signal.aborted) {
    const { quiet, ...looked } = session.look()
    const wait = quiet ? await session.consolidatesWithin(CONSOLIDATION_HORIZON, signal).catch(() => 0) : undefined
    view = {
      ...looked,
      seconds: Number(seconds().toFixed(1)),
      settled: settle.look(quiet && wait === undefined, cluster.clock.now()),
      ...(wait === undefined ? {} : { consolidatesIn: Math.ceil(wait / 1000) }),
    }
    log.look(view)
    screen.draw(view, log.lines)
    if (watching.untilSettled && (view.settled || view.seconds >= watching.timeout)) break
    await sleep(wall, FRAME, signal).catch(() => {})
  }
  return view
}
