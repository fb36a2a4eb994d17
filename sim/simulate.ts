import type { Milliseconds } from '@kerf/runtime'
import { Environment, type FaultInjector } from './environment/environment.ts'
import { smallInstanceTypes } from './environment/instance-types.ts'
import { injectFault, perform, recover } from './environment/play.ts'
import { invariants } from './invariants/index.ts'
import type { Invariant, MakeInvariant } from './invariants/invariant.ts'
import type { SimulatedRun, Step } from './runs/simulated-run.ts'

/** How long everything may take to come to rest after the last trouble: registration alone is given 15 minutes. */
const TIMEOUT: Milliseconds = 60 * 60_000
const CHECK_INTERVAL: Milliseconds = 60_000
const QUIET: Milliseconds = 6 * 60_000

/** How a course is played, where it is not as random ones are. */
export interface SimulateOptions {
  /** Meets single calls and events. */
  readonly injector?: FaultInjector
  /** What must hold beside the invariants. */
  readonly rules?: readonly MakeInvariant[]
  /** How often rest is looked for. A minute by default. */
  readonly checkInterval?: Milliseconds
  /** How long rest has to last. Six minutes by default. */
  readonly quiet?: Milliseconds
  /** How long everything may take to come to rest. An hour by default. */
  readonly timeout?: Milliseconds
}
const MOST_CALLS = 20_000

export interface Violation {
  readonly invariant: string
  readonly at: Milliseconds
  readonly problem: string
}

export interface Outcome {
  readonly seed: number
  /** The first violation; nothing when everything held. */
  readonly violation: Violation | undefined
  /** Virtual time that passed. */
  readonly duration: Milliseconds
  readonly restarts: number
  /** Claims that were made. */
  readonly claims: number
  /** How many claims were deleted for which cause (`deletions-have-causes`). */
  readonly causes: Readonly<Record<string, number>>
}

const describe = (step: Step): string => JSON.stringify('action' in step ? step.action : step.fault)

/**
 * Plays a course to its end, or to the first violation. `trace` hears what happens, one line each.
 *
 * @throws what Kerf did not foresee: code that breaks is no answer to whether a rule holds, of Kerf as it is or of a mutant.
 */
export const simulate = async (
  run: SimulatedRun,
  trace: (line: string) => void = () => {},
  {
    injector,
    rules: more = [],
    checkInterval = CHECK_INTERVAL,
    quiet = QUIET,
    timeout = TIMEOUT,
  }: SimulateOptions = {},
): Promise<Outcome> => {
  const environment = await Environment.create(run, await smallInstanceTypes(), injector)
  const { clock } = environment
  let violation: Violation | undefined
  let claims = 0
  const causes: Record<string, number> = {}
  let moment = { at: -1, calls: 0 }
  const record = (line: string): void => trace(`${(clock.monotonic() / 1_000).toFixed(3).padStart(9)}  ${line}`)
  const report = (invariant: string, problems: readonly string[]): void => {
    const [problem] = problems
    if (problem === undefined || violation !== undefined) return
    violation = { invariant, at: clock.monotonic(), problem }
    record(`VIOLATION ${invariant}: ${problem}`)
  }
  const rules = [...invariants, ...more].map((make) => {
    let name = ''
    const rule = make(environment, (problem) => report(name, [problem]))
    name = rule.name
    return rule
  })
  environment.listeners.push(...rules, {
    acted: ({ verb, kind, ref, subresource }) => {
      // A loop that waits for nothing would never give the clock its turn.
      if (clock.monotonic() !== moment.at) moment = { at: clock.monotonic(), calls: 0 }
      if (++moment.calls > MOST_CALLS) {
        report('no-endless-loop', [
          `${MOST_CALLS} calls at one moment, the last: ${verb} ${kind?.kind} ${ref?.name ?? ''}`,
        ])
        environment.stop()
      }
      if (verb === 'create' && kind?.kind === 'NodeClaim') claims++
      if (verb !== 'get' && verb !== 'list' && verb !== 'watch' && kind?.kind !== 'Event') {
        record(`kerf ${verb} ${kind?.kind} ${ref?.name ?? ''}${subresource === undefined ? '' : ` (${subresource})`}`)
      }
    },
    remarked: (line, topic) => {
      causes[topic] = (causes[topic] ?? 0) + 1
      record(line)
    },
    cloudCall: ({ verb, subject }) => {
      if (verb === 'run' || verb === 'terminate') record(`cloud ${verb} ${subject}`)
    },
  })
  const failed: unknown[] = []
  const background = (work: Promise<void>): void => {
    work.catch((error: unknown) => failed.push(error))
  }
  for (const step of run.steps) {
    clock.timer(step.at, () => {
      record(`${step.id} ${describe(step)}`)
      if ('action' in step) background(perform(environment, step.action))
      else injectFault(environment, step.fault)
    })
  }
  let seen = -1
  const isOver = (): boolean => {
    if (environment.api.state.revision !== seen) {
      seen = environment.api.state.revision
      for (const rule of rules) report(rule.name, rule.step?.() ?? [])
    }
    return violation !== undefined || failed.length > 0
  }
  const pass = async (duration: Milliseconds): Promise<boolean> => await clock.runUntil(isOver, duration)
  const look = (when: 'rest' | 'quiet'): { rule: Invariant; found: readonly string[] }[] =>
    rules.map((rule) => ({ rule, found: rule[when]?.() ?? [] })).filter(({ found }) => found.length > 0)
  try {
    await pass(run.recoveredAt)
    if (violation === undefined) {
      record('all faults are removed')
      await recover(environment)
      for (const end = clock.monotonic() + timeout; violation === undefined; ) {
        if (await pass(checkInterval)) break
        const problems = look('rest')
        if (problems.length === 0) {
          if (await pass(quiet)) break
          problems.push(...look('quiet'), ...look('rest'))
          if (problems.length === 0) break
        }
        if (clock.monotonic() >= end) for (const { rule, found } of problems) report(rule.name, found)
      }
    }
  } finally {
    environment.stop()
  }
  if (failed.length > 0) throw failed[0]
  const [programmingErrors] = environment.programmingErrors()
  if (programmingErrors !== undefined) throw programmingErrors
  return { seed: run.seed, violation, duration: clock.monotonic(), restarts: environment.restarts, claims, causes }
}
