import { floatAt, intAt } from '../column.ts'
import { NO_CONSTRAINTS } from '../model/claim-constraints.ts'
import type { EquivalenceGroup, Variant } from '../model/equivalence-group.ts'
import type { HostPort } from '../model/host-port.ts'
import { type ClaimId, type ConstraintsId, hostOfClaim, NO_CLAIM } from '../model/ids.ts'
import { portsConflict } from '../pods/host-ports.ts'
import type { Problem } from '../problem/problem.ts'
import type { TopologyCounts } from '../topology/topology-counts.ts'
import { ClaimIndex, type ClaimVerdict, NEVER, NOT_NOW, TAKEN } from './claim-index.ts'
import { type ClaimTable, SLACK_COLUMNS } from './claim-table.ts'
import type { ClaimTrial } from './claim-trial.ts'
import type { PendingPods } from './pending-pods.ts'

/** If at least this many pods have a fit key, the search creates an index of claims for it. Otherwise, it tries the claims one by one. */
export const INDEX_FROM = 12

const NONE_REFUSED = new Uint8Array(0)

/** The objects and settings that a search uses. */
interface SearchDeps {
  readonly claims: ClaimTable
  readonly counts: TopologyCounts
  readonly trial: ClaimTrial
  /** The smallest requests of the pods that are still to be placed, by slack column. Read at each search. */
  readonly least: Float64Array
  /** The minimum number of pods that a fit key needs for an index. */
  readonly indexFrom: number
  /** The pods that may still be tried; `undefined` in a what-if, which creates no index. */
  readonly pending: PendingPods | undefined
}

/** Finds the first open claim, in order, that takes a pod (`docs/spec/scheduling.md#claims-being-opened`). */
export class ClaimSearch {
  /** The number of claims that were tried. */
  steps = 0
  /** The constraints of the claim that the last search found, including the new pod. */
  reached = NO_CONSTRAINTS
  readonly #problem: Problem
  readonly #claims: ClaimTable
  readonly #counts: TopologyCounts
  readonly #trial: ClaimTrial
  readonly #least: Float64Array
  readonly #indexFrom: number
  readonly #pending: PendingPods | undefined
  /** The host number of the first claim. */
  readonly #firstHost: number
  readonly #ports: (readonly HostPort[] | undefined)[] = []
  readonly #indexes = new Map<number, ClaimIndex>()
  /** For each host key (`Variant.hostKey`), 1 for every claim that permanently refuses its hostname terms. */
  readonly #refused: (Uint8Array | undefined)[] = []
  /**
   * The number of the current attempt. `#openVerdicts` contains, for each constraints number, the result and the attempt in which it was
   * computed.
   */
  #attempt = 0
  #openVerdicts = new Int32Array(64)
  #equivalenceGroup: EquivalenceGroup | undefined
  #variant: Variant | undefined

  constructor(problem: Problem, { claims, counts, trial, least, indexFrom, pending }: SearchDeps) {
    this.#problem = problem
    this.#claims = claims
    this.#counts = counts
    this.#trial = trial
    this.#least = least
    this.#indexFrom = indexFrom
    this.#pending = pending
    this.#firstHost = problem.nodes.length
  }

  /**
   * Returns the first claim that takes the pod; -1 if there is none. Afterwards, `trial` has the total requests of that claim including the
   * pod.
   */
  find(variant: Variant, equivalenceGroup: EquivalenceGroup): ClaimId {
    this.#attempt++
    this.#equivalenceGroup = equivalenceGroup
    this.#variant = variant
    const index = this.#indexOf(variant, equivalenceGroup)
    return index === undefined ? this.#walk() : index.find(this.#isOpen, this.#judge)
  }

  /** Records that a claim uses the host ports of a pod. */
  took(claim: ClaimId, { ports }: EquivalenceGroup): void {
    if (ports.length > 0) this.#ports[claim] = [...(this.#ports[claim] ?? []), ...ports]
  }

  /** Releases the index of a fit key after its last pod is placed. */
  release(fitKey: number): void {
    this.#indexes.get(fitKey)?.release()
    this.#indexes.delete(fitKey)
  }

  /** Returns the index of the claims for a fit key, or undefined if too few pods would use it. */
  #indexOf({ fitKey }: Variant, equivalenceGroup: EquivalenceGroup): ClaimIndex | undefined {
    let index = this.#indexes.get(fitKey)
    if (index === undefined && this.#pending !== undefined && this.#pending.of(fitKey) >= this.#indexFrom) {
      index = new ClaimIndex(this.#claims, equivalenceGroup.row)
      this.#indexes.set(fitKey, index)
    }
    return index
  }

