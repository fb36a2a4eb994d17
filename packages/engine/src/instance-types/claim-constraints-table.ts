import { entryAt, floatAt, intAt, wordAt } from '../column.ts'
import { type ClaimConstraints, NO_CONSTRAINTS, type OpenDomains } from '../model/claim-constraints.ts'
import type { DomainNames } from '../model/domain-names.ts'
import type { ConstraintsId, RequirementsId } from '../model/ids.ts'
import type { OfferingIndex } from '../model/offering-index.ts'
import type { Template } from '../model/template.ts'
import { type LabelRules, labels } from '../requirements/label-rules.ts'
import { Requirement } from '../requirements/requirement.ts'
import { Requirements } from '../requirements/requirements.ts'
import type { ResourceTable } from '../resources/resource-table.ts'
import { profileValues } from './offering-sets.ts'
import { TemplateOfferings } from './template-offerings.ts'

/** The number of pools for which the constructor creates root constraints. */
const FIRST_ROOTS = 64

/** For a topology label with fewer domains than this, the constraints for a single domain are looked up by number. */
const MOST_NUMBERED = 2 ** 16

/** All claim constraints of one decision. Caches the transitions between them, so each transition is computed once. */
export class ClaimConstraintsTable {
  readonly list: ClaimConstraints[] = []
  readonly #byIdentity = new Map<string, ConstraintsId>()
  readonly #joins: Map<RequirementsId, ConstraintsId>[] = []
  readonly #pins: Map<string, ConstraintsId>[] = []
  readonly #onePins: Map<number, ConstraintsId>[] = []
  readonly #indexes: readonly OfferingIndex[]
  readonly #rules: LabelRules
  readonly #names: DomainNames
  readonly #allowedSets: (Uint32Array | undefined)[] = [undefined]
  readonly #allowedByText = new Map<string, number>([['', 0]])
  readonly #roots: ConstraintsId[] = []
  readonly #requirementNumbers = new Map<string, RequirementsId>()
  readonly #requirementSets: Requirements[] = []

  constructor(templates: readonly Template[], table: ResourceTable, rules: LabelRules, names: DomainNames) {
    this.#rules = rules
    this.#names = names
    this.requirementNumber(Requirements.none)
    this.#indexes = templates.map((template) => new TemplateOfferings(template, table, rules))
    // Nearly every decision uses the first pools. With thousands of pools, most are never used.
    for (let template = 0; template < Math.min(templates.length, FIRST_ROOTS); template++) this.#rootOf(template)
  }

  get(id: ConstraintsId): ClaimConstraints {
    const constraints = this.list[id]
    if (constraints === undefined) throw new RangeError(`no constraints ${id}`)
    return constraints
  }

  /** Returns the number of an interned set of requirements. Equal sets have equal numbers, and the empty set has 0. */
  requirementNumber(requirements: Requirements): RequirementsId {
    const identity = requirements.identity
    let number = this.#requirementNumbers.get(identity)
    if (number === undefined) {
      number = this.#requirementSets.length as RequirementsId
      this.#requirementNumbers.set(identity, number)
      this.#requirementSets.push(requirements)
    }
    return number
  }

  requirementSet(number: RequirementsId): Requirements {
    const set = this.#requirementSets[number]
    if (set === undefined) throw new RangeError(`no requirements ${number}`)
    return set
  }

  /** Returns the constraints of a new claim of a template. `allowed` is the number of a set of instance types (0 for all). */
  root(template: number, allowed = 0): ConstraintsId {
    const id = this.#rootOf(template)
    if (allowed === 0 || id === NO_CONSTRAINTS) return id
    const constraints = this.get(id)
    return this.#intern(constraints.index, constraints.requirements, [], allowed)
  }

