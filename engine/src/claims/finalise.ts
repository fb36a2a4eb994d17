import { formatResources, type NodeClaimSpec, type Quantity } from '@kerf/apis'
import { forEachBit, NO_STATE, type State } from '../catalogue/states.ts'
import { simulatedKeys, type Template, type TypeEntry } from '../catalogue/template.ts'
import type { RequirementSpec, Resources } from '../instance-type.ts'
import type { CheapestOffering, PlannedClaim } from '../plan.ts'
import type { Reason } from '../reason.ts'
import { type LabelRules, labels } from '../requirements/label-rules.ts'
import { unmetMinValues } from '../requirements/min-values.ts'
import { byText, Requirement } from '../requirements/requirement.ts'
import type { Requirements } from '../requirements/requirements.ts'
import type { BatchPod, World } from '../solve/world.ts'

const MIN_VALUES_RELAXED = 'karpenter.sh/nodeclaim-min-values-relaxed'
const PRICE_OVERLAID = 'karpenter.sh/price-overlay-applied'
const CAPACITY_OVERLAID = 'karpenter.sh/capacity-overlay-applied'
const HASH_ANNOTATIONS = ['karpenter.sh/nodepool-hash', 'karpenter.sh/nodepool-hash-version'] as const

/** A claim as packing left it. */
export interface PackedClaim {
  readonly state: number
  readonly used: Float64Array
  readonly pods: readonly BatchPod[]
  /** Reservations it holds. */
  readonly reservations: ReadonlySet<string> | undefined
}

/** What all claims have in common that are in one state and fit the same offerings. */
interface LaunchOptions {
  readonly specs: readonly RequirementSpec[]
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  readonly minValuesRelaxed: boolean
  readonly claimRequirements: NodeClaimSpec['requirements']
  readonly names: readonly string[]
  readonly types: readonly TypeEntry[]
  readonly cheapest: CheapestOffering
  /** Smallest daemon overhead among the types, exact. */
  readonly overhead: ReadonlyMap<string, bigint>
}

/** Turns packed claims into what is to be launched (`spec/scheduling.md` 3.14, 4.6 and 4.7). */
export class Finaliser {
  readonly #world: World
  readonly #mostTypes: number
  readonly #known = new Map<string, LaunchOptions>()
  readonly #others = new Map<number, readonly RequirementSpec[]>()

  constructor(world: World) {
    this.#world = world
    this.#mostTypes = world.options.maxInstanceTypes ?? 600
  }

  /** The planned claim, or why none of its pods can have it. */
  finalise(claim: PackedClaim): PlannedClaim | readonly Reason[] {
    const { states } = this.#world
    const state = states.get(this.#withReservations(claim))
    const launch = this.#launchOptions(state, claim.used)
    const { template } = state.index
    const subject = `nodepool/${template.name}`
    if (launch === undefined) return [{ code: 'offering.unavailable', subject, detail: {} }]
    if (state.hasMinValues && this.#world.options.minValuesPolicy !== 'BestEffort') {
      const unmet = unmetMinValues(
        state.requirements,
        launch.types.map(({ requirements }) => requirements),
      )
      if (unmet.size > 0) {
        const detail = { keys: [...unmet.keys()], types: launch.types.length }
        return [{ code: 'min-values.unmet', subject, detail }]
      }
    }
    const requests = requestsOf(claim.pods, launch.overhead)
    return {
      nodePool: template.name,
      pods: claim.pods.map(({ pod }) => pod),
      requirements: launch.specs,
      instanceTypes: launch.names,
      cheapest: launch.cheapest,
      requests,
      labels: launch.labels,
      annotations: launch.annotations,
      spec: specOf(template, launch.claimRequirements, requests),
      minValuesRelaxed: launch.minValuesRelaxed,
      reasons: [
        {
          code: 'price.cheapest',
          subject,
          detail: {
            instanceType: launch.cheapest.instanceType,
            zone: launch.cheapest.zone,
            capacityType: launch.cheapest.capacityType,
            types: launch.names.length,
            pods: claim.pods.length,
          },
        },
      ],
    }
  }

  /** A claim that holds reservations is launched into one of them (3.10). */
  #withReservations({ state, reservations }: PackedClaim): number {
    const { states, options } = this.#world
    if (reservations === undefined || reservations.size === 0 || options.reservationIdLabel === undefined) return state
    let reserved = states.replace(state, Requirement.in(labels.capacityType, ['reserved']))
    if (reserved === NO_STATE) return state
    reserved = states.replace(reserved, Requirement.in(options.reservationIdLabel, reservations))
    return reserved === NO_STATE ? state : reserved
  }

