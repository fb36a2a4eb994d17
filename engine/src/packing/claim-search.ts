import { floatAt, intAt } from '../column.ts'
import { NO_CONSTRAINTS } from '../model/claim-constraints.ts'
import type { HostPort } from '../model/host-port.ts'
import { type ClaimId, type ConstraintsId, hostOfClaim, NO_CLAIM } from '../model/ids.ts'
import type { PodGroup, Variant } from '../model/pod-group.ts'
import { portsConflict } from '../pods/host-ports.ts'
import type { Problem } from '../problem/problem.ts'
import type { TopologyCounts } from '../topology/topology-counts.ts'
import { ClaimIndex, type ClaimVerdict, NEVER, NOT_NOW, TAKEN } from './claim-index.ts'
import { type ClaimTable, SLACK_COLUMNS } from './claim-table.ts'
import type { ClaimTrial } from './claim-trial.ts'
import type { PendingPods } from './pending-pods.ts'

/** Kinds of pods with fewer are found a claim by walking, the others by an index of their own. */
export const INDEX_FROM = 12

const NONE_REFUSED = new Uint8Array(0)

/** What is searched, and with what. */
interface SearchParts {
  readonly claims: ClaimTable
  readonly counts: TopologyCounts
  readonly trial: ClaimTrial
  /** Least that any pod still to be placed asks for, by slack column; read at each search. */
  readonly least: Float64Array
  /** How many pods of a kind make an index of their own worth its while. */
  readonly indexFrom: number
  /** Pods that may still ask; `undefined` for a question, which makes no index. */
  readonly pending: PendingPods | undefined
}

/**
 * Finds a pod the first claim in order, among those being opened, that takes it
 * (`docs/spec/scheduling.md#claims-being-opened`).
 */
export class ClaimSearch {
  /** Claims that were looked at. */
  steps = 0
  /** The state that the claim found last will be in with its pod. */
  reached = NO_CONSTRAINTS
  readonly #problem: Problem
  readonly #claims: ClaimTable
  readonly #counts: TopologyCounts
  readonly #trial: ClaimTrial
  readonly #least: Float64Array
  readonly #indexFrom: number
  readonly #pending: PendingPods | undefined
  /** The number among hosts of the first claim. */
  readonly #firstHost: number
  readonly #ports: (readonly HostPort[] | undefined)[] = []
  readonly #indexes = new Map<number, ClaimIndex>()
  /** By host terms (`Variant.hostKey`): 1 for claims that refuse them for good. */
  readonly #refused: (Uint8Array | undefined)[] = []
  /** Number of the attempt, and by state what was found out in it. */
  #attempt = 0
  #openVerdicts = new Int32Array(64)
  #podGroup: PodGroup | undefined
  #variant: Variant | undefined

  constructor(problem: Problem, { claims, counts, trial, least, indexFrom, pending }: SearchParts) {
    this.#problem = problem
    this.#claims = claims
    this.#counts = counts
    this.#trial = trial
    this.#least = least
    this.#indexFrom = indexFrom
    this.#pending = pending
    this.#firstHost = problem.nodes.length
  }

  /** The claim, -1 for none. It is on trial with the pod then. */
  find(variant: Variant, podGroup: PodGroup): ClaimId {
    this.#attempt++
    this.#podGroup = podGroup
    this.#variant = variant
    const index = this.#indexOf(variant, podGroup)
    return index === undefined ? this.#walk() : index.find(this.#isOpen, this.#judge)
  }

  /** A claim has taken a pod, and its host ports with it. */
  took(claim: ClaimId, { ports }: PodGroup): void {
    if (ports.length > 0) this.#ports[claim] = [...(this.#ports[claim] ?? []), ...ports]
  }

  /** The last pod of a kind (`Variant.fitKey`) is placed. */
  release(fitKey: number): void {
    this.#indexes.get(fitKey)?.release()
    this.#indexes.delete(fitKey)
  }

  /** The index of a fit key, if enough pods may ask with it to make one. */
  #indexOf({ fitKey }: Variant, podGroup: PodGroup): ClaimIndex | undefined {
    let index = this.#indexes.get(fitKey)
    if (index === undefined && this.#pending !== undefined && this.#pending.of(fitKey) >= this.#indexFrom) {
      index = new ClaimIndex(this.#claims, podGroup.row)
      this.#indexes.set(fitKey, index)
    }
    return index
  }

  /** Whether claims in a state may take the pod of this attempt, as far as requirements and open domains say. */
  readonly #isOpen = (constraintsId: ConstraintsId): boolean => {
    if (constraintsId >= this.#openVerdicts.length) this.#openVerdicts = grown(this.#openVerdicts, constraintsId)
    // The attempt and the verdict as one number.
    const verdict = intAt(this.#openVerdicts, constraintsId)
    if (verdict >> 1 === this.#attempt) return (verdict & 1) === 1
    const isOpen = this.#mayTake(constraintsId)
    this.#openVerdicts[constraintsId] = (this.#attempt << 1) | (isOpen ? 1 : 0)
    return isOpen
  }

  #mayTake(constraintsId: ConstraintsId): boolean {
    const variant = this.#variant
    const podGroup = this.#podGroup
    if (variant === undefined || podGroup === undefined) return false
    const { taints } = this.#problem.constraintsTable.get(constraintsId).index.template
    if (taints.length > 0 && !this.#problem.tolerates(variant.tolerations, taints)) return false
    return (
      podGroup.volumeAlternatives.length > 1 ||
      this.#trial.narrowed(constraintsId, variant, podGroup) !== NO_CONSTRAINTS
    )
  }

  readonly #judge = (claim: ClaimId): ClaimVerdict => {
    this.steps++
    const variant = this.#variant
    const podGroup = this.#podGroup
    if (variant === undefined || podGroup === undefined) return NOT_NOW
    if (
      variant.hostGroups.length > 0 &&
      !this.#counts.allowsHost(variant, podGroup, hostOfClaim(this.#firstHost, claim))
    ) {
      if (this.#counts.mayRelent(variant)) return NOT_NOW
      this.#refuse(variant.hostKey, claim)
      return NEVER
    }
    const from = this.#claims.constraintsOf(claim)
    this.#trial.join(claim, podGroup.row)
    if (!this.#trial.fits(from) || this.#trial.isPastLimits(from, claim)) return NEVER
    if (podGroup.ports.length > 0) {
      const ports = this.#ports[claim]
      if (ports !== undefined && portsConflict(podGroup.ports, ports)) return NEVER
    }
    this.reached = this.#trial.joined(from, variant, podGroup, claim)
    return this.reached === NO_CONSTRAINTS ? NOT_NOW : TAKEN
  }

  /** Remembers that pods with these host terms are refused by a claim for good. */
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
   * Looks at one claim after the other. Claims that are too full for any pod still to come leave the walk; buckets in which
   * none has enough slack are passed over.
   */
  #walk(): ClaimId {
    const claims = this.#claims
    const row = this.#podGroup?.row
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