  #rootOf(template: number): ConstraintsId {
    let id = this.#roots[template]
    if (id === undefined) {
      const index = this.#indexes[template]
      id = index === undefined ? NO_CONSTRAINTS : this.#intern(index, index.template.requirements, [], 0)
      this.#roots[template] = id
    }
    return id
  }

  /** Interns a set of offerings that pool limits allow and returns its number. */
  allow(set: Uint32Array): number {
    const text = set.join()
    let number = this.#allowedByText.get(text)
    if (number === undefined) {
      number = this.#allowedSets.length
      this.#allowedByText.set(text, number)
      this.#allowedSets.push(set)
    }
    return number
  }

  /** Returns the constraints with additional requirements; `NO_CONSTRAINTS` if they contradict one another or leave no offering. */
  join(from: ConstraintsId, requirementNumber: RequirementsId): ConstraintsId {
    if (requirementNumber === 0) return from
    const joins = this.#joins[from]
    let to = joins?.get(requirementNumber)
    if (to === undefined) {
      to = this.#join(this.get(from), this.requirementSet(requirementNumber))
      joins?.set(requirementNumber, to)
    }
    return to
  }

  #join(constraints: ClaimConstraints, incoming: Requirements): ConstraintsId {
    let wanted = incoming
    const host = incoming.byKey.get(labels.hostname)
    if (host !== undefined) {
      // A new node has no name yet. So it satisfies a requirement on the name only if every name does.
      if (!host.complement || host.gte !== undefined || host.lte !== undefined) return NO_CONSTRAINTS
      wanted = incoming.without(labels.hostname)
    }
    if (!constraints.requirements.accepts(wanted, this.#rules.isWellKnown)) return NO_CONSTRAINTS
    return this.#intern(
      constraints.index,
      constraints.requirements.merge(wanted),
      constraints.excludedGroups,
      constraints.allowed,
    )
  }

  /** Returns the constraints with one requirement replaced, for policies about `minValues`. */
  replace(from: ConstraintsId, requirement: Requirement): ConstraintsId {
    const constraints = this.get(from)
    return this.#intern(
      constraints.index,
      constraints.requirements.replace(requirement),
      constraints.excludedGroups,
      constraints.allowed,
    )
  }

  /**
   * Returns the constraints without the instance types of some daemon groups, because a daemon of these groups uses a host port that the
   * pod requires.
   */
  exclude(from: ConstraintsId, groups: readonly number[]): ConstraintsId {
    const constraints = this.get(from)
    const all = [...new Set([...constraints.excludedGroups, ...groups])].sort((a, b) => a - b)
    if (all.length === constraints.excludedGroups.length) return from
    return this.#intern(constraints.index, constraints.requirements, all, constraints.allowed)
  }

  /** Returns the constraints with only the offerings for which `passes` returns true. */
  restrict(from: ConstraintsId, passes: (offering: number) => boolean): ConstraintsId {
    const constraints = this.get(from)
    const set = new Uint32Array(constraints.offerings.length)
    forEachBit(constraints.offerings, (offering) => {
      if (passes(offering)) set[offering >>> 5] = wordAt(set, offering >>> 5) | (1 << (offering & 31))
    })
    return this.#intern(constraints.index, constraints.requirements, constraints.excludedGroups, this.allow(set))
  }

  /** Returns the constraints with a topology label restricted to one domain. */
  pinOne(from: ConstraintsId, key: number, domain: number): ConstraintsId {
    if (domain >= MOST_NUMBERED) return this.pin(from, key, [domain])
    const pins = this.#onePins[from]
    const place = key * MOST_NUMBERED + domain
    let to = pins?.get(place)
    if (to === undefined) {
      to = this.pin(from, key, [domain])
      pins?.set(place, to)
    }
    return to
  }

  /** Returns the constraints of a node without a topology label. */
  pinNone(from: ConstraintsId, key: number): ConstraintsId {
    return this.pin(from, key, [])
  }

  /** Returns the constraints with a topology label restricted to some domains. */
  pin(from: ConstraintsId, key: number, domains: readonly number[]): ConstraintsId {
    const pins = this.#pins[from]
    const text = `${key}:${domains.join()}`
    let to = pins?.get(text)
    if (to === undefined) {
      const values = domains.map((domain) => this.#names.names[key]?.[domain] ?? '')
      const requirement = Requirement.in(this.#names.keys[key] ?? '', values)
      to = this.join(from, this.requirementNumber(Requirements.of([requirement])))
      pins?.set(text, to)
    }
    return to
  }

  /** Returns the domains of a topology label that the remaining offerings allow. */
  openDomains(id: ConstraintsId, key: number): OpenDomains {
    const constraints = this.get(id)
    let open = constraints.domains.get(key)
    if (open === undefined) {
      open = this.#openDomains(constraints, key)
      constraints.domains.set(key, open)
    }
    return open
  }

  #openDomains(constraints: ClaimConstraints, key: number): OpenDomains {
    const label = this.#names.keys[key] ?? ''
    const names = this.#names.names[key] ?? []
    const required = constraints.requirements.get(label)
    const isRequired = constraints.requirements.has(label)
    const isWellKnown = this.#rules.isWellKnown(label)
    let mayBeAbsent = false
    const isOpen = new Uint8Array(names.length)
    const byPrice: number[] = []
    const mark = (value: string) => {
      const domain = this.#names.numberOf(key, value)
      if (domain === undefined || isOpen[domain] === 1 || !required.has(value)) return
      isOpen[domain] = 1
      byPrice.push(domain)
    }
    const { profiles, of } = constraints.index.sets.profilesOf(label)
    const isSeen = new Uint8Array(profiles.length)
    let unseen = profiles.length
    const { offerings } = constraints
    // Offerings of the same profile allow the same domains, so only the cheapest offering of each profile is looked at.
    for (let word = 0; word < offerings.length && unseen > 0 && byPrice.length < names.length; word++) {
      let rest = wordAt(offerings, word)
      while (rest !== 0) {
        const profile = intAt(of, (word << 5) + 31 - Math.clz32(rest & -rest))
        rest &= rest - 1
        if (isSeen[profile] === 1) continue
        isSeen[profile] = 1
        unseen--
        const values = profileValues(profiles[profile])
        const isUnknown = values === undefined && isWellKnown
        if (!isUnknown && (values === undefined || values.size === 0) && (!isRequired || required.admitsAbsence))
          mayBeAbsent = true
        if (values !== undefined) for (const value of values) mark(value)
        else if (!required.complement) for (const value of required.values) mark(value)
        else if (isRequired || isWellKnown) for (const value of names) mark(value)
      }
    }
    return { domains: Int32Array.from(byPrice).sort(), byPrice: Int32Array.from(byPrice), mayBeAbsent }
  }

  #intern(
    index: OfferingIndex,
    requirements: Requirements,
    excluded: readonly number[],
    allowed: number,
  ): ConstraintsId {
    const identity = `${index.template.index}|${allowed}|${excluded.join()}|${requirements.identity}`
    const known = this.#byIdentity.get(identity)
    if (known !== undefined) return known
    const offerings = index.sets.offeringsOf(requirements, excluded, this.#allowedSets[allowed])
    const isEmpty = offerings.every((word) => word === 0)
    const id = isEmpty ? NO_CONSTRAINTS : (this.list.length as ConstraintsId)
    this.#byIdentity.set(identity, id)
    if (isEmpty) return id
    const front = paretoFront(index, offerings)
    this.list.push({
      id,
      index,
      requirements,
      excludedGroups: excluded,
      allowed,
      offerings,
      front,
      frontSize: index.width === 0 ? 1 : front.length / index.width,
      largest: largestAmounts(front, index.width),
      hasMinValues: requirements.hasMinValues,
      domains: new Map(),
    })
    this.#joins.push(new Map())
    this.#pins.push(new Map())
    this.#onePins.push(new Map())
    return id
  }
}

