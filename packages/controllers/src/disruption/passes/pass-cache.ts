import { isDeepStrictEqual } from 'node:util'
import type { Milliseconds } from '@kerf/apis'
import type { StateNode } from '../../state/state-node.ts'
import { type Assessment, type AssessmentDeps, assess } from '../candidates/assessment.ts'
import type { Candidate } from '../candidates/candidate.ts'
import { isSameInstanceTypes, type OfferedTypes, type PoolTypes } from '../candidates/offered-types.ts'
import { firstExpiry, type PassFindings } from './pass-findings.ts'

const MINUTE: Milliseconds = 60_000
/** A pass runs after this time even if nothing has changed, so that its Events are published again. */
const LONGEST_IDLE: Milliseconds = 5 * MINUTE
const NEVER: Milliseconds = Number.POSITIVE_INFINITY

/** The input of a pass. Equal versions and equal instance types mean that the cluster and the offers are unchanged. */
export interface PassInput {
  readonly version: number
  readonly types: OfferedTypes
}

/** The number of nodes that the budgets of each NodePool allow Kerf to disrupt. */
export type BudgetSlots = ReadonlyMap<string, number>

/** The inputs of a disruption method's search, except for its candidates and budgets. */
export interface SearchInput {
  readonly now: Milliseconds
  readonly consolidationState: Milliseconds
  readonly types: OfferedTypes
  readonly findings: PassFindings
  /** When Kerf may try moves again that did not save anything in the end. */
  readonly waitsEnd: Milliseconds
}

/** A cached result with its inputs. After `until`, the result may be wrong even if the inputs are unchanged. */
interface Kept<Basis, Result> {
  readonly basis: Basis
  readonly result: Result
  readonly until: Milliseconds
}

interface AssessmentBasis {
  readonly version: number
  readonly offered: PoolTypes | undefined
  /** The versions of the PodDisruptionBudgets and of their specs. */
  readonly budgets: number
  readonly budgetSpecs: number
  readonly isQueued: boolean
  readonly expectsPods: boolean
  readonly isAsleep: boolean
}

interface SearchBasis extends Omit<SearchInput, 'now' | 'waitsEnd'> {
  readonly names: string
  readonly slots: string
}

/**
 * Caches the results of disruption between passes: assessments of nodes, findings of simulations, searches that found nothing, and passes
 * that found nothing. A result is reused only while its inputs are unchanged and time alone cannot have changed it. Upstream caches nothing
 * while budgets are used up. If a cluster has more consolidatable nodes than the budget allows, upstream therefore simulates the same moves
 * every ten seconds.
 */
export class PassCache {
  readonly #assessments = new WeakMap<StateNode, Kept<AssessmentBasis, Assessment>>()
  readonly #nothingFound = new Map<string, Kept<SearchBasis, undefined>>()
  #findings: Kept<PassInput, PassFindings> | undefined
  #idle: Kept<PassInput, undefined> | undefined

  /** Returns the assessment of a node. Returns the same object as in the previous pass if nothing has changed. */
  assessment(node: StateNode, types: OfferedTypes, deps: AssessmentDeps, now: Milliseconds): Assessment {
    const { isolation } = deps.state
    const object = node.claim ?? node.node ?? node
    const unreadable: Assessment = { state: node, blockers: [{ code: 'node.unreadable' }] }
    if (isolation.isSetAside('consolidation', object)) return unreadable
    return isolation.guard('NodeClaim', 'disruption', object, () => this.#assess(node, types, deps, now), unreadable)
  }

  #assess(node: StateNode, types: OfferedTypes, deps: AssessmentDeps, now: Milliseconds): Assessment {
    const { version, nodePool, providerID } = node
    const basis: AssessmentBasis = {
      version,
      offered: nodePool === undefined ? undefined : types.get(nodePool),
      budgets: deps.budgets.version,
      budgetSpecs: deps.budgets.specVersion,
      isQueued: deps.isQueued(providerID),
      expectsPods: deps.state.expectsPods(providerID),
      isAsleep: deps.state.poolPolicies.isAsleep(nodePool, now),
    }
    const kept = this.#assessments.get(node)
    const isKept = kept !== undefined && now < kept.until && isSameApartFromBudgets(kept.basis, basis)
    if (isKept && kept.basis.budgets === basis.budgets) return kept.result
    const fresh = assess(node, types, deps, now)
    // A change of a PodDisruptionBudget affects few nodes. The other nodes keep their assessment object and its cached results.
    const result = isKept && isDeepStrictEqual(kept.result.blockers, fresh.blockers) ? kept.result : fresh
    const isTimed = Number.isFinite(firstExpiry({ assessments: [result] }))
    this.#assessments.set(node, { basis, result, until: isTimed ? now : NEVER })
    return result
  }

  /** Returns the findings of the latest pass, or undefined if changes of the cluster or the passage of time may have made them wrong. */
  findingsFor(input: PassInput): PassFindings | undefined {
    const kept = this.#findings
    if (kept === undefined || !isSameInput(kept.basis, input)) return undefined
    return kept.result.isSettling || Number.isFinite(kept.until) ? undefined : kept.result
  }

  /** Stores the findings object of a pass at its start. The pass then adds its results to this object. */
  keepFindings(
    input: PassInput,
    pass: { readonly assessments: readonly Assessment[]; readonly findings: PassFindings },
  ) {
    this.#findings = { basis: input, result: pass.findings, until: firstExpiry(pass) }
  }

  /** Returns whether the latest search of the disruption method found nothing and a new search would not find anything either. */
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

  /** Records that the disruption method searched and found nothing. */
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

  /** Returns whether a pass with this input can be skipped, because the latest pass found nothing and nothing relevant has changed. */
  isIdle(input: PassInput, now: Milliseconds): boolean {
    return this.#idle !== undefined && now < this.#idle.until && isSameInput(this.#idle.basis, input)
  }

  /**
   * Records that a pass found nothing to do. The next pass can wait until one of these happens: its input changes, the first blocker
   * expires, the first waiting move may be tried again, or five minutes pass. `nextCheck` is the time from which the result may change for
   * any other reason. If it is in the past, the result may change at any moment. It is rounded up to a full minute, because budget windows
   * open and close on full minutes.
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
  a.isAsleep === b.isAsleep &&
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
