import type { NodePool, Taint } from '@kerf/apis'
import type { InstanceType, Offering } from '../instance-type.ts'
import { type LabelRules, labels } from '../requirements/label-rules.ts'
import { unmetMinValues } from '../requirements/min-values.ts'
import { byText, Requirement } from '../requirements/requirement.ts'
import { Requirements } from '../requirements/requirements.ts'
import { allocatableGroups } from './allocatable.ts'
import { type Daemon, type DaemonGroup, daemonsOfPool, groupOf, runsOn } from './daemon-groups.ts'

/** An instance type as one pool may use it. */
export interface TypeEntry {
  readonly type: InstanceType
  readonly requirements: Requirements
  /** Number of the daemon group. */
  readonly daemonGroup: number
}

/** One way to buy one type, as one pool may use it. */
export interface OfferingEntry {
  readonly offering: Offering
  readonly requirements: Requirements
  /** Number of the type. */
  readonly type: number
  readonly allocatable: ReadonlyMap<string, bigint>
  readonly price: number
  readonly zone: string
  readonly capacityType: string
  readonly reservation: string | undefined
}

/**
 * What a NodePool can launch: its requirements and taints, the types that are left after them, and their available
 * offerings by price, then type, zone and capacity type (`spec/scheduling.md` 3.1.9 and 4).
 */
export interface Template {
  readonly index: number
  readonly pool: NodePool
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  readonly taints: readonly Taint[]
  readonly requirements: Requirements
  readonly types: readonly TypeEntry[]
  readonly offerings: readonly OfferingEntry[]
  readonly daemonGroups: readonly DaemonGroup[]
  /** All types the provider named, for the domains that count for spread. */
  readonly allTypes: readonly Requirements[]
  readonly minValuesRelaxed: boolean
}

/** A pool whose requirements leave nothing of its catalogue. */
export interface EmptyTemplate {
  readonly pool: NodePool
  readonly name: string
  readonly problem: 'catalogue-empty' | 'filtered-out' | 'min-values' | 'invalid'
  readonly detail: string
  readonly requirements: Requirements
  readonly allTypes: readonly Requirements[]
  readonly taints: readonly Taint[]
}

const SIMULATED = [Requirement.in(labels.registered, ['true']), Requirement.in(labels.initialized, ['true'])]
export const simulatedKeys = [labels.registered, labels.initialized] as const

const nodeClassLabel = (pool: NodePool): Readonly<Record<string, string>> => {
  const { group, kind, name } = pool.spec.template.spec.nodeClassRef ?? {}
  return kind === undefined ? {} : { [`${group}/${kind.toLowerCase()}`]: name ?? '' }
}

/** Labels that every node of the pool carries. */
export const templateLabels = (pool: NodePool): Readonly<Record<string, string>> => ({
  ...pool.spec.template.metadata?.labels,
  [labels.nodePool]: pool.metadata.name ?? '',
  ...nodeClassLabel(pool),
})

const isPrice = (price: unknown): price is number => typeof price === 'number' && Number.isFinite(price) && price >= 0