/** Calls `visit` for each set bit, in ascending order. */
export const forEachBit = (bits: Uint32Array, visit: (index: number) => void): void => {
  for (let word = 0; word < bits.length; word++) {
    let rest = wordAt(bits, word)
    while (rest !== 0) {
      const bit = 31 - Math.clz32(rest & -rest)
      visit((word << 5) + bit)
      rest &= rest - 1
    }
  }
}

/** Returns the rows of allocatable capacity that no other row of the set dominates. */
const paretoFront = (index: OfferingIndex, offerings: Uint32Array): Float64Array => {
  const { width, rows, vectorOf, largestFirst } = index
  const isSeen = new Uint8Array(largestFirst.length)
  for (let word = 0; word < offerings.length; word++) {
    let rest = wordAt(offerings, word)
    while (rest !== 0) {
      isSeen[intAt(vectorOf, (word << 5) + 31 - Math.clz32(rest & -rest), 'rows of offerings')] = 1
      rest &= rest - 1
    }
  }
  const front: number[] = []
  for (let place = 0; place < largestFirst.length; place++) {
    const vector = intAt(largestFirst, place)
    if (isSeen[vector] !== 1) continue
    let other = 0
    while (other < front.length && !covers(rows, width, entryAt(front, other), vector)) other++
    if (other === front.length) front.push(vector)
  }
  const flat = new Float64Array(front.length * width)
  for (const [place, vector] of front.entries()) {
    flat.set(rows.subarray(vector * width, (vector + 1) * width), place * width)
  }
  return flat
}

const covers = (rows: Float64Array, width: number, larger: number, smaller: number): boolean => {
  for (let column = 0; column < width; column++) {
    if (floatAt(rows, larger * width + column) < floatAt(rows, smaller * width + column)) return false
  }
  return true
}

const largestAmounts = (front: Float64Array, width: number): Float64Array => {
  const largest = new Float64Array(width)
  for (const [place, allocatable] of front.entries()) {
    const column = place % width
    if (allocatable > floatAt(largest, column)) largest[column] = allocatable
  }
  return largest
}