  #launchOptions(state: State, used: Float64Array): LaunchOptions | undefined {
    const key = this.#fitKey(state, used)
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const { index } = state
    const { template } = index
    const { offerings, types, daemonGroups } = template
    const found = new Set<number>()
    let cheapest: CheapestOffering | undefined
    forEachBit(state.offerings, (number) => {
      const entry = offerings[number]
      if (entry === undefined || !index.fits(number, used)) return
      cheapest ??= {
        instanceType: types[entry.type]?.type.name ?? '',
        zone: entry.zone,
        capacityType: entry.capacityType,
        price: entry.price,
      }
      if (found.size < this.#mostTypes) found.add(entry.type)
    })
    if (cheapest === undefined) return undefined
    const capacityTypes = new Set<string>()
    let isPriceOverlaid = false
    forEachBit(state.offerings, (number) => {
      const entry = offerings[number]
      if (entry === undefined || !found.has(entry.type)) return
      capacityTypes.add(entry.capacityType)
      if (entry.offering.priceOverlayApplied === true) isPriceOverlaid = true
    })
    const entries = [...found].flatMap((number) => types[number] ?? [])
    const names = entries.map(({ type }) => type.name)
    const groups = new Set(entries.map(({ daemonGroup }) => daemonGroup))
    const specs = this.#specs(state, [...found], [...capacityTypes])
    const minValuesRelaxed = this.#isMinValuesRelaxed(template, state)
    const launch: LaunchOptions = {
      names,
      types: entries,
      cheapest,
      overhead: smallest([...groups].map((group) => daemonGroups[group]?.overhead)),
      specs,
      claimRequirements: specs.map((spec) => ({ ...spec, values: [...(spec.values ?? [])] })),
      labels: labelsOf(template, state.requirements, this.#world.rules),
      annotations: this.#annotations(template, entries, isPriceOverlaid, minValuesRelaxed),
      minValuesRelaxed,
    }
    this.#known.set(key, launch)
    return launch
  }

  /** Equal for claims of one state that fit the same rows of room, and therefore the same offerings. */
  #fitKey(state: State, used: Float64Array): string {
    const { width, rows } = state.index
    const words = new Uint32Array((rows.length / Math.max(1, width) + 31) >>> 5)
    for (let row = 0; row * width < rows.length; row++) {
      let column = 0
      while (column < width && (used[column] ?? 0) <= (rows[row * width + column] ?? 0)) column++
      if (column === width) words[row >>> 5] = (words[row >>> 5] ?? 0) | (1 << (row & 31))
    }
    return `${state.id}|${words.join()}`
  }

