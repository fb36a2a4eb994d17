import { isPublishedBlocker } from '@kerf/engine'
import type { Clock } from '@kerf/runtime'
import type { Observations } from '../modes/observe/observations.ts'
import { type Candidate, isFree } from './candidates/candidate.ts'
import type { Command } from './commands/command.ts'
import type { CommandQueue } from './execution/command-queue.ts'
import { isAction, recordObserved } from './execution/observed-commands.ts'
import { searchApart } from './execution/search-apart.ts'
import type { TerminatingNodes } from './execution/terminating-nodes.ts'
import type { Validator } from './execution/validation.ts'
import type { DisruptionMethod, MethodTools } from './methods/method.ts'
import type { DisruptionPass } from './passes/disruption-pass.ts'
import type { DisruptionPasses } from './passes/disruption-passes.ts'
import type { TargetTaint } from './target/target-taint.ts'
import type { MoveMemory } from './undone-moves/move-memory.ts'

export const isConsolidation = ({ reason }: Pick<Command, 'reason'>): boolean => reason === 'Underutilized'

/** The commands that one disruption method found, and those of them that were started. */
interface MethodResult {
  readonly found: readonly Command[]
  readonly started: readonly Command[]
}

const NOTHING: MethodResult = { found: [], started: [] }

export interface MethodRunnerDeps {
  readonly clock: Clock
  readonly tools: MethodTools
  readonly observations: Observations
  readonly passes: DisruptionPasses
  readonly validator: Validator
  readonly terminating: TerminatingNodes
  readonly taint: TargetTaint
  readonly queue: CommandQueue
  readonly memory: MoveMemory
}

/** Runs one disruption method: selects the eligible candidates, searches, validates the commands that it found, and starts them. */
export class MethodRunner {
  readonly #deps: MethodRunnerDeps

  constructor(deps: MethodRunnerDeps) {
    this.#deps = deps
  }

  /** Runs one disruption method. If `rests` is true, a consolidation method does not search. */
  async run(
    method: DisruptionMethod,
    pass: DisruptionPass,
    rests: boolean,
    signal: AbortSignal,
  ): Promise<MethodResult> {
    const { clock, observations, validator, tools } = this.#deps
    const { state, events, metrics } = tools
    const labels = { reason: method.reason.toLowerCase(), consolidation_type: method.consolidationType }
    const began = clock.monotonic()
    const isEligible = (candidate: Candidate): boolean => {
      const [blocker] = method.eligibility(candidate, state)
      if (blocker !== undefined && isPublishedBlocker(blocker)) events.unconsolidatable(candidate.state, blocker)
      return blocker === undefined
    }
    const eligible = pass
      .candidates(method.class)
      .filter((candidate) =>
        state.isolation.guard('NodeClaim', 'consolidation', candidate.claim, () => isEligible(candidate), false),
      )
    metrics.eligible.set(eligible.length, { reason: labels.reason })
    if (rests && isConsolidation(method)) return NOTHING
    const acting = eligible.filter(({ pool }) => !observations.observes(pool))
    if (acting.length < eligible.length) {
      const observed = eligible.filter((candidate) => !acting.includes(candidate))
      await this.#observe(method, observed, pass, signal)
    }
    if (acting.length === 0) return NOTHING
    const found = await this.#search(method, acting, pass, signal)
    if (isConsolidation(method) && found.length > 0) await this.#avoidTarget(acting, found, pass, signal)
    const commands = method.validation === 'none' ? found : await validator.valid(method, found, signal)
    metrics.evaluation.observe((clock.monotonic() - began) / 1000, labels)
    return { found, started: await this.#start(commands, pass, signal) }
  }

  /** Taints the nodes of the target. Otherwise, kube-scheduler could place new pods there that would soon have to move again. */
  async #avoidTarget(
    acting: readonly Candidate[],
    found: readonly Command[],
    pass: DisruptionPass,
    signal: AbortSignal,
  ): Promise<void> {
    const target = new Set(this.#deps.tools.targets.together.namesSince(pass.now))
    for (const { candidates } of found) for (const { name } of candidates) target.add(name)
    await this.#deps.taint.put(
      acting.filter((candidate) => isFree(candidate) && target.has(candidate.name)),
      signal,
    )
  }

  /** Records what Kerf would do with candidates of pools in observe mode. It does not validate the commands. */
  async #observe(
    method: DisruptionMethod,
    candidates: readonly Candidate[],
    pass: DisruptionPass,
    signal: AbortSignal,
  ): Promise<void> {
    const { passes, tools, observations } = this.#deps
    const budgets = passes.budgets(method.reason)
    recordObserved((await method.search({ candidates, pass, budgets }, tools, signal)) ?? [], {
      state: tools.state,
      observations,
    })
  }

  async #search(
    method: DisruptionMethod,
    candidates: readonly Candidate[],
    pass: DisruptionPass,
    signal: AbortSignal,
  ): Promise<readonly Command[]> {
    const { cache } = this.#deps.passes
    const isKept = method.searches === 'after-change'
    const gone = method.validation === 'none' ? undefined : this.#deps.terminating.nodes
    const { slots } = this.#deps.passes.budgets(method.reason, gone)
    if (isKept && cache.foundNothing(method.name, pass, candidates, slots)) return []
    const search = (part: readonly Candidate[]): Promise<readonly Command[] | undefined> =>
      method.search(
        { candidates: part, pass, budgets: this.#deps.passes.budgets(method.reason, gone) },
        this.#deps.tools,
        signal,
      )
    const found = await searchApart(candidates, search, this.#deps.tools.state.isolation, signal)
    if (isKept && found?.length === 0) cache.keepNothingFound(method.name, pass, candidates, slots)
    return found ?? []
  }

  async #start(
    commands: readonly Command[],
    { types }: DisruptionPass,
    signal: AbortSignal,
  ): Promise<readonly Command[]> {
    const real = commands.filter(isAction)
    const failures: unknown[] = []
    const shared = real.some(isConsolidation) ? this.#deps.passes.sharedPools(types) : undefined
    await Promise.all(
      real.map(async (command) => {
        try {
          await this.#deps.queue.start(command, signal)
        } catch (error) {
          failures.push(error)
          return
        }
        if (!isConsolidation(command)) return
        for (const touched of new Set(command.candidates.map(({ poolName }) => shared?.get(poolName)))) {
          if (touched !== undefined) this.#deps.memory.begun(touched, types, this.#deps.clock.now())
        }
      }),
    )
    signal.throwIfAborted()
    const [first] = failures
    if (first === undefined) return real
    if (failures.length === 1) throw first
    const why = first instanceof Error ? first.message : String(first)
    throw new AggregateError(failures, `starting ${failures.length} of ${real.length} commands failed: ${why}`)
  }
}
