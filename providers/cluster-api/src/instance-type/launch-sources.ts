import { labels } from '@kerf/apis'
import type { InstanceType, RequirementSpec, Resources } from '@kerf/engine'
import {
  areCompatible,
  CAPACITY_TYPES,
  comparePrices,
  DeclaredPrices,
  fits,
  offeringAllocatable,
  smallerFirst,
} from '@kerf/provider-contract'
import type { LaunchSource, MergedTypes } from './merged-types.ts'

/** An instance type, and the MachineDeployment from which a machine of this type comes. */
export interface LaunchChoice {
  readonly type: InstanceType
  readonly source: LaunchSource
}

/**
 * Returns the MachineDeployments from which Kerf can launch a machine with these requirements and requests, the best first
 * (`providers/cluster-api/docs/spec/cluster-api.md#several-deployments-with-one-type-name`). Spot comes before on-demand. Within a capacity
 * type, declared prices come first, in ascending order. Unknown prices come last, in the order of the machines' sizes. Ties are ordered by
 * the names of the instance type and the deployment.
 */
export const launchChoices = (
  { types, sources }: MergedTypes,
  wanted: readonly RequirementSpec[],
  requests: Resources,
  declared: Pick<DeclaredPrices, 'find'> = new DeclaredPrices(),
): readonly LaunchChoice[] =>
  types
    .filter((type) => areCompatible(wanted, type.requirements) && fits(requests, offeringAllocatable(type)))
    .flatMap((type) => (sources.get(type.name) ?? []).map((source): LaunchChoice => ({ type, source })))
    .filter(({ source }) => source.available && areCompatible(wanted, labelsOfSource(source)))
    .sort(byPreference(declared))

/**
 * Returns the labels that distinguish this MachineDeployment from others of its instance type. If the deployment lacks a label that the
 * offering has, its Nodes lack that label.
 */
export const labelsOfSource = (source: LaunchSource): readonly RequirementSpec[] =>
  [labels.zone, labels.capacityType, labels.region].map((key) => {
    const value = source.labels[key]
    return value === undefined ? { key, operator: 'DoesNotExist' } : { key, operator: 'In', values: [value] }
  })

const byPreference = (declared: Pick<DeclaredPrices, 'find'>) => {
  const priceOf = ({ type, source: { capacityType, labels: own, price } }: LaunchChoice) =>
    declared.find(type.name, capacityType, own[labels.zone])?.price ?? price
  return (a: LaunchChoice, b: LaunchChoice): number =>
    CAPACITY_TYPES.indexOf(a.source.capacityType) - CAPACITY_TYPES.indexOf(b.source.capacityType) ||
    comparePrices(priceOf(a), priceOf(b)) ||
    (priceOf(a) === undefined ? smallerFirst(a.type, b.type) : 0) ||
    byText(a.type.name, b.type.name) ||
    byText(a.source.deployment.namespace, b.source.deployment.namespace) ||
    byText(a.source.deployment.name, b.source.deployment.name)
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
