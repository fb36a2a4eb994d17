import { intAt, wordAt } from '../column.ts'
import type { InstanceTypeOptions } from '../model/instance-type-options.ts'
import type { KeyProfiles, OfferingSets, Profile } from '../model/offering-index.ts'
import type { LabelRules } from '../requirements/label-rules.ts'
import type { Requirement } from '../requirements/requirement.ts'
import type { Requirements } from '../requirements/requirements.ts'

/**
 * Sets of a pool's offerings as bits in price order: bit `i` is offering `i`, so the lowest set bit is the cheapest offering. The set for
 * each requirement on a label is computed once.
 */
export class IndexedOfferingSets implements OfferingSets {
  readonly #typeOptions: InstanceTypeOptions
  readonly size: number
  readonly words: number
  /** The names of the offered capacity types. */
  readonly capacityTypes: readonly string[]
  /** For each offering, the index of its capacity type in `capacityTypes`. */
  readonly capacityTypeOf: Int32Array
  readonly #profiles = new Map<string, KeyProfiles>()
  readonly #sets = new Map<string, Uint32Array | undefined>()
  readonly #groupSets = new Map<number, Uint32Array>()
  /** Labels that a node has only if its offering requires them. Does not contain well-known labels. */
  readonly #ownKeys: readonly string[]

  constructor(typeOptions: InstanceTypeOptions, rules: LabelRules) {
    this.#typeOptions = typeOptions
    this.size = typeOptions.offerings.length
    this.words = (this.size + 31) >>> 5
    const ownKeys = new Set<string>()
    for (const { requirements } of typeOptions.offerings) {
      for (const [key, requirement] of requirements.byKey) {
        if (!requirement.admitsAbsence && !rules.isWellKnown(key)) ownKeys.add(key)
      }
    }
    this.#ownKeys = [...ownKeys]
    const capacityTypes: string[] = []
    this.capacityTypes = capacityTypes
    this.capacityTypeOf = Int32Array.from(typeOptions.offerings, ({ capacityType }) => {
      const known = capacityTypes.indexOf(capacityType)
      return known >= 0 ? known : capacityTypes.push(capacityType) - 1
    })
  }

  /** Returns the offerings that a node with these requirements may have. Leaves out instance types of the excluded daemon groups. */
  offeringsOf(
    requirements: Requirements,
    excludedGroups: readonly number[],
    allowed: Uint32Array | undefined,
  ): Uint32Array {
    const bits = new Uint32Array(this.words).fill(0xffffffff)
    const rest = this.size & 31
    if (rest !== 0) bits[this.words - 1] = (2 ** rest - 1) >>> 0
    for (const requirement of requirements.byKey.values()) {
      const set = this.setOf(requirement)
      if (set !== undefined) intersect(bits, set)
    }
    for (const key of this.#ownKeys) if (!requirements.has(key)) intersect(bits, this.#without(key))
    for (const group of excludedGroups) subtract(bits, this.#ofGroup(group))
    if (allowed !== undefined) intersect(bits, allowed)
    return bits
  }

  /**
   * Returns the offerings that are compatible with a requirement, given their own requirements and those of their instance type. Returns
   * `undefined` if all offerings are compatible.
   */
  setOf(requirement: Requirement): Uint32Array | undefined {
    const { key } = requirement
    const { profiles, of } = this.profilesOf(key)
    if (profiles.length === 1 && profiles[0]?.type === undefined && profiles[0]?.offering === undefined)
      return undefined
    const identity = requirement.identity
    if (this.#sets.has(identity)) return this.#sets.get(identity)
    let isWhole = true
    const passes = Uint8Array.from(profiles, ({ type, offering }) => {
      const agrees =
        (type === undefined || requirement.agreesWith(type)) &&
        (offering === undefined || requirement.agreesWith(offering))
      if (!agrees) isWhole = false
      return agrees ? 1 : 0
    })
    const set = isWhole ? undefined : this.#ofProfiles(of, passes)
    this.#sets.set(identity, set)
    return set
  }

  /** Returns the offerings whose profiles are marked in `passes`. */
  #ofProfiles(of: Int32Array, passes: Uint8Array): Uint32Array {
    const set = new Uint32Array(this.words)
    for (let index = 0; index < of.length; index++) {
      if (passes[intAt(of, index)] === 1) set[index >>> 5] = wordAt(set, index >>> 5) | (1 << (index & 31))
    }
    return set
  }

  #without(key: string): Uint32Array {
    const { profiles, of } = this.profilesOf(key)
    return this.#ofProfiles(
      of,
      Uint8Array.from(profiles, ({ offering }) => (offering?.admitsAbsence === false ? 0 : 1)),
    )
  }

  #ofGroup(group: number): Uint32Array {
    let set = this.#groupSets.get(group)
    if (set === undefined) {
      const { offerings, types } = this.#typeOptions
      const of = Int32Array.from(offerings, ({ type }) => type)
      set = this.#ofProfiles(
        of,
        Uint8Array.from(types, ({ daemonGroup }) => (daemonGroup === group ? 1 : 0)),
      )
      this.#groupSets.set(group, set)
    }
    return set
  }

  /** Returns the requirements that instance types and offerings have on a label. */
  profilesOf(key: string): KeyProfiles {
    let known = this.#profiles.get(key)
    if (known !== undefined) return known
    const profiles: Profile[] = []
    // Equal requirements are usually the same object. If they are different objects, there are more profiles than necessary, which does no
    // harm.
    const numbers = new Map<Requirement | undefined, Map<Requirement | undefined, number>>()
    const of = new Int32Array(this.size)
    const { types, offerings } = this.#typeOptions
    for (let index = 0; index < offerings.length; index++) {
      const entry = offerings[index]
      const type = types[entry?.type ?? 0]?.requirements.byKey.get(key)
      const offering = entry?.requirements.byKey.get(key)
      let byOffering = numbers.get(type)
      if (byOffering === undefined) {
        byOffering = new Map()
        numbers.set(type, byOffering)
      }
      let number = byOffering.get(offering)
      if (number === undefined) {
        number = profiles.length
        byOffering.set(offering, number)
        profiles.push({ type, offering })
      }
      of[index] = number
    }
    known = { profiles, of }
    this.#profiles.set(key, known)
    return known
  }
}

/** Returns the values of a label that the instance type and the offering allow, or `undefined` if they do not restrict the label. */
export const profileValues = (profile: Profile | undefined): ReadonlySet<string> | undefined => {
  if (profile?.offering !== undefined && !profile.offering.complement) return profile.offering.values
  if (profile?.type !== undefined && !profile.type.complement) return profile.type.values
  return undefined
}

const intersect = (bits: Uint32Array, other: Uint32Array): void => {
  for (let word = 0; word < bits.length; word++) bits[word] = wordAt(bits, word) & wordAt(other, word)
}

const subtract = (bits: Uint32Array, other: Uint32Array): void => {
  for (let word = 0; word < bits.length; word++) bits[word] = wordAt(bits, word) & ~wordAt(other, word)
}