  /**
   * Returns whether claims with these constraints may take the current pod. Checks access, taints, requirements and the domains that
   * topology allows.
   */
  readonly #isOpen = (constraintsId: ConstraintsId): boolean => {
    if (constraintsId >= this.#openVerdicts.length) this.#openVerdicts = grown(this.#openVerdicts, constraintsId)
    // The number contains the attempt, and the result in its lowest bit.
    const verdict = intAt(this.#openVerdicts, constraintsId)
    if (verdict >> 1 === this.#attempt) return (verdict & 1) === 1
    const isOpen = this.#mayTake(constraintsId)
    this.#openVerdicts[constraintsId] = (this.#attempt << 1) | (isOpen ? 1 : 0)
    return isOpen
  }

  #mayTake(constraintsId: ConstraintsId): boolean {
    const variant = this.#variant
    const equivalenceGroup = this.#equivalenceGroup
    if (variant === undefined || equivalenceGroup === undefined) return false
    const { taints, name } = this.#problem.constraintsTable.get(constraintsId).index.template
    if (!this.#problem.admits(variant.tolerations, taints, name)) return false
    return (
      equivalenceGroup.volumeAlternatives.length > 1 ||
      this.#trial.narrowed(constraintsId, variant, equivalenceGroup) !== NO_CONSTRAINTS
    )
  }

  readonly #judge = (claim: ClaimId): ClaimVerdict => {
    this.steps++
    const variant = this.#variant
    const equivalenceGroup = this.#equivalenceGroup
    if (variant === undefined || equivalenceGroup === undefined) return NOT_NOW
    if (
      variant.hostGroups.length > 0 &&
      !this.#counts.allowsHost(variant, equivalenceGroup, hostOfClaim(this.#firstHost, claim))
    ) {
      if (this.#counts.mayRelent(variant)) return NOT_NOW
      this.#refuse(variant.hostKey, claim)
      return NEVER
    }
    const from = this.#claims.constraintsOf(claim)
    this.#trial.join(claim, equivalenceGroup.row)
    if (!this.#trial.fits(from) || this.#trial.isPastLimits(from, claim)) return NEVER
    if (equivalenceGroup.ports.length > 0) {
      const ports = this.#ports[claim]
      if (ports !== undefined && portsConflict(equivalenceGroup.ports, ports)) return NEVER
    }
    this.reached = this.#trial.joined(from, variant, equivalenceGroup, claim)
    return this.reached === NO_CONSTRAINTS ? NOT_NOW : TAKEN
  }

  /** Records that a claim permanently refuses pods with these hostname terms. */
  #refuse(hostKey: number, claim: ClaimId): void {
    let refused = this.#refused[hostKey]
    if (refused === undefined || claim >= refused.length) {
      const larger = new Uint8Array(this.#claims.capacity)
      if (refused !== undefined) larger.set(refused)
      refused = larger
      this.#refused[hostKey] = refused
    }
    refused[claim] = 1
  }

  /**
   * Tries one claim after the other. Claims that are too full for every remaining pod are removed from the walk. Buckets in which no claim
   * has enough slack are skipped.
   */
  #walk(): ClaimId {
    const claims = this.#claims
    const row = this.#equivalenceGroup?.row
    if (row === undefined) return NO_CLAIM
    const least = this.#least
    const refused = this.#refused[this.#variant?.hostKey ?? 0] ?? NONE_REFUSED
    for (let bucket = 1; bucket < claims.buckets; bucket++) {
      if (!claims.mayHold(bucket, row)) continue
      let claim = claims.first(bucket)
      while (claim >= 0) {
        this.steps++
        if (refused[claim] === 1) {
          claim = intAt(claims.next, claim, 'next claims') as ClaimId
          continue
        }
        const start = claim * SLACK_COLUMNS
        let column = 0
        while (
          column < SLACK_COLUMNS &&
          floatAt(row, column) <= floatAt(claims.slack, start + column, 'slack of claims')
        )
          column++
        if (column < SLACK_COLUMNS) {
          claim =
            floatAt(least, column) > floatAt(claims.slack, start + column, 'slack of claims')
              ? claims.retire(claim)
              : (intAt(claims.next, claim, 'next claims') as ClaimId)
          continue
        }
        if (this.#isOpen(claims.constraintsOf(claim)) && this.#judge(claim) === TAKEN) return claim
        claim = intAt(claims.next, claim, 'next claims') as ClaimId
      }
      claims.tighten(bucket)
    }
    return NO_CLAIM
  }
}

const grown = (array: Int32Array, place: number): Int32Array<ArrayBuffer> => {
  const larger = new Int32Array(Math.max(place + 1, 2 * array.length))
  larger.set(array)
  return larger
}
