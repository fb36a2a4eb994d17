import {
  type CapacityType,
  labels,
  ownValue,
  type Quantity,
  subtractQuantities,
  type UsdPerHour,
  wellKnownLabels,
} from '@kerf/apis'
import type { InstanceType, InstanceTypeOverhead, Offering, RequirementSpec, Resources } from '@kerf/engine'
import type { NamespacedName } from '../management/management-cluster.ts'
import { clusterApiWellKnownLabels } from '../names.ts'
import type { DeploymentOffer, Labels } from './deployment-offer.ts'
import { leastResources } from './least.ts'
import {
  bySeniority,
  capacityClashes,
  differingLabel,
  labelClash,
  type MachineOffer,
  priceClash,
} from './name-clash.ts'
import type { DeploymentProblem } from './problem.ts'

/** A MachineDeployment that contributes to an offering. A machine with this zone and capacity type may come from it. */
export interface LaunchSource {
  readonly deployment: NamespacedName
  readonly zone: string | undefined
  readonly capacityType: CapacityType
  readonly price: UsdPerHour | undefined
  readonly available: boolean
  /** All declared labels of the MachineDeployment's future Nodes, without assumed ones. */
  readonly labels: Labels
}

/** The combined offers of a node class's MachineDeployments. */
export interface MergedTypes {
  /** Sorted by name. */
  readonly types: readonly InstanceType[]
  /** The sources by instance type name. The source of the oldest MachineDeployment comes first. */
  readonly sources: ReadonlyMap<string, readonly LaunchSource[]>
  readonly problems: readonly DeploymentProblem[]
}

/**
 * Returns one type for each name, with one offering for each zone and capacity type of its MachineDeployments
 * (`providers/cluster-api/docs/spec/cluster-api.md#several-deployments-with-one-type-name`).
 */
export const mergedTypes = (offers: readonly DeploymentOffer[]): MergedTypes => {
  const byName = Map.groupBy(offers.filter(hasMachine), ({ machine }) => machine.typeName)
  const merged = [...byName]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, group]) => mergedType(name, bySeniority(group)))
  return {
    types: merged.map(({ type }) => type),
    sources: new Map(merged.map(({ type, sources }) => [type.name, sources])),
    problems: [...offers.flatMap(({ problems }) => problems), ...merged.flatMap(({ problems }) => problems)],
  }
}

const hasMachine = (offer: DeploymentOffer): offer is MachineOffer => offer.machine !== undefined

interface MergedType {
  readonly type: InstanceType
  readonly sources: readonly LaunchSource[]
  readonly problems: readonly DeploymentProblem[]
}

const mergedType = (name: string, offers: readonly MachineOffer[]): MergedType => {
  const [first] = offers
  if (first === undefined) throw new RangeError(`no MachineDeployment of type ${name}`)
  const differs = new Map(offers.map((offer) => [offer, differingLabel(first.machine.labels, offer.machine.labels)]))
  const alike = offers.filter((offer) => differs.get(offer) === undefined)
  const problems = offers.flatMap((offer) => {
    const key = differs.get(offer)
    return key === undefined ? capacityClashes(first, offer) : [labelClash(first, offer, key)]
  })
  const usable = alike.flatMap((offer) => sourcesOf(offer, true))
  // If a MachineDeployment's labels conflict with those of others, Kerf launches nothing from it, but its existing nodes must still match
  // an offering.
  const others = offers.filter((offer) => !alike.includes(offer)).flatMap((offer) => sourcesOf(offer, false))
  const known = new Set(usable.map(offeringKey))
  const offered = [...usable, ...others.filter((source) => !known.has(offeringKey(source)))]
  const capacity = leastResources(alike.map(({ machine }) => machine.capacity))
  const type: InstanceType = {
    name,
    requirements: typeRequirements(first.machine.labels, offered),
    offerings: offeringsOf(offered),
    capacity,
    overhead: overheadOf(capacity, leastResources(alike.map(({ machine }) => machine.allocatable))),
  }
  return { type, sources: [...usable, ...others], problems: [...problems, ...priceClashes(alike)] }
}

