import { isDeepStrictEqual } from 'node:util'
import type { Milliseconds } from '@kerf/apis'
import type { StateNode } from '../../state/state-node.ts'
import { type Assessment, type AssessmentParts, assess } from '../candidates/assessment.ts'
import type { Candidate } from '../candidates/candidate.ts'
import { isSameInstanceTypes, type OfferedTypes, type PoolTypes } from '../candidates/offered-types.ts'
import { firstExpiry, type PassFindings } from './pass-findings.ts'

const MINUTE: Milliseconds = 60_000
/** After this long a pass runs even if nothing has changed, so that its Events are repeated now and then. */
const LONGEST_IDLE: Milliseconds = 5 * MINUTE
const NEVER: Milliseconds = Number.POSITIVE_INFINITY

/** What a pass reads: equal versions and the same types mean the same cluster and the same offers. */
export interface PassInput {
  readonly version: number
  readonly types: OfferedTypes
}

/** How many nodes of each NodePool its budgets allow to be disrupted. */
export type BudgetSlots = ReadonlyMap<string, number>

/** What a search of a method depends on besides its candidates and the budgets. */
export interface SearchInput {
  readonly now: Milliseconds
  readonly consolidationState: Milliseconds
  readonly types: OfferedTypes
  readonly findings: PassFindings
  /** When a move that was undone before may be tried again. */
  readonly waitsEnd: Milliseconds
}

/** A result, what it was worked out from, and when time alone may make it wrong. */
interface Kept<Basis, Result> {
  readonly basis: Basis
  readonly result: Result
  readonly until: Milliseconds
}

interface AssessmentBasis {
  readonly version: number
  readonly offered: PoolTypes | undefined
  /** Version of the PodDisruptionBudgets, and of their specs. */
  readonly budgets: number
  readonly budgetSpecs: number
  readonly isQueued: boolean
  readonly expectsPods: boolean
}

interface SearchBasis extends Omit<SearchInput, 'now' | 'waitsEnd'> {
  readonly names: string
  readonly slots: string
}

/**
 * What disruption keeps from one pass to the next: assessments of nodes, findings of simulations, methods that found nothing, and
 * passes that found nothing. Each result is kept with what it was worked out from, and used again only while that is the
 * same and time alone cannot have changed it. Upstream keeps nothing where budgets are short, and so simulates the same
 * moves every ten seconds in any cluster with more nodes than its budget.
 */
export class PassCache {
  readonly #assessments = new WeakMap<StateNode, Kept<AssessmentBasis, Assessment>>()
  readonly #nothingFound = new Map<string, Kept<SearchBasis, undefined>>()
  #findings: Kept<PassInput, PassFindings> | undefined
  #idle: Kept<PassInput, undefined> | undefined

  /** The node as it is now; the same object as last time if nothing is different. */
  assessment(node: StateNode, types: OfferedTypes, parts: AssessmentParts, now: Milliseconds): Assessment {
    const { isolation } = parts.state
    const object = node.claim ?? node.node ?? node
    const unreadable: Assessment = { state: node, blockers: [{ code: 'node.unreadable' }] }
    if (isolation.isSetAside('consolidation', object)) return unreadable
    return isolation.guard('NodeClaim', 'disruption', object, () => this.#assess(node, types, parts, now), unreadable)
  }

  #assess(node: StateNode, types: OfferedTypes, parts: AssessmentParts, now: Milliseconds): Assessment {
    const { version, nodePool, providerID } = node
    const basis: AssessmentBasis = {
      version,
      offered: nodePool === undefined ? undefined : types.get(nodePool),
      budgets: parts.budgets.version,
      budgetSpecs: parts.budgets.specVersion,
      isQueued: parts.isQueued(providerID),
      expectsPods: parts.state.expectsPods(providerID),
    }
    const kept = this.#assessments.get(node)
    const isKept = kept !== undefined && now < kept.until && isSameApartFromBudgets(kept.basis, basis)
    if (isKept && kept.basis.budgets === basis.budgets) return kept.result
    const fresh = assess(node, types, parts, now)
    // Few nodes have pods of the budget that has changed. The others stay what they were, with all that is kept for them.
    const result = isKept && isDeepStrictEqual(kept.result.blockers, fresh.blockers) ? kept.result : fresh
    const isTimed = Number.isFinite(firstExpiry({ assessments: [result] }))
    this.#assessments.set(node, { basis, result, until: isTimed ? now : NEVER })
    return result
  }

