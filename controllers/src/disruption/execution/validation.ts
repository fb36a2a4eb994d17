import { type Milliseconds, sleep } from '@kerf/runtime'
import type { Deps } from '../../deps.ts'
import type { ClusterState } from '../../state/cluster-state.ts'
import type { Candidate } from '../candidates/candidate.ts'
import type { Command } from '../commands/command.ts'
import type { DisruptionEvents } from '../commands/disruption-events.ts'
import type { DisruptionMetrics } from '../commands/disruption-metrics.ts'
import { eligibility } from '../methods/eligibility.ts'
import type { DisruptionPass, DisruptionPasses } from '../passes/disruption-pass.ts'
import type { TerminatingNodes } from './terminating-nodes.ts'

/** How long a consolidation must stay right before it is begun. */
export const VALIDATION_WAIT: Milliseconds = 15_000

/** Why a command did not hold: the reason of `ConsolidationRejected`. */
export type Failure = 'budget' | 'scheduling' | 'churn'

export interface ValidatorParts {
  readonly deps: Deps
  readonly state: ClusterState
  readonly rounds: DisruptionPasses
  /** Nodes that the command's budgets count on to be gone. */
  readonly departures: TerminatingNodes
  readonly events: DisruptionEvents
  readonly metrics: DisruptionMetrics
}

/** Asks again after a while whether a command is still right (`docs/spec/disruption.md#validation`). */
export class Validator {
  readonly #parts: ValidatorParts

  constructor(parts: ValidatorParts) {
    this.#parts = parts
  }

  /** The command to start; nothing when it does not hold any more. Emptiness may come back smaller. */
  async validate(command: Command, signal: AbortSignal): Promise<Command | undefined> {
    const { deps, rounds, departures, events, metrics } = this.#parts
    await sleep(deps.clock, VALIDATION_WAIT, signal)
    await departures.wait(signal)
    const round = await rounds.take(signal)
    const present = this.#present(command, round)
    const result =
      command.method === 'emptiness'
        ? this.#remaining(command, present, round)
        : await this.#confirmed(command, present, round, signal)
    if (typeof result !== 'string') return result
    const rejects = command.method === 'emptiness' ? 0 : command.candidates.length
    if (rejects > 0) metrics.failedValidations.inc({ consolidation_type: command.type }, rejects)
    events.rejected(command, result)
    return undefined
  }

  /** The candidates that could be chosen now as well. */
  #present({ method, candidates }: Command, round: DisruptionPass): readonly Candidate[] {
    const wanted = new Set(candidates.map(({ name }) => name))
    return round
      .candidates('graceful')
      .filter((candidate) => wanted.has(candidate.name))
      .filter((candidate) => eligibility(method, candidate, this.#parts.state).length === 0)
  }

  /** Each empty node stands for itself. */
  #remaining(command: Command, present: readonly Candidate[], round: DisruptionPass): Command | Failure {
    const { metrics } = this.#parts
    const labels = { consolidation_type: command.type }
    if (present.length === 0) {
      metrics.failedValidations.inc(labels, command.candidates.length)
      return 'churn'
    }
    const budgets = round.budgets(command.reason)
    const left = present.filter(({ poolName }) => budgets.take(poolName))
    const dropped = command.candidates.length - left.length
    if (dropped > 0) metrics.failedValidations.inc(labels, dropped)
    if (left.length === 0) return 'budget'
    return { ...command, candidates: left, savings: left.reduce((sum, { price }) => sum + price, 0) }
  }

  /** A consolidation holds as a whole or not at all. */
  async #confirmed(
    command: Command,
    present: readonly Candidate[],
    round: DisruptionPass,
    signal: AbortSignal,
  ): Promise<Command | Failure> {
    const { state } = this.#parts
    if (command.candidates.some(({ providerID }) => state.isNominated(providerID))) return 'budget'
    if (present.length < command.candidates.length) return 'churn'
    const budgets = round.budgets(command.reason)
    if (!present.every(({ poolName }) => budgets.take(poolName))) return 'budget'
    if (!round.canSimulate) return 'scheduling'
    const simulation = await round.simulate(present, true, signal)
    if (simulation.unplaced.length > 0 || simulation.claims.length !== command.replacements.length) return 'scheduling'
    const [replacement] = command.replacements
    if (replacement?.kind === 'planned') {
      const [anew] = simulation.claims
      // Another pool would launch it now: the one that was to has no room under its limits any more, or is not ready.
      if (anew?.nodePool !== replacement.claim.nodePool) return 'scheduling'
      const possible = new Set(anew.instanceTypes)
      if (!replacement.claim.instanceTypes.every((name) => possible.has(name))) return 'scheduling'
    }
    return command
  }
}
