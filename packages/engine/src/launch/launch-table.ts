import type { NodeClaimSpec } from '@kerf/apis'
import { setOwnValue } from '@kerf/apis'
import { intAt, wordAt } from '../column.ts'
import type { RequirementSpec } from '../instance-type.ts'
import { claimLaunchOptions } from '../instance-types/launch-options.ts'
import { simulatedKeys } from '../instance-types/template-reader.ts'
import type { ClaimConstraints } from '../model/claim-constraints.ts'
import { type TypeEntry, UNKNOWN_PRICE } from '../model/instance-type-options.ts'
import type { OfferingIndex } from '../model/offering-index.ts'
import type { Template } from '../model/template.ts'
import type { CheapestOffering } from '../plan.ts'
import { type LabelRules, labels } from '../requirements/label-rules.ts'
import { byText, Requirement } from '../requirements/requirement.ts'
import type { Requirements } from '../requirements/requirements.ts'
import type { Amounts } from '../resources/amounts.ts'
import type { ScheduleOptions } from '../schedule-options.ts'
import { FitKeys } from './fit-keys.ts'

const MIN_VALUES_RELAXED = 'karpenter.sh/nodeclaim-min-values-relaxed'
const PRICE_OVERLAID = 'karpenter.sh/price-overlay-applied'
const CAPACITY_OVERLAID = 'karpenter.sh/capacity-overlay-applied'
const HASH_ANNOTATIONS = ['karpenter.sh/nodepool-hash', 'karpenter.sh/nodepool-hash-version'] as const

/** The maximum number of cached results. Many what-ifs about one snapshot would otherwise fill the memory. */
const MOST_KNOWN = 5_000

/** The data shared by all claims that have the same constraints and fit the same offerings. */
export interface Launch {
  readonly specs: readonly RequirementSpec[]
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  readonly minValuesRelaxed: boolean
  readonly claimRequirements: NodeClaimSpec['requirements']
  readonly names: readonly string[]
  readonly types: readonly TypeEntry[]
  readonly cheapest: CheapestOffering
  /** For each resource, the smallest overhead of the instance types' daemon groups, as exact amounts. */
  readonly overhead: Amounts
}

/** The part of a launch that depends only on the constraints, and not on the requests. */
interface ConstraintsLaunch {
  /** The written requirements, except those on instance type and capacity type. */
  readonly others: readonly RequirementSpec[]
  readonly labels: Readonly<Record<string, string>>
  readonly minValuesRelaxed: boolean
  /** The names of the capacity types. */
  readonly capacityTypes: readonly string[]
  /** For each instance type, one byte per capacity type: 1 if the type has that capacity type. */
  readonly capacityTypesOf: Uint8Array
  /** The written requirement on the capacity type, by the capacity types that remain possible. */
  readonly capacitySpecs: Map<string, readonly RequirementSpec[]>
  /** Whether each instance type has an offering whose price comes from an overlay. */
  readonly isPriceOverlaid: Uint8Array | undefined
}

/** Computes how claims are launched, once for each combination of constraints and set of offerings that are large enough. */
export class LaunchTable {
  readonly #options: ScheduleOptions
  readonly #rules: LabelRules
  readonly #mostTypes: number
  readonly #byConstraints = new Map<ClaimConstraints, ConstraintsLaunch>()
  readonly #fits = new Map<OfferingIndex, FitKeys>()
  readonly #known = new Map<ClaimConstraints, Map<number, Launch | undefined>>()
  #size = 0

  constructor(options: ScheduleOptions, rules: LabelRules) {
    this.#options = options
    this.#rules = rules
    this.#mostTypes = options.maxInstanceTypes ?? 600
  }

  /** Returns the launch data for a claim with these constraints and requests; `undefined` if no offering fits. */
  of(constraints: ClaimConstraints, used: Float64Array): Launch | undefined {
    let fits = this.#fits.get(constraints.index)
    if (fits === undefined) {
      fits = new FitKeys(constraints.index)
      this.#fits.set(constraints.index, fits)
    }
    let byFit = this.#known.get(constraints)
    if (byFit === undefined) {
      byFit = new Map()
      this.#known.set(constraints, byFit)
    }
    const fit = fits.of(used)
    if (byFit.has(fit)) return byFit.get(fit)
    const launch = this.#read(constraints, fits.rows(fit))
    if (this.#size++ >= MOST_KNOWN) this.#forget()
    else byFit.set(fit, launch)
    return launch
  }

  #forget(): void {
    this.#size = 0
    this.#known.clear()
    this.#fits.clear()
  }

