import type { Course, Moment, Step } from './course/course.ts'
import { invariants } from './invariants/index.ts'
import type { Invariant, MakeInvariant } from './invariants/invariant.ts'
import { smallCatalogue } from './world/catalogue.ts'
import { doThis, heal, strike } from './world/play.ts'
import { type Interference, World } from './world/world.ts'

/** How long everything may take to come to rest after the last trouble: registration alone is given 15 minutes. */
const PATIENCE: Moment = 60 * 60_000
const LOOK_EVERY: Moment = 60_000
const QUIET: Moment = 6 * 60_000

/** How a course is played, where it is not as random ones are. */
export interface Playing {
  /** Meets single calls and events. */
  readonly interference?: Interference
  /** What must hold beside the invariants. */
  readonly rules?: readonly MakeInvariant[]
  /** How often rest is looked for. A minute by default. */
  readonly lookEvery?: Moment
  /** How long rest has to last. Six minutes by default. */
  readonly quiet?: Moment
  /** How long everything may take to come to rest. An hour by default. */
  readonly patience?: Moment
}
const MOST_CALLS = 20_000

export interface Violation {
  readonly invariant: string
  readonly at: Moment
  readonly problem: string
}

export interface Outcome {
  readonly seed: number
  /** The first violation; nothing when everything held. */
  readonly violation: Violation | undefined
  /** Virtual time that passed. */
  readonly span: Moment
  readonly restarts: number
  /** Claims that were made. */
  readonly claims: number
  /** How many claims were deleted for which cause (`deletions-have-causes`). */
  readonly causes: Readonly<Record<string, number>>
}

const describe = (step: Step): string => JSON.stringify(step.by === 'people' ? step.doing : step.trouble)

/**
 * Plays a course to its end, or to the first violation. `trace` hears what happens, one line each.
 *
 * @throws what Kerf did not foresee: code that breaks is no answer to whether a rule holds, of Kerf as it is or of a mutant.
 */
export const simulate = async (
  course: Course,
  trace: (line: string) => void = () => {},
  { interference, rules: more = [], lookEvery = LOOK_EVERY, quiet = QUIET, patience = PATIENCE }: Playing = {},
): Promise<Outcome> => {
  const world = await World.create(course, await smallCatalogue(), interference)
  const { clock } = world
  let violation: Violation | undefined
  let claims = 0
  const causes: Record<string, number> = {}
  let moment = { at: -1, calls: 0 }
  const tell = (line: string): void => trace(`${(clock.monotonic() / 1_000).toFixed(3).padStart(9)}  ${line}`)
  const report = (invariant: string, problems: readonly string[]): void => {
    const [problem] = problems
    if (problem === undefined || violation !== undefined) return
    violation = { invariant, at: clock.monotonic(), problem }
    tell(`VIOLATION ${invariant}: ${problem}`)
  }
  const rules = [...invariants, ...more].map((make) => {
    let name = ''
    const rule = make(world, (problem) => report(name, [problem]))
    name = rule.name
    return rule
  })
  world.listeners.push(...rules, {
    acted: ({ verb, kind, ref, subresource }) => {
      // A loop that waits for nothing would never give the clock its turn.
      if (clock.monotonic() !== moment.at) moment = { at: clock.monotonic(), calls: 0 }
      if (++moment.calls > MOST_CALLS) {
        report('no-endless-loop', [
          `${MOST_CALLS} calls at one moment, the last: ${verb} ${kind?.kind} ${ref?.name ?? ''}`,
        ])
        world.stop()
      }
      if (verb === 'create' && kind?.kind === 'NodeClaim') claims++
      if (verb !== 'get' && verb !== 'list' && verb !== 'watch' && kind?.kind !== 'Event') {
        tell(`kerf ${verb} ${kind?.kind} ${ref?.name ?? ''}${subresource === undefined ? '' : ` (${subresource})`}`)
      }
    },
    remarked: (line, topic) => {
      causes[topic] = (causes[topic] ?? 0) + 1
      tell(line)
    },
    cloudCall: ({ verb, subject }) => {
      if (verb === 'run' || verb === 'terminate') tell(`cloud ${verb} ${subject}`)
    },
  })
  const failed: unknown[] = []
  const background = (work: Promise<void>): void => {
    work.catch((error: unknown) => failed.push(error))
  }
  for (const step of course.steps) {
    clock.timer(step.at, () => {
      tell(`${step.id} ${describe(step)}`)
      if (step.by === 'people') background(doThis(world, step.doing))
      else strike(world, step.trouble)
    })
  }
  let seen = -1
  const isOver = (): boolean => {
    if (world.api.state.revision !== seen) {
      seen = world.api.state.revision
      for (const rule of rules) report(rule.name, rule.step?.() ?? [])
    }
    return violation !== undefined || failed.length > 0
  }
  const pass = async (span: Moment): Promise<boolean> => await clock.runUntil(isOver, span)
  const look = (when: 'rest' | 'quiet'): { rule: Invariant; found: readonly string[] }[] =>
    rules.map((rule) => ({ rule, found: rule[when]?.() ?? [] })).filter(({ found }) => found.length > 0)
  try {
    await pass(course.healedAt)
    if (violation === undefined) {
      tell('everything is put right')
      await heal(world)
      for (const end = clock.monotonic() + patience; violation === undefined; ) {
        if (await pass(lookEvery)) break
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
    world.stop()
  }
  if (failed.length > 0) throw failed[0]
  const [unforeseen] = world.unforeseen()
  if (unforeseen !== undefined) throw unforeseen
  return { seed: course.seed, violation, span: clock.monotonic(), restarts: world.restarts, claims, causes }
}
