import type { CustomResource, Milliseconds } from '@kerf/apis'
import { Activity } from './activity.ts'
import { Environment, type FaultInjector } from './environment/environment.ts'
import { injectFault } from './environment/inject-fault.ts'
import { performAction } from './environment/perform-action.ts'
import { recover } from './environment/recover.ts'
import { InvariantChecks, type Violation } from './invariant-checks.ts'
import { invariants } from './invariants/index.ts'
import type { MakeInvariant } from './invariants/invariant.ts'
import type { CloudName } from './runs/simulated-run.ts'
import { type SimulatedRun, type Step, stepAction } from './runs/simulated-run.ts'

/**
 * How long the cluster may take to settle. Registration may take 15 minutes. Kerf caches some refusals for an hour, and may replace nodes
 * once more after that.
 */
const TIMEOUT: Milliseconds = 90 * 60_000
const CHECK_INTERVAL: Milliseconds = 60_000
const QUIET: Milliseconds = 6 * 60_000

/** Options for runs that are not random. */
export interface SimulateOptions {
  /** Injects failures into single calls and events. */
  readonly injector?: FaultInjector
  /** Custom resources of clouds that are not part of the run. Their CRDs are installed. */
  readonly furtherResources?: readonly CustomResource[]
  /** Rules that must hold in addition to the invariants. */
  readonly rules?: readonly MakeInvariant[]
  /** How often to check whether the cluster has settled. The default is one minute. */
  readonly checkInterval?: Milliseconds
  /** How long a settled cluster must stay quiet. The default is six minutes. */
  readonly quiet?: Milliseconds
  /** How long the cluster may take to settle after the last fault. The default is 90 minutes. */
  readonly timeout?: Milliseconds
}

export interface Outcome {
  readonly seed: number
  readonly cloud: CloudName
  /** The first violation. Undefined if there was none. */
  readonly violation: Violation | undefined
  /** The virtual time that passed. */
  readonly duration: Milliseconds
  readonly restarts: number
  /** The number of NodeClaims that were created. */
  readonly claims: number
  /** The number of deleted NodeClaims by cause (`deletions-have-causes`). */
  readonly causes: Readonly<Record<string, number>>
}

const describe = (step: Step): string => JSON.stringify(stepAction(step))

/** Schedules every step of the run. Returns a list that collects the errors of actions while the run executes. */
const scheduleSteps = (environment: Environment, record: (line: string) => void): readonly unknown[] => {
  const errors: unknown[] = []
  for (const step of environment.run.steps) {
    environment.clock.timer(step.at, () => {
      record(`${step.id} ${describe(step)}`)
      if ('action' in step)
        performAction(environment, step.action).catch((error: unknown) => {
          errors.push(error)
        })
      else if ('fault' in step) injectFault(environment, step.fault)
      else environment.cloud.inject?.(step.own)
    })
  }
  return errors
}

/** Waits until every invariant holds and nothing changes in the cluster. An invariant that does not hold at the timeout is violated. */
const settle = async (
  environment: Environment,
  checks: InvariantChecks,
  pass: (duration: Milliseconds) => Promise<boolean>,
  { checkInterval = CHECK_INTERVAL, quiet = QUIET, timeout = TIMEOUT }: SimulateOptions,
): Promise<void> => {
  const { clock } = environment
  for (const end = clock.monotonic() + timeout; checks.violation === undefined; ) {
    if (await pass(checkInterval)) return
    const problems = [...checks.problems('eventually')]
    if (problems.length === 0) {
      if (await pass(quiet)) return
      problems.push(...checks.problems('quiet'), ...checks.problems('eventually'))
      if (problems.length === 0) return
    }
    if (clock.monotonic() >= end) for (const { invariant, found } of problems) checks.report(invariant, found)
  }
}

/**
 * Runs a simulation to its end, or to the first violation. `trace` receives one line for every event.
 * @throws the programming errors of Kerf or of a mutant, because such a run does not show whether the rules hold
 */
export const simulate = async (
  run: SimulatedRun,
  trace: (line: string) => void = () => {},
  options: SimulateOptions = {},
): Promise<Outcome> => {
  const environment = await Environment.create(run, options.injector, options.furtherResources)
  const { clock, processes } = environment
  const record = (line: string): void => trace(`${(clock.monotonic() / 1_000).toFixed(3).padStart(9)}  ${line}`)
  const checks = new InvariantChecks(environment, [...invariants, ...(options.rules ?? [])], record)
  const activity = new Activity(environment, checks, record)
  environment.listeners.add(activity)
  const errors = scheduleSteps(environment, record)
  const isOver = (): boolean => checks.isViolated() || errors.length > 0
  const pass = async (duration: Milliseconds): Promise<boolean> => await clock.runUntil(isOver, duration)
  try {
    await pass(run.recoveredAt)
    if (checks.violation === undefined) {
      record('all faults are removed')
      await recover(environment)
      await settle(environment, checks, pass, options)
    }
  } finally {
    environment.stop()
  }
  if (errors.length > 0) throw errors[0]
  const [error] = processes.programmingErrors()
  if (error !== undefined) throw error
  const { violation } = checks
  const { claims, causes } = activity
  const { seed, cloud } = run
  return { seed, cloud, violation, duration: clock.monotonic(), restarts: processes.restarts, claims, causes }
}
