import type { Milliseconds } from '@kerf/apis'
import { sumOfPrices } from '@kerf/engine'
import { type Clock, sleep } from '@kerf/runtime'
import { isProvisionable } from '../../pods/pod-predicates.ts'
import type { ClusterState } from '../../state/cluster-state.ts'
import type { ClusterSync } from '../../state/cluster-sync.ts'
import type { Candidate } from '../candidates/candidate.ts'
import { type Command, plannedAnew } from '../commands/command.ts'
import type { DisruptionEvents } from '../commands/disruption-events.ts'
import type { DisruptionMetrics } from '../commands/disruption-metrics.ts'
import type { DisruptionMethod } from '../methods/method.ts'
import type { DisruptionPass } from '../passes/disruption-pass.ts'
import type { DisruptionPasses } from '../passes/disruption-passes.ts'
import type { Simulation } from '../simulation/simulator.ts'
import type { Targets } from '../target/target-nodes.ts'
import { FIRST_CHECK, waitLeft } from '../target/validation-wait.ts'
import type { TerminatingNodes } from './terminating-nodes.ts'

/** Why a command did not hold: the reason of `ConsolidationRejected`. */
export type Failure = 'budget' | 'scheduling' | 'churn'

export interface ValidatorParts {
  readonly clock: Clock
  readonly state: ClusterState
  readonly passes: DisruptionPasses
  readonly sync: ClusterSync
  /** Nodes that the command's budgets count on to be gone. */
  readonly terminating: TerminatingNodes
  /** Nodes that have been right to take for a while already. */
  readonly targets: Targets
  readonly events: DisruptionEvents
  readonly metrics: DisruptionMetrics
}

/** Checks after a while whether a command is still right (`docs/spec/disruption.md#validation`). */
export class Validator {
  readonly #parts: ValidatorParts

  constructor(parts: ValidatorParts) {
    this.#parts = parts
  }

  /**
   * The commands of a method that are still right after the wait. One that is validated node by node may be smaller. Those that
   * are valid as a whole begin together: best first, each is asked about together with those kept before it.
   */
  async valid(
    method: DisruptionMethod,
    commands: readonly Command[],
    signal: AbortSignal,
  ): Promise<readonly Command[]> {
    if (method.validation === 'whole') return await this.#wholes(method, commands, signal)
    const valid: Command[] = []
    for (const command of commands) {
      await this.#wait(waitLeft(command, this.#parts.targets, this.#parts.clock.now()), signal)
      const pass = await this.#parts.passes.begin(signal)
      const result = this.#remaining(command, this.#present(method, command, pass), pass)
      if (typeof result === 'string') this.#reject(command, result)
      else valid.push(result)
    }
    return valid
  }

