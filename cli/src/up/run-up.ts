import { type Clock, createLogger, SystemClock, sleep } from '@kerf/runtime'
import { buildInfo } from '../build-info.ts'
import { CliError, UsageError } from '../cli-error.ts'
import { shutGate } from '../cluster/gated-objects.ts'
import { openInstanceTypes, priceNote } from '../cluster/instance-types.ts'
import { lastResort } from '../process/last-resort.ts'
import { stopSignals } from '../process/stop-signals.ts'
import type { Output } from '../terminal/output.ts'
import { type ClusterView, resultOf } from './cluster-view.ts'
import { EventsLog } from './events-log.ts'
import type { OpenCluster, OpenOptions } from './open-cluster.ts'
import { manifestsFor } from './quickstart.ts'
import { Session } from './session.ts'
import { SettleWatch } from './settle-watch.ts'
import { UpDashboard } from './up-dashboard.ts'
import type { UpOptions } from './up-options.ts'
import { UpScreen } from './up-screen.ts'

/** Longer than a batching window, so that the pause between a pod's refusal and Kerf's decision does not count as settled. */
const SETTLE_HOLD = 2_500
const FRAME = 100

const openCluster = async (options: UpOptions, open: OpenOptions): Promise<OpenCluster> => {
  if (options.speed !== 1 && options.cluster !== 'sandbox')
    throw new UsageError(
      `--speed changes the sandbox's clock; --cluster ${options.cluster} runs on real time: leave one of the two out`,
    )
  switch (options.cluster) {
    case 'sandbox':
      return (await import('./open-sandbox.ts')).openSandbox(open)
    case 'local':
      return (await import('./open-local.ts')).openLocal(open)
    case 'kubeconfig':
      return (await import('./open-kubeconfig.ts')).openKubeconfig(open)
  }
}

interface Streams {
  readonly stdout: Output
  readonly stderr: Output
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Runs `kerf up` and returns its exit code: 0, or 1 when `--until-settled` timed out. */
export const runUp = async (options: UpOptions, streams: Streams): Promise<number> => {
  const { stdout, stderr, env } = streams
  const wall = new SystemClock()
  const stop = stopSignals()
  const isLive = !options.headless && options.output === 'text' && stdout.isTTY === true
  // With JSON on standard output, everything for people goes to standard error.
  const people = options.output === 'json' ? stderr : stdout
  const screen = new UpScreen({ isLive, out: people, env })
  const { manifests, addedPool } = await manifestsFor(options.filename)
  const catalogue = await openInstanceTypes(options)
  const cluster = await openCluster(options, {
    port: options.port,
    speed: options.speed,
    seed: options.seed,
    env,
    progress: (line) => screen.progress(line),
    ...(options.kubeconfig === undefined ? {} : { kubeconfig: options.kubeconfig }),
    ...(options.context === undefined ? {} : { context: options.context }),
  })
  let session: Session | undefined
  let dashboard: UpDashboard | undefined
  let rest = (): void => {}
  try {
    const began = cluster.clock.now()
    const seconds = (): number => (cluster.clock.now() - began) / 1000
    const log = new EventsLog((line) => screen.line(line))
    const logger = createLogger({
      clock: cluster.clock,
      level: options.logLevel,
      paths: ['stderr'],
      format: 'console',
      terminal: isLive ? screen.logSink : stderr,
    })
    rest = lastResort(logger)
    const { featureGates } = options
    session = new Session({
      cluster,
      logger,
      catalogue,
      featureGates,
      version: buildInfo(env).version,
      onDecision: (line) => log.add(seconds(), line),
    })
    await session.prepare(stop.signal)
    session.start()
    const count = await session.apply(manifests, stop.signal)
    if (addedPool) log.add(seconds(), 'the manifests bring no NodePool: the quickstart’s is used')
    log.add(seconds(), `applied ${count} objects`)
    for (const { object } of manifests) {
      const shut = shutGate(object, featureGates)
      if (shut !== undefined) log.add(seconds(), shut)
    }
    const note = priceNote(options)
    if (note !== undefined) log.add(seconds(), note)
    screen.begin({
      title: `Kerf · ${cluster.name}`,
      kubeconfig: cluster.kubeconfig,
      endsBySignal: !options.untilSettled,
    })
    if (options.dashboard ?? (isLive && !options.untilSettled))
      dashboard = new UpDashboard({
        kubeconfig: cluster.kubeconfig,
        ...(options.context === undefined ? {} : { context: options.context }),
        env,
        controller: session,
        logger,
        note: (line) => screen.dashboard(line),
      })
    const view = await watch({
      session,
      cluster,
      log,
      screen,
      wall,
      seconds,
      untilSettled: options.untilSettled,
      timeout: options.timeout,
      signal: stop.signal,
    })
    screen.end()
    if (options.output === 'json' && view !== undefined) stdout.write(`${JSON.stringify(resultOf(view), null, 2)}\n`)
    if (options.untilSettled && view?.settled !== true && !stop.signal.aborted) {
      throw new CliError(
        `not settled after ${options.timeout} s: ${view?.pods.pending ?? 0} pods pending, ${view?.claims.length ?? 0} claims; watch it with --headless, or allow more time with --timeout`,
      )
    }
    return 0
  } catch (error) {
    screen.end()
    if (stop.signal.aborted) return 0
    throw error
  } finally {
    stop.dispose()
    await dashboard?.stop()
    await session?.stop()
    await cluster.close()
    rest()
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

/** Looks ten times a second until the cluster has settled (when asked to), time is up, or somebody stops it. */
const watch = async (watching: Watching): Promise<ClusterView | undefined> => {
  const { session, cluster, log, screen, wall, seconds, signal } = watching
  const settle = new SettleWatch(SETTLE_HOLD)
  let view: ClusterView | undefined
  while (!signal.aborted) {
    const { quiet, ...looked } = session.look()
    view = { ...looked, seconds: Number(seconds().toFixed(1)), settled: settle.look(quiet, cluster.clock.now()) }
    log.look(view)
    screen.draw(view, log.lines)
    if (watching.untilSettled && (view.settled || view.seconds >= watching.timeout)) break
    await sleep(wall, FRAME, signal).catch(() => {})
  }
  return view
}
