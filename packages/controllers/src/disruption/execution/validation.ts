import { sumOfPrices } from '@kerf/engine'
import { type Clock, sleep } from '@kerf/runtime'
import type { ClusterState } from '../../state/cluster-state.ts'
import type { ClusterSync } from '../../state/cluster-sync.ts'
import type { Candidate } from '../candidates/candidate.ts'
import type { Command } from '../commands/command.ts'
import type { DisruptionEvents } from '../commands/disruption-events.ts'
import type { DisruptionMetrics } from '../commands/disruption-metrics.ts'
import type { DisruptionMethod } from '../methods/method.ts'
import type { DisruptionPass } from '../passes/disruption-pass.ts'
import type { DisruptionPasses } from '../passes/disruption-passes.ts'
import type { Targets } from '../target/target-nodes.ts'
import { waitLeft } from '../target/validation-wait.ts'
import type { TerminatingNodes } from './terminating-nodes.ts'

/** Why a command was rejected. It is part of the message of the Event `ConsolidationRejected`. */
export type Failure = 'budget' | 'scheduling' | 'churn'

export interface ValidatorDeps {
  readonly clock: Clock
  readonly state: ClusterState
  readonly passes: DisruptionPasses
  readonly sync: ClusterSync
  /** The terminating nodes that counted as gone when the budgets of the command were computed. */
  readonly terminating: TerminatingNodes
  /** Records for how long searches have found each node worth disrupting. */
  readonly targets: Targets
  readonly events: DisruptionEvents
  readonly metrics: DisruptionMetrics
}

/** Checks after a wait whether a command is still valid (`docs/spec/disruption.md#validation`). */
export class Validator {
  readonly #deps: ValidatorDeps

  constructor(deps: ValidatorDeps) {
    this.#deps = deps
  }

  /**
   * Returns the commands that are still valid after the wait. If a method validates each node separately, a command may be returned with
   * fewer nodes.
   */
  async valid(
    method: DisruptionMethod,
    commands: readonly Command[],
    signal: AbortSignal,
  ): Promise<readonly Command[]> {
    const valid: Command[] = []
    for (const command of commands) {
      const held = await this.#validate(method, command, signal)
      if (held !== undefined) valid.push(held)
    }
    return valid
  }

  async #validate(method: DisruptionMethod, command: Command, signal: AbortSignal): Promise<Command | undefined> {
    const { clock, passes, sync, terminating, targets, events, metrics } = this.#deps
    const wait = waitLeft(command, targets, clock.now())
    if (wait > 0) await sleep(clock, wait, signal)
    await terminating.wait(signal)
    // Until a claim is launched, its size and free capacity are unknown, so limits and plans cannot include it.
    await sync.waitUntilSynced(signal)
    const pass = await passes.begin(signal)
    const present = this.#present(method, command, pass)
    const isWhole = method.validation === 'whole'
    const result = isWhole
      ? await this.#confirmed(command, present, pass, signal)
      : this.#remaining(command, present, pass)
    if (typeof result !== 'string') return result
    for (const nodes of [targets.together, targets.alone]) nodes.forget(command.candidates.map(({ name }) => name))
    if (isWhole) {
      const labels = { consolidation_type: command.consolidationType }
      metrics.failedValidations.inc(labels, command.candidates.length)
    }
    events.rejected(command, result)
    return undefined
  }

  /** Returns the candidates of the command that the disruption method could still choose. */
  #present(method: DisruptionMethod, { candidates }: Command, pass: DisruptionPass): readonly Candidate[] {
    const wanted = new Set(candidates.map(({ name }) => name))
    return pass
      .candidates(method.class)
      .filter((candidate) => wanted.has(candidate.name))
      .filter((candidate) => method.eligibility(candidate, this.#deps.state).length === 0)
  }

  /** Returns the command with the nodes that can still be disrupted. Checks each node separately. */
  #remaining(command: Command, present: readonly Candidate[], pass: DisruptionPass): Command | Failure {
    const { metrics } = this.#deps
    const labels = { consolidation_type: command.consolidationType }
    if (present.length === 0) {
      metrics.failedValidations.inc(labels, command.candidates.length)
      return 'churn'
    }
    const budgets = pass.budgets(command.reason)
    const left = present.filter(({ poolName }) => budgets.take(poolName))
    const dropped = command.candidates.length - left.length
    if (dropped > 0) metrics.failedValidations.inc(labels, dropped)
    if (left.length === 0) return 'budget'
    return { ...command, candidates: left, savings: sumOfPrices(left) }
  }

  /** Checks the command as a whole. Returns it if it is still valid, otherwise the failure. */
  async #confirmed(
    command: Command,
    present: readonly Candidate[],
    pass: DisruptionPass,
    signal: AbortSignal,
  ): Promise<Command | Failure> {
    const { state } = this.#deps
    if (command.candidates.some(({ providerID }) => state.expectsPods(providerID))) return 'budget'
    if (present.length < command.candidates.length) return 'churn'
    const budgets = pass.budgets(command.reason)
    if (!present.every(({ poolName }) => budgets.take(poolName))) return 'budget'
    if (!(await pass.canSimulate(true, signal))) return 'scheduling'
    const simulation = await pass.simulate(present, true, signal)
    if (simulation.unplaced.length > 0 || simulation.claims.length > command.replacements.length) return 'scheduling'
    // Enough capacity became free during the wait, so the command needs no new node.
    if (simulation.claims.length === 0 && command.replacements.length > 0) {
      return { ...command, replacements: [], placements: simulation.placements, savings: sumOfPrices(present) }
    }
    if (simulation.claims.length < command.replacements.length) return 'scheduling'
    const [replacement] = command.replacements
    if (replacement?.kind === 'planned') {
      const [anew] = simulation.claims
      // The planned pool has reached its limits or is not ready, so another pool would launch the replacement.
      if (anew?.nodePool !== replacement.claim.nodePool) return 'scheduling'
      // Another node has used the commitment, or a commitment has become free.
      if (anew.commitment !== replacement.claim.commitment) return 'scheduling'
      const possible = new Set(anew.instanceTypes)
      if (!replacement.claim.instanceTypes.every((name) => possible.has(name))) return 'scheduling'
    }
    return command
  }
}