  /**
   * A long wait ends early where the pods fit no more: those of the moves before may have gone elsewhere than planned.
   */
  async #wholes(
    method: DisruptionMethod,
    commands: readonly Command[],
    signal: AbortSignal,
  ): Promise<readonly Command[]> {
    const { clock, passes, targets } = this.#parts
    const began = clock.monotonic()
    const wait = Math.max(0, ...commands.map((command) => waitLeft(command, targets, clock.now())))
    let left = commands
    if (wait > FIRST_CHECK) {
      await sleep(clock, FIRST_CHECK, signal)
      const pass = await passes.begin(signal)
      left = await this.#kept(left, async (command) => await this.#stillFits(method, command, pass, signal))
      if (left.length === 0) return []
    }
    await this.#wait(wait - (clock.monotonic() - began), signal)
    const pass = await passes.begin(signal)
    return await this.#kept(left, async (command) => await this.#confirmed(method, command, pass, signal))
  }

  async #wait(left: Milliseconds, signal: AbortSignal): Promise<void> {
    const { clock, sync, terminating } = this.#parts
    if (left > 0) await sleep(clock, left, signal)
    await terminating.wait(signal)
    // What is asked for and not launched yet has no size that could count against a limit, and no room to plan with.
    await sync.waitUntilSynced(signal)
  }

  /** The commands that hold, each asked about together with those before it that do: one that does not hold stops no other. */
  async #kept(
    commands: readonly Command[],
    ask: (together: Command) => Promise<Command | Failure>,
  ): Promise<readonly Command[]> {
    let kept: readonly Command[] = []
    for (const command of commands) {
      const together = union([...kept, command])
      const result = await ask(together)
      if (typeof result === 'string') this.#reject(command, result)
      else if (result === together) kept = [...kept, command]
      else kept = [...kept, command].map((each) => withoutReplacements(each, result))
    }
    return kept
  }

  #reject(command: Command, why: Failure): void {
    const { targets, events, metrics } = this.#parts
    for (const nodes of [targets.together, targets.alone]) nodes.forget(command.candidates.map(({ name }) => name))
    metrics.failedValidations.inc({ consolidation_type: command.consolidationType }, command.candidates.length)
    events.rejected(command, why)
  }

  /**
   * Whether the nodes' pods want just the new nodes that the command launches: time does not mend that. It may mend all else,
   * so that is asked at the end alone: budgets and PodDisruptionBudgets still count nodes and pods that will be gone or
   * ready by then.
   */
  async #stillFits(
    method: DisruptionMethod,
    command: Command,
    pass: DisruptionPass,
    signal: AbortSignal,
  ): Promise<Command | Failure> {
    const present = this.#present(method, command, pass)
    if (present.length < command.candidates.length || !pass.canSimulate) return command
    const simulation = await pass.simulate(present, true, signal)
    if (simulation.unplaced.some(({ waitsFor }) => waitsFor !== undefined)) return command
    const moving = new Set(present.flatMap(({ reschedulable }) => reschedulable.map(({ metadata }) => metadata.uid)))
    // A node for pods that wait already is the provisioner's, which may be launching it.
    const claims = simulation.claims.filter(
      ({ pods }) => pods.some(({ metadata }) => moving.has(metadata.uid)) && !pods.some(isProvisionable),
    )
    return simulated(command, present, { ...simulation, claims }) === 'scheduling' ? 'scheduling' : command
  }

  /** The candidates that the method could choose now as well. */
  #present(method: DisruptionMethod, { candidates }: Command, pass: DisruptionPass): readonly Candidate[] {
    const wanted = new Set(candidates.map(({ name }) => name))
    return pass
      .candidates(method.class)
      .filter((candidate) => wanted.has(candidate.name))
      .filter((candidate) => method.eligibility(candidate, this.#parts.state).length === 0)
  }

  /** The nodes that can still be disrupted, each by itself. */
  #remaining(command: Command, present: readonly Candidate[], pass: DisruptionPass): Command | Failure {
    if (present.length === 0) return 'churn'
    const budgets = pass.budgets(command.reason)
    const left = present.filter(({ poolName }) => budgets.take(poolName))
    if (left.length === 0) return 'budget'
    const dropped = command.candidates.length - left.length
    if (dropped > 0) {
      this.#parts.metrics.failedValidations.inc({ consolidation_type: command.consolidationType }, dropped)
    }
    return { ...command, candidates: left, savings: sumOfPrices(left) }
  }

  /** The command as a whole, if it is still right. */
  async #confirmed(
    method: DisruptionMethod,
    command: Command,
    pass: DisruptionPass,
    signal: AbortSignal,
  ): Promise<Command | Failure> {
    const { state } = this.#parts
    const present = this.#present(method, command, pass)
    if (command.candidates.some(({ providerID }) => state.expectsPods(providerID))) return 'budget'
    if (present.length < command.candidates.length) return 'churn'
    const budgets = pass.budgets(command.reason)
    if (!present.every(({ poolName }) => budgets.take(poolName))) return 'budget'
    if (!pass.canSimulate) return 'scheduling'
    const simulation = await pass.simulate(present, true, signal)
    return simulated(command, present, simulation)
  }
}

/** Several commands as one that does it all. */
const union = (commands: readonly [...Command[], Command]): Command => {
  const [command, ...more] = commands
  if (more.length === 0) return command
  return {
    ...command,
    candidates: commands.flatMap(({ candidates }) => candidates),
    replacements: commands.flatMap(({ replacements }) => replacements),
    placements: commands.flatMap(({ placements }) => placements),
    savings: undefined,
  }
}

/** Its part of commands that need no new nodes any more. */
const withoutReplacements = (command: Command, { placements }: Command): Command => {
  return { ...command, replacements: [], placements, savings: sumOfPrices(command.candidates) }
}

/** The command as a simulation has it now, if it is still right. */
const simulated = (
  command: Command,
  present: readonly Candidate[],
  { claims, placements, unplaced }: Simulation,
): Command | 'scheduling' => {
  if (unplaced.length > 0 || claims.length > command.replacements.length) return 'scheduling'
  // Room has come free since: what needed a new node then needs none now.
  if (claims.length === 0 && command.replacements.length > 0) {
    return { ...command, replacements: [], placements, savings: sumOfPrices(present) }
  }
  // Fewer are needed now, or another pool would launch one: the planned one has reached its limits since, or is not ready.
  return plannedAnew(command.replacements, claims) === undefined ? 'scheduling' : command
}
