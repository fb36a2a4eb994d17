import {
  annotations,
  isConditionTrue,
  labels,
  type Milliseconds,
  type NodeClaim,
  type NodePool,
  type NodeSelectorRequirement,
  ownValue,
  parseTime,
} from '@kerf/apis'
import { hasTypeLabel, LabelRules } from '@kerf/engine'
import { areCompatible, type CloudProvider, isNodeClaimNotFound } from '@kerf/provider-contract'
import { type Clock, TtlCache } from '@kerf/runtime'

/** The instance type of a claim is checked only from this age on. A younger claim was launched with current offerings. */
const OLD_ENOUGH: Milliseconds = 3_600_000
/** How long the check is skipped after it has found the instance type of a claim. */
const FOUND_FOR: Milliseconds = 1_800_000

const NO_LABELS: Readonly<Record<string, string>> = Object.freeze({})
const NO_REQUIREMENTS: readonly NodeSelectorRequirement[] = Object.freeze([])

/**
 * Checks whether the node of a claim differs from what its pool requires (`docs/spec/lifecycle.md#other-claim-controllers`).
 */
export class DriftChecks {
  readonly #clock: Clock
  readonly #provider: CloudProvider
  readonly #rules: LabelRules
  readonly #found: TtlCache<string, true>
  readonly #met = new WeakMap<
    object,
    { readonly wanted: readonly NodeSelectorRequirement[]; readonly isMet: boolean }
  >()

  constructor({ clock, provider }: { readonly clock: Clock; readonly provider: CloudProvider }) {
    this.#clock = clock
    this.#provider = provider
    this.#rules = new LabelRules(provider.vocabulary)
    this.#found = new TtlCache(clock, { ttl: FOUND_FOR })
  }

  /** Returns the first drift reason that applies, or undefined if the claim has not drifted or has no instance yet. */
  async reasonOf(claim: NodeClaim, pool: NodePool, signal: AbortSignal): Promise<string | undefined> {
    if (!isConditionTrue(claim, 'Launched')) return undefined
    if (isTemplateChanged(claim, pool)) return 'NodePoolDrifted'
    if (!this.#meetsRequirements(claim, pool)) return 'RequirementsDrifted'
    if (!(await this.#isOffered(claim, pool, signal))) return 'InstanceTypeNotFound'
    try {
      return await this.#provider.isDrifted(claim, signal)
    } catch (error) {
      if (isNodeClaimNotFound(error)) return undefined
      throw error
    }
  }

  /** Caches the result per pair of labels and requirements, both of which are immutable objects. */
  #meetsRequirements(claim: NodeClaim, pool: NodePool): boolean {
    const carried = claim.metadata.labels ?? NO_LABELS
    const wanted = pool.spec.template.spec.requirements ?? NO_REQUIREMENTS
    const known = this.#met.get(carried)
    if (known?.wanted === wanted) return known.isMet
    const isMet = this.#rules.ofLabels(carried).accepts(this.#rules.requirements(wanted))
    this.#met.set(carried, { wanted, isMet })
    return isMet
  }

  async #isOffered(claim: NodeClaim, pool: NodePool, signal: AbortSignal): Promise<boolean> {
    const uid = claim.metadata.uid ?? ''
    const born = parseTime(claim.metadata.creationTimestamp) ?? this.#clock.now()
    if (this.#clock.now() - born <= OLD_ENOUGH || this.#found.has(uid)) return true
    const types = await this.#provider.instanceTypes(pool, signal)
    const carried = claim.metadata.labels ?? {}
    const wanted = offeringWanted(carried)
    const isOffered = types.some(
      (type) =>
        hasTypeLabel(type, carried[labels.instanceType]) &&
        type.offerings.some(({ requirements }) => areCompatible(wanted, requirements)),
    )
    if (isOffered) this.#found.set(uid, true)
    return isOffered
  }
}

/** Returns whether the template hashes of the claim and the pool differ. Hashes of different hash versions are not compared. */
const isTemplateChanged = (claim: NodeClaim, pool: NodePool): boolean => {
  const of = (object: NodeClaim | NodePool, key: string): string | undefined =>
    ownValue(object.metadata.annotations, key)
  const mine = of(claim, annotations.nodePoolHash)
  const its = of(pool, annotations.nodePoolHash)
  const version = of(claim, annotations.nodePoolHashVersion)
  if (mine === undefined || its === undefined || version === undefined) return false
  return version === of(pool, annotations.nodePoolHashVersion) && mine !== its
}

/**
 * Returns requirements that match the node's offering. For a node from a reservation, they also allow on-demand, because the reservation
 * may end while the instance keeps running.
 */
const offeringWanted = (carried: Readonly<Record<string, string>>): readonly NodeSelectorRequirement[] => {
  const isReserved = carried[labels.capacityType] === 'reserved'
  const keys = isReserved ? [labels.zone] : Object.keys(carried)
  const wanted = keys.flatMap((key): NodeSelectorRequirement[] => {
    const value = ownValue(carried, key)
    return value === undefined ? [] : [{ key, operator: 'In', values: [value] }]
  })
  return isReserved
    ? [...wanted, { key: labels.capacityType, operator: 'In', values: ['reserved', 'on-demand'] }]
    : wanted
}
