import type { InstanceType } from '../instance-type.ts'
import type { Daemon, DaemonGroup } from '../model/daemon.ts'
import {
  type InstanceTypeOptions,
  type OfferingEntry,
  type TypeEntry,
  UNKNOWN_PRICE,
} from '../model/instance-type-options.ts'
import { type LabelRules, labels } from '../requirements/label-rules.ts'
import { byText } from '../requirements/requirement.ts'
import type { Requirements } from '../requirements/requirements.ts'
import type { Amounts } from '../resources/amounts.ts'
import { allocatableGroups } from './allocatable.ts'
import { fittingDaemons, runsOn, toDaemonGroup } from './daemons.ts'
import { bySize } from './instance-size.ts'

/** The maximum number of cached results per list of instance types. A full cache is cleared, so that it cannot grow without limit. */
const MOST_KEPT = 4096

/** A provider's list of instance types, which is read once for all pools that use it. */
export class InstanceTypeList {
  readonly #rules: LabelRules
  readonly #reservationLabel: string | undefined
  readonly #types: readonly { readonly type: InstanceType; readonly requirements: Requirements }[]
  /** Labels on which instance types and offerings have requirements. */
  readonly #keys: ReadonlySet<string>
  readonly #typeOptionsByText = new Map<string, InstanceTypeOptions>()

  constructor(types: readonly InstanceType[], rules: LabelRules, reservationLabel: string | undefined) {
    this.#rules = rules
    this.#reservationLabel = reservationLabel
    this.#types = types
      .map((type) => ({ type, requirements: rules.requirements(type.requirements ?? []) }))
      .sort((a, b) => byText(a.type.name, b.type.name))
    const keys = new Set<string>()
    for (const { type, requirements } of this.#types) {
      for (const key of requirements.byKey.keys()) keys.add(key)
      for (const offering of type.offerings) {
        for (const { key } of offering.requirements ?? []) keys.add(rules.keyOf(key))
      }
    }
    this.#keys = keys
  }

  get isEmpty(): boolean {
    return this.#types.length === 0
  }

  /**
   * Returns the instance types and offerings that a pool with these requirements can launch. `daemons` are the daemons that tolerate the
   * pool's taints.
   */
  typeOptionsOf(requirements: Requirements, daemons: readonly Daemon[]): InstanceTypeOptions {
    const text = this.#textOf(requirements, daemons)
    let typeOptions = this.#typeOptionsByText.get(text)
    if (typeOptions === undefined) {
      if (this.#typeOptionsByText.size >= MOST_KEPT) this.#typeOptionsByText.clear()
      typeOptions = this.#read(requirements, daemons)
      this.#typeOptionsByText.set(text, typeOptions)
    }
    return typeOptions
  }

  /**
   * Returns a cache key that contains everything relevant about the labels that types, offerings or daemons use. Equal keys mean equal
   * options.
   */
  #textOf(requirements: Requirements, daemons: readonly Daemon[]): string {
    const parts: string[] = []
    for (const [key, requirement] of requirements.byKey) {
      const matters =
        this.#keys.has(key) ||
        daemons.some(({ alternatives }) => alternatives.some((alternative) => alternative.has(key)))
      if (matters) parts.push(requirement.identity)
    }
    parts.sort(byText)
    for (const { identity } of daemons) parts.push(identity)
    return parts.join('\n')
  }

  #read(requirements: Requirements, daemons: readonly Daemon[]): InstanceTypeOptions {
    const types: Omit<TypeEntry, 'daemonGroup'>[] = []
    const offerings: OfferingEntry[] = []
    const reachable: Requirements[] = []
    for (const { type, requirements: own } of this.#types) {
      if (!own.intersects(requirements)) continue
      reachable.push(own)
      const entries = this.#offeringsOf(type, types.length, requirements)
      if (entries.length === 0) continue
      types.push({ type, requirements: own })
      for (const entry of entries) offerings.push(entry)
    }
    const grouped = this.#grouped(types, offerings, requirements, daemons)
    offerings.sort(byPrice(types))
    const reserved = offerings.filter(({ reservation }) => reservation !== undefined)
    return { ...grouped, offerings, reserved, reachable }
  }

  /** Groups the instance types by the daemons that run on their nodes. */
  #grouped(
    types: readonly Omit<TypeEntry, 'daemonGroup'>[],
    offerings: readonly OfferingEntry[],
    requirements: Requirements,
    daemons: readonly Daemon[],
  ): Pick<InstanceTypeOptions, 'types' | 'daemonGroups'> {
    const fitting = fittingDaemons(daemons, [...new Set(offerings.map(({ allocatable }) => allocatable))])
    const groups = new Map<string, number>()
    const daemonGroups: DaemonGroup[] = []
    const grouped = types.map(({ type, requirements: own }) => {
      const running = fitting.filter((daemon) => runsOn(daemon, requirements, own, this.#rules))
      const key = JSON.stringify(running.map((daemon) => daemon.name))
      let group = groups.get(key)
      if (group === undefined) {
        group = daemonGroups.length
        groups.set(key, group)
        daemonGroups.push(toDaemonGroup(running))
      }
      return { type, requirements: own, daemonGroup: group }
    })
    return { types: grouped, daemonGroups }
  }

  #offeringsOf(type: InstanceType, number: number, requirements: Requirements): OfferingEntry[] {
    const entries: OfferingEntry[] = []
    const reservationLabel = this.#reservationLabel
    for (const { allocatable, offerings } of allocatableGroups(type)) {
      // An instance type whose overhead exceeds its capacity cannot run pods.
      if (hasNegative(allocatable)) continue
      for (const offering of offerings) {
        const price = orderPrice(offering.price)
        if (price === undefined) continue
        const own = this.#rules.requirements(offering.requirements ?? [])
        if (!requirements.accepts(own, this.#rules.isWellKnown)) continue
        const capacityType = own.get(labels.capacityType).any()
        entries.push({
          offering,
          requirements: own,
          type: number,
          allocatable,
          price,
          zone: own.has(labels.zone) ? own.get(labels.zone).any() : '',
          capacityType,
          reservation:
            capacityType === 'reserved' && reservationLabel !== undefined && own.has(reservationLabel)
              ? own.get(reservationLabel).any()
              : undefined,
        })
      }
    }
    return entries
  }
}

const hasNegative = (amounts: Amounts): boolean => {
  for (const amount of amounts.values()) if (amount < 0n) return true
  return false
}

/** Returns the price by which an offering is sorted: infinity if the price is unknown, and `undefined` if it is invalid. */
const orderPrice = (price: unknown): number | undefined => {
  if (price === undefined) return UNKNOWN_PRICE
  return typeof price === 'number' && Number.isFinite(price) && price >= 0 ? price : undefined
}

const byPrice =
  (types: readonly Pick<TypeEntry, 'type'>[]) =>
  (a: OfferingEntry, b: OfferingEntry): number =>
    // The difference of two infinite prices is NaN. `||` treats it like 0.
    a.price - b.price ||
    (a.price === UNKNOWN_PRICE ? bySize(a.allocatable, b.allocatable) : 0) ||
    byText(types[a.type]?.type.name ?? '', types[b.type]?.type.name ?? '') ||
    byText(a.zone, b.zone) ||
    byText(a.capacityType, b.capacityType) ||
    byText(a.reservation ?? '', b.reservation ?? '')