const sourcesOf = ({ deployment, machine, price }: MachineOffer, isAlike: boolean): readonly LaunchSource[] =>
  machine.capacityTypes.map((capacityType) => ({
    deployment: { namespace: deployment.namespace, name: deployment.name },
    zone: machine.zone,
    capacityType,
    price,
    available: machine.available && isAlike,
    labels: {
      ...Object.fromEntries(Object.entries(machine.labels).filter(([key]) => !machine.assumed.includes(key))),
      ...(machine.zone === undefined ? {} : { [labels.zone]: machine.zone }),
      [labels.capacityType]: capacityType,
    },
  }))

/** Returns the amounts that the kubelet reserves. Kerf does not know how they are divided between the kubelet and the system. */
const overheadOf = (capacity: Resources, allocatable: Resources): InstanceTypeOverhead => {
  const kept = Object.entries(capacity).flatMap(([name, amount]): [string, Quantity][] => {
    const left = ownValue(allocatable, name) ?? amount
    return left < amount ? [[name, subtractQuantities(amount, left)]] : []
  })
  return kept.length === 0 ? {} : { kubeReserved: Object.fromEntries(kept) }
}

/** Returns a key that is equal for sources that the scheduler cannot distinguish. Such sources share an offering. */
const offeringKey = ({ zone, capacityType, labels: { [labels.region]: region } }: LaunchSource): string =>
  JSON.stringify([zone ?? '', capacityType, region ?? ''])

const offeringsOf = (sources: readonly LaunchSource[]): readonly Offering[] => {
  const regions = new Set(sources.map((source) => source.labels[labels.region]))
  const keys = [labels.zone, labels.capacityType, ...(regions.size > 1 ? [labels.region] : [])]
  return [...Map.groupBy(sources, offeringKey)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, group]) => {
      const [first] = group
      if (first === undefined) return []
      return {
        requirements: keys.map((key) => exactly(key, valuesOf([first], key))),
        price: dearest(group),
        available: group.some(({ available }) => available),
      }
    })
}

/** Returns the highest price of a machine from these sources. Undefined if any price is unknown. */
const dearest = (sources: readonly LaunchSource[]): UsdPerHour | undefined => {
  const prices = sources.flatMap(({ price }) => price ?? [])
  return prices.length === sources.length ? Math.max(...prices) : undefined
}

const priceClashes = (offers: readonly MachineOffer[]): readonly DeploymentProblem[] => {
  const cells = Map.groupBy(
    offers.flatMap((offer) => sourcesOf(offer, true).map((source) => ({ offer, key: offeringKey(source) }))),
    ({ key }) => key,
  )
  return [...cells.values()].flatMap(([first, ...others]) =>
    others.flatMap(({ offer }) => (first === undefined ? [] : (priceClash(first.offer, offer) ?? []))),
  )
}

const valuesOf = (sources: readonly LaunchSource[], key: string): readonly string[] =>
  [...new Set(sources.flatMap((source) => ownValue(source.labels, key) ?? []))].toSorted()

const exactly = (key: string, values: readonly string[]): RequirementSpec =>
  values.length === 0 ? { key, operator: 'DoesNotExist' } : { key, operator: 'In', values: [...values] }

/** Returns a requirement for each label that Nodes have, and one for each well-known label that they lack. */
const typeRequirements = (shared: Labels, sources: readonly LaunchSource[]): readonly RequirementSpec[] => {
  const ofOfferings: readonly string[] = [labels.zone, labels.capacityType, labels.region]
  const own = Object.keys(shared).filter((key) => !ofOfferings.includes(key))
  // The NodePool label exists on every Node, regardless of the instance type.
  const others = [...wellKnownLabels, ...clusterApiWellKnownLabels].filter(
    (key) => key !== labels.nodePool && !own.includes(key) && !ofOfferings.includes(key),
  )
  return [
    ...own.map((key) => exactly(key, [ownValue(shared, key) ?? ''])),
    ...ofOfferings.map((key) => exactly(key, valuesOf(sources, key))),
    ...others.map((key) => exactly(key, [])),
  ]
}