  #read(constraints: ClaimConstraints, fitting: Uint32Array): Launch | undefined {
    const { index } = constraints
    const { vectorOf, template } = index
    const { offerings, types, daemonGroups } = template
    const launchOptions = claimLaunchOptions(constraints)
    const isFound = new Uint8Array(types.length)
    const entries: TypeEntry[] = []
    const names: string[] = []
    let cheapest = -1
    for (let place = 0; place < launchOptions.length && names.length < this.#mostTypes; place++) {
      const offering = intAt(launchOptions, place)
      const row = intAt(vectorOf, offering, 'rows of offerings')
      if ((wordAt(fitting, row >>> 5) & (1 << (row & 31))) === 0) continue
      if (cheapest < 0) cheapest = offering
      const number = offerings[offering]?.type ?? 0
      const entry = types[number]
      if (isFound[number] === 1 || entry === undefined) continue
      isFound[number] = 1
      entries.push(entry)
      names.push(entry.type.name)
    }
    const first = offerings[cheapest]
    if (first === undefined) return undefined
    const launch = this.#ofConstraints(constraints)
    const specs = this.#specs(constraints, launch, isFound)
    const groups = new Set(entries.map(({ daemonGroup }) => daemonGroup))
    return {
      names,
      types: entries,
      cheapest: {
        instanceType: types[first.type]?.type.name ?? '',
        zone: first.zone,
        capacityType: first.capacityType,
        price: first.price === UNKNOWN_PRICE ? undefined : first.price,
      },
      overhead: smallest([...groups].map((group) => daemonGroups[group]?.overhead)),
      specs,
      claimRequirements: specs.map((spec) => (spec.values === undefined ? { ...spec, values: [] } : spec)),
      labels: launch.labels,
      annotations: this.#annotations(template, entries, launch, isFound),
      minValuesRelaxed: launch.minValuesRelaxed,
    }
  }

  #ofConstraints(constraints: ClaimConstraints): ConstraintsLaunch {
    let launch = this.#byConstraints.get(constraints)
    if (launch === undefined) {
      const { template } = constraints.index
      launch = {
        others: constraints.requirements
          .without(labels.hostname, labels.instanceType, labels.capacityType, ...simulatedKeys)
          .toSpecs(),
        labels: templateLabels(template, constraints.requirements, this.#rules),
        minValuesRelaxed: this.#isMinValuesRelaxed(template, constraints),
        capacitySpecs: new Map(),
        ...offeredBy(constraints),
      }
      this.#byConstraints.set(constraints, launch)
    }
    return launch
  }

  /**
   * Returns the claim's requirements in their written form: the requirements of the constraints, restricted to the instance types and
   * capacity types that remain.
   */
  #specs(constraints: ClaimConstraints, launch: ConstraintsLaunch, isFound: Uint8Array): readonly RequirementSpec[] {
    const { types: entries } = constraints.index.template
    const { minValues } = constraints.requirements.get(labels.instanceType)
    const values: string[] = []
    const { capacityTypes, capacityTypesOf } = launch
    const isOffered = new Uint8Array(capacityTypes.length)
    let missing = capacityTypes.length
    // Types are numbered in alphabetical order.
    for (let type = 0; type < entries.length; type++) {
      if (isFound[type] !== 1) continue
      values.push(entries[type]?.type.name ?? '')
      for (let each = 0; missing > 0 && each < isOffered.length; each++) {
        if (isOffered[each] === 1 || capacityTypesOf[type * isOffered.length + each] !== 1) continue
        isOffered[each] = 1
        missing--
      }
    }
    const typeSpec: RequirementSpec = {
      key: labels.instanceType,
      operator: 'In',
      values,
      ...(minValues === undefined ? {} : { minValues }),
    }
    return [...launch.others, typeSpec, ...this.#capacitySpecs(constraints, launch, isOffered)].sort((a, b) =>
      byText(a.key, b.key),
    )
  }

  #capacitySpecs(
    constraints: ClaimConstraints,
    launch: ConstraintsLaunch,
    isOffered: Uint8Array,
  ): readonly RequirementSpec[] {
    const text = isOffered.join()
    let specs = launch.capacitySpecs.get(text)
    if (specs === undefined) {
      const offered = launch.capacityTypes.filter((_, each) => isOffered[each] === 1)
      const wanted = constraints.requirements.get(labels.capacityType)
      specs =
        offered.length > 0
          ? wanted.intersection(Requirement.in(labels.capacityType, offered)).toSpecs()
          : constraints.requirements.has(labels.capacityType)
            ? wanted.toSpecs()
            : []
      launch.capacitySpecs.set(text, specs)
    }
    return specs
  }

  #annotations(
    template: Template,
    types: readonly TypeEntry[],
    launch: ConstraintsLaunch,
    isFound: Uint8Array,
  ): Record<string, string> {
    const annotations: Record<string, string> = { ...template.annotations }
    for (const name of HASH_ANNOTATIONS) {
      const value = template.pool.metadata.annotations?.[name]
      if (value !== undefined) annotations[name] = value
    }
    if (this.#options.minValuesPolicy === 'BestEffort')
      annotations[MIN_VALUES_RELAXED] = String(launch.minValuesRelaxed)
    if (launch.isPriceOverlaid?.some((is, type) => is === 1 && isFound[type] === 1))
      annotations[PRICE_OVERLAID] = 'true'
    if (types.some(({ type }) => type.capacityOverlayApplied === true)) annotations[CAPACITY_OVERLAID] = 'true'
    return annotations
  }

  #isMinValuesRelaxed(template: Template, constraints: ClaimConstraints): boolean {
    for (const [key, requirement] of this.#rules.requirements(template.pool.spec.template.spec.requirements ?? [])
      .byKey) {
      const now = constraints.requirements.byKey.get(key)?.minValues
      if (requirement.minValues !== undefined && now !== undefined && now < requirement.minValues) return true
    }
    return false
  }
}