const offeringsOf = (
  type: InstanceType,
  typeIndex: number,
  requirements: Requirements,
  rules: LabelRules,
  reservationLabel: string | undefined,
): OfferingEntry[] => {
  const entries: OfferingEntry[] = []
  for (const { allocatable, offerings } of allocatableGroups(type)) {
    // A machine whose overhead exceeds what it has takes no pod at all.
    if ([...allocatable.values()].some((amount) => amount < 0n)) continue
    for (const offering of offerings) {
      if (!isPrice(offering.price)) continue
      const own = rules.requirements(offering.requirements ?? [])
      if (!requirements.accepts(own, rules.isWellKnown)) continue
      const capacityType = own.get(labels.capacityType).any()
      entries.push({
        offering,
        requirements: own,
        type: typeIndex,
        allocatable,
        price: offering.price,
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

const byPrice =
  (types: readonly TypeEntry[]) =>
  (a: OfferingEntry, b: OfferingEntry): number =>
    a.price - b.price ||
    byText(types[a.type]?.type.name ?? '', types[b.type]?.type.name ?? '') ||
    byText(a.zone, b.zone) ||
    byText(a.capacityType, b.capacityType) ||
    byText(a.reservation ?? '', b.reservation ?? '')

export interface TemplateContext {
  /** Requirements of types that several pools share, read once. */
  readonly typeRequirements: Map<InstanceType, Requirements>
  readonly rules: LabelRules
  readonly daemons: readonly Daemon[]
  readonly reservationLabel: string | undefined
  readonly relaxMinValues: boolean
}

interface KnownTemplate {
  readonly instanceTypes: readonly InstanceType[]
  readonly index: number
  readonly rules: LabelRules
  readonly daemons: string
  readonly reservationLabel: string | undefined
  readonly relaxMinValues: boolean
  readonly template: Template | EmptyTemplate
}

const knownTemplates = new WeakMap<NodePool, KnownTemplate>()

/**
 * What a pool can launch, or why it can launch nothing. Pools and catalogues are never changed after they were handed out,
 * so the last answer for a pool is kept.
 */
export const templateOf = (
  pool: NodePool,
  instanceTypes: readonly InstanceType[],
  index: number,
  context: TemplateContext,
): Template | EmptyTemplate => {
  const daemons = context.daemons.map(({ identity }) => identity).join('\n')
  const known = knownTemplates.get(pool)
  if (
    known !== undefined &&
    known.instanceTypes === instanceTypes &&
    known.index === index &&
    known.rules === context.rules &&
    known.daemons === daemons &&
    known.reservationLabel === context.reservationLabel &&
    known.relaxMinValues === context.relaxMinValues
  ) {
    return known.template
  }
  const template = readTemplate(pool, instanceTypes, index, context)
  const { rules, reservationLabel, relaxMinValues } = context
  knownTemplates.set(pool, { instanceTypes, index, rules, daemons, reservationLabel, relaxMinValues, template })
  return template
}

const requirementsOf = (type: InstanceType, { rules, typeRequirements }: TemplateContext): Requirements => {
  let requirements = typeRequirements.get(type)
  if (requirements === undefined) {
    requirements = rules.requirements(type.requirements ?? [])
    typeRequirements.set(type, requirements)
  }
  return requirements
}

const readTemplate = (
  pool: NodePool,
  instanceTypes: readonly InstanceType[],
  index: number,
  context: TemplateContext,
): Template | EmptyTemplate => {
  const { rules } = context
  const name = pool.metadata.name ?? ''
  const spec = pool.spec.template.spec
  const ownLabels = templateLabels(pool)
  const complaints: string[] = []
  let requirements = rules
    .requirements(spec.requirements ?? [], (complaint) => complaints.push(complaint))
    .merge(rules.ofLabels(ownLabels))
    .merge(Requirements.of(SIMULATED))
  const taints: readonly Taint[] = spec.taints ?? []
  const allTypes = instanceTypes.map((type) => requirementsOf(type, context))
  const empty = (problem: EmptyTemplate['problem'], detail: string): EmptyTemplate => ({
    pool,
    name,
    problem,
    detail,
    requirements,
    allTypes,
    taints,
  })
  if (complaints.length > 0) return empty('invalid', complaints.join('; '))
  if (instanceTypes.length === 0) return empty('catalogue-empty', '')

  const daemons = daemonsOfPool(context.daemons, taints)
  const groups = new Map<string, number>()
  const daemonGroups: DaemonGroup[] = []
  const types: TypeEntry[] = []
  const offerings: OfferingEntry[] = []
  for (const type of instanceTypes.toSorted((a, b) => byText(a.name, b.name))) {
    const own = requirementsOf(type, context)
    if (!own.intersects(requirements)) continue
    const entries = offeringsOf(type, types.length, requirements, rules, context.reservationLabel)
    if (entries.length === 0) continue
    const running = daemons.filter((daemon) => runsOn(daemon, requirements, own, rules))
    const key = JSON.stringify(running.map((daemon) => daemon.name))
    let group = groups.get(key)
    if (group === undefined) {
      group = daemonGroups.length
      groups.set(key, group)
      daemonGroups.push(groupOf(running))
    }
    types.push({ type, requirements: own, daemonGroup: group })
    for (const entry of entries) offerings.push(entry)
  }
  if (types.length === 0) return empty('filtered-out', '')

  const unmet = unmetMinValues(
    requirements,
    types.map((entry) => entry.requirements),
  )
  if (unmet.size > 0) {
    if (!context.relaxMinValues)
      return empty('min-values', [...unmet].map(([key, count]) => `${key}: ${count}`).join(', '))
    for (const [key, count] of unmet) requirements = requirements.replace(requirements.get(key).withMinValues(count))
  }
  return {
    index,
    pool,
    name,
    labels: ownLabels,
    annotations: pool.spec.template.metadata?.annotations ?? {},
    taints,
    requirements,
    types,
    offerings: offerings.sort(byPrice(types)),
    daemonGroups,
    allTypes,
    minValuesRelaxed: unmet.size > 0,
  }
}
