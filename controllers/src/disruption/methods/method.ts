import type { DisruptionReason } from '@kerf/engine'
import type { Milliseconds } from '@kerf/runtime'
import type { PoolBudgets } from '../budgets/pool-budgets.ts'
import type { DisruptionClass } from '../candidates/assessment.ts'
import type { Candidate } from '../candidates/candidate.ts'
import { isSameInstanceTypes, type OfferedTypes } from '../candidates/offered-types.ts'
import type { Command, ConsolidationType, MethodName } from '../commands/command.ts'
import type { DisruptionPass } from '../passes/disruption-pass.ts'

/** One way to disrupt nodes (`docs/spec/disruption.md#the-loop`). */
export interface Method {
  readonly name: MethodName
  readonly reason: DisruptionReason
  readonly class: DisruptionClass
  readonly type: ConsolidationType
  /** Whether its commands are begun only after a while, and only if they are still right. */
  readonly isValidated: boolean
  /**
   * The commands to start now, best first; none when there is nothing to do. `candidates` are eligible. Takes from the
   * budgets what it uses.
   */
  compute(
    candidates: readonly Candidate[],
    round: DisruptionPass,
    budgets: PoolBudgets,
    signal: AbortSignal,
  ): Promise<readonly Command[]>
}

/** What a stamp looks at of a round. */
type Look = Pick<DisruptionPass, 'now' | 'consolidationState' | 'types' | 'answers' | 'waitsEnd'>

/** How many nodes of each pool budgets let go. */
export type Slots = ReadonlyMap<string, number>

/**
 * Remembers that a method found nothing, so that it looks again only after something changed: the cluster, the nodes that
 * may go, what may be launched, or what budgets let go. Upstream remembers nothing where budgets are short, and so asks
 * the same questions every ten seconds in any cluster with more nodes than its budget.
 */
export class Stamp {
  #seen:
    | {
        readonly state: number
        readonly names: string
        readonly slots: string
        readonly types: OfferedTypes
        readonly answers: DisruptionPass['answers']
        /** When a move that waits may go. */
        readonly until: Milliseconds
      }
    | undefined

  isCurrent(round: Look, candidates: readonly Pick<Candidate, 'name'>[], slots: Slots): boolean {
    const seen = this.#seen
    if (seen === undefined || seen.slots !== textOf(slots) || seen.until <= round.now) return false
    // Nothing that was read is different.
    if (seen.answers === round.answers) return true
    return (
      seen.state === round.consolidationState &&
      seen.names === namesOf(candidates) &&
      isSameInstanceTypes(seen.types, round.types)
    )
  }

  set(round: Look, candidates: readonly Pick<Candidate, 'name'>[], slots: Slots): void {
    this.#seen = {
      state: round.consolidationState,
      names: namesOf(candidates),
      slots: textOf(slots),
      types: round.types,
      answers: round.answers,
      until: round.waitsEnd,
    }
  }
}

const textOf = (slots: Slots): string =>
  Array.from(slots, ([pool, count]) => `${pool} ${count}`)
    .sort()
    .join()

const namesOf = (candidates: readonly Pick<Candidate, 'name'>[]): string =>
  candidates
    .map(({ name }) => name)
    .sort()
    .join()