/**
 * Returns the capacity types that the constraints allow for each instance type, and which types have a price from an overlay. Ignores
 * whether the requests fit.
 */
const offeredBy = ({
  index,
  offerings: bits,
}: ClaimConstraints): Pick<ConstraintsLaunch, 'capacityTypes' | 'capacityTypesOf' | 'isPriceOverlaid'> => {
  const { offerings, types } = index.template
  const { capacityTypes, capacityTypeOf } = index.sets
  const width = capacityTypes.length
  const capacityTypesOf = new Uint8Array(types.length * width)
  let isPriceOverlaid: Uint8Array | undefined
  for (let word = 0; word < bits.length; word++) {
    let rest = wordAt(bits, word)
    while (rest !== 0) {
      const number = (word << 5) + 31 - Math.clz32(rest & -rest)
      rest &= rest - 1
      const entry = offerings[number]
      if (entry === undefined) continue
      capacityTypesOf[entry.type * width + intAt(capacityTypeOf, number)] = 1
      if (entry.offering.priceOverlayApplied !== true) continue
      isPriceOverlaid ??= new Uint8Array(types.length)
      isPriceOverlaid[entry.type] = 1
    }
  }
  return { capacityTypes, capacityTypesOf, isPriceOverlaid }
}

/** Returns the smallest amount of each resource. A resource that is missing in one of the lists is left out. */
const smallest = (lists: readonly (Amounts | undefined)[]): Amounts => {
  const [first, ...rest] = lists
  if (rest.length === 0 && first !== undefined) return first
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

/**
 * Returns the labels of the node: those of the template, plus one value for each requirement on a label that nothing else sets
 * (`docs/spec/requirements.md#labels-from-requirements`).
 */
const templateLabels = (template: Template, requirements: Requirements, rules: LabelRules): Record<string, string> => {
  const result: Record<string, string> = { ...template.labels }
  for (const [key, requirement] of requirements.byKey) {
    if (rules.isWellKnown(key) || rules.isRestricted(key) || Object.hasOwn(result, key)) continue
    const value = requirement.any()
    if (value !== '') setOwnValue(result, key, value)
  }
  return result
}