  /** Requirements of the claim as they are written: the state's, held to the types and capacity types that are left. */
  #specs(state: State, types: readonly number[], capacityTypes: readonly string[]): readonly RequirementSpec[] {
    let others = this.#others.get(state.id)
    if (others === undefined) {
      others = state.requirements
        .without(labels.hostname, labels.instanceType, labels.capacityType, ...simulatedKeys)
        .toSpecs()
      this.#others.set(state.id, others)
    }
    const { types: entries } = state.index.template
    const { minValues } = state.requirements.get(labels.instanceType)
    // Types are numbered in alphabetical order.
    const values = Array.from(Int32Array.from(types).sort(), (type) => entries[type]?.type.name ?? '')
    const typeSpec: RequirementSpec = {
      key: labels.instanceType,
      operator: 'In',
      values,
      ...(minValues === undefined ? {} : { minValues }),
    }
    const wanted = state.requirements.get(labels.capacityType)
    const capacitySpecs =
      capacityTypes.length === 0
        ? state.requirements.has(labels.capacityType)
          ? wanted.toSpecs()
          : []
        : wanted.intersection(Requirement.in(labels.capacityType, capacityTypes)).toSpecs()
    return [...others, typeSpec, ...capacitySpecs].sort((a, b) => byText(a.key, b.key))
  }

  #annotations(
    template: Template,
    types: readonly TypeEntry[],
    isPriceOverlaid: boolean,
    minValuesRelaxed: boolean,
  ): Record<string, string> {
    const annotations: Record<string, string> = { ...template.annotations }
    for (const name of HASH_ANNOTATIONS) {
      const value = template.pool.metadata.annotations?.[name]
      if (value !== undefined) annotations[name] = value
    }
    if (this.#world.options.minValuesPolicy === 'BestEffort') annotations[MIN_VALUES_RELAXED] = String(minValuesRelaxed)
    if (isPriceOverlaid) annotations[PRICE_OVERLAID] = 'true'
    if (types.some(({ type }) => type.capacityOverlayApplied === true)) annotations[CAPACITY_OVERLAID] = 'true'
    return annotations
  }

  #isMinValuesRelaxed(template: Template, state: State): boolean {
    for (const [key, requirement] of this.#world.rules.requirements(template.pool.spec.template.spec.requirements ?? [])
      .byKey) {
      const now = state.requirements.byKey.get(key)?.minValues
      if (requirement.minValues !== undefined && now !== undefined && now < requirement.minValues) return true
    }
    return false
  }
}

/** Per resource the least of all; a resource that one of them lacks is not in it. */
const smallest = (lists: readonly (ReadonlyMap<string, bigint> | undefined)[]): ReadonlyMap<string, bigint> => {
  const [first, ...rest] = lists
  const least = new Map<string, bigint>()
  for (const [name, amount] of first ?? []) {
    let value: bigint | undefined = amount
    for (const list of rest) {
      const other: bigint | undefined = list?.get(name)
      value = other === undefined || value === undefined ? undefined : other < value ? other : value
    }
    if (value !== undefined) least.set(name, value)
  }
  return least
}

const requestsOf = (pods: readonly BatchPod[], overhead: ReadonlyMap<string, bigint>): Resources => {
  const sum = new Map(overhead)
  for (const { podClass } of pods) {
    for (const [name, amount] of podClass.requests) sum.set(name, (sum.get(name) ?? 0n) + amount)
  }
  return Object.fromEntries(
    [...sum].sort(([a], [b]) => byText(a, b)).map(([name, amount]) => [name, amount as Quantity]),
  )
}

/** Labels of the node: the template's, and one value for each requirement on a label that nobody else will set (2.7). */
const labelsOf = (template: Template, requirements: Requirements, rules: LabelRules): Record<string, string> => {
  const result: Record<string, string> = { ...template.labels }
  for (const [key, requirement] of requirements.byKey) {
    if (rules.isWellKnown(key) || rules.isRestricted(key) || key in result) continue
    const value = requirement.any()
    if (value !== '') result[key] = value
  }
  return result
}

const specOf = (
  template: Template,
  requirements: NodeClaimSpec['requirements'],
  requests: Resources,
): NodeClaimSpec => {
  const { taints, startupTaints, nodeClassRef, terminationGracePeriod, expireAfter } = template.pool.spec.template.spec
  return {
    ...(taints === undefined ? {} : { taints }),
    ...(startupTaints === undefined ? {} : { startupTaints }),
    requirements,
    resources: { requests: formatResources(requests) },
    nodeClassRef,
    ...(terminationGracePeriod === undefined ? {} : { terminationGracePeriod }),
    ...(expireAfter === undefined ? {} : { expireAfter }),
  }
}