  /** The findings of the latest pass, where neither a change of the cluster nor time can have made them wrong. */
  findingsFor(input: PassInput): PassFindings | undefined {
    const kept = this.#findings
    if (kept === undefined || !isSameInput(kept.basis, input)) return undefined
    return kept.result.isSettling || Number.isFinite(kept.until) ? undefined : kept.result
  }

  /** A pass has begun: its findings, which it adds to as it goes on, are the latest. */
  keepFindings(
    input: PassInput,
    pass: { readonly assessments: readonly Assessment[]; readonly findings: PassFindings },
  ) {
    this.#findings = { basis: input, result: pass.findings, until: firstExpiry(pass) }
  }

  /** Whether the method found nothing when it last searched, and nothing has changed that could make a difference. */
  foundNothing(
    method: string,
    input: SearchInput,
    candidates: readonly Pick<Candidate, 'name'>[],
    slots: BudgetSlots,
  ): boolean {
    const kept = this.#nothingFound.get(method)
    if (kept === undefined || input.now >= kept.until || kept.basis.slots !== slotsText(slots)) return false
    const { basis } = kept
    if (basis.findings === input.findings) return true
    return (
      basis.consolidationState === input.consolidationState &&
      basis.names === namesText(candidates) &&
      isSameInstanceTypes(basis.types, input.types)
    )
  }

  /** The method searched and found nothing. */
  keepNothingFound(
    method: string,
    { consolidationState, types, findings, waitsEnd }: SearchInput,
    candidates: readonly Pick<Candidate, 'name'>[],
    slots: BudgetSlots,
  ): void {
    const names = namesText(candidates)
    const basis: SearchBasis = { consolidationState, types, findings, names, slots: slotsText(slots) }
    this.#nothingFound.set(method, { basis, result: undefined, until: waitsEnd })
  }

  /** Whether a pass over this input would find nothing, as the latest one did. */
  isIdle(input: PassInput, now: Milliseconds): boolean {
    return this.#idle !== undefined && now < this.#idle.until && isSameInput(this.#idle.basis, input)
  }

  /**
   * A pass found nothing to do. The next one may wait for a change of its input, but for five minutes at the most, and no
   * longer than until the first blocker expires or the first move need wait no longer. `nextCheck` is when time alone may make
   * another difference (now or the past: any moment may); it is rounded up to the full minute, because that is when the windows of
   * budgets open and close.
   */
  keepIdle(
    input: PassInput,
    pass: Pick<SearchInput, 'now' | 'waitsEnd'> & { readonly assessments: readonly Assessment[] },
    nextCheck: Milliseconds,
  ): void {
    const nextMinute = (Math.floor(pass.now / MINUTE) + 1) * MINUTE
    const later = Math.min(Math.ceil(nextCheck / MINUTE) * MINUTE, nextMinute - MINUTE + LONGEST_IDLE)
    const until = Math.min(Math.max(nextMinute, later), firstExpiry(pass), pass.waitsEnd)
    this.#idle = { basis: input, result: undefined, until }
  }
}

const isSameInput = (a: PassInput, b: PassInput): boolean => a.version === b.version && a.types === b.types

const isSameApartFromBudgets = (a: AssessmentBasis, b: AssessmentBasis): boolean =>
  a.version === b.version &&
  a.offered === b.offered &&
  a.budgetSpecs === b.budgetSpecs &&
  a.isQueued === b.isQueued &&
  a.expectsPods === b.expectsPods

const slotsText = (slots: BudgetSlots): string =>
  Array.from(slots, ([pool, count]) => `${pool} ${count}`)
    .sort()
    .join()

const namesText = (candidates: readonly Pick<Candidate, 'name'>[]): string =>
  candidates
    .map(({ name }) => name)
    .sort()
    .join()
