import { labels } from '@kerf/apis'
import type { InstanceType, RequirementSpec, Resources } from '@kerf/engine'
import {
  allocatableOf,
  areCompatible,
  CAPACITY_TYPES,
  comparePrices,
  fits,
  smallerFirst,
} from '@kerf/provider-contract'
import type { LaunchSource, MergedTypes } from './merged-types.ts'

/** A source of a machine, and the instance type. */
export interface LaunchChoice {
  readonly type: InstanceType
  readonly source: LaunchSource
}

/**
 * Returns the deployments from which a machine with these requirements and requests can be launched, the best first: spot before
 * on-demand, then by price, then unknown prices ordered by the size of the machine, then by type name and deployment name
 * (`providers/cluster-api/docs/spec/cluster-api.md#several-deployments-of-one-name`).
 */
export const launchChoices = (
  { types, sources }: MergedTypes,
  wanted: readonly RequirementSpec[],
  requests: Resources,
): readonly LaunchChoice[] =>
  types
    .filter((type) => areCompatible(wanted, type.requirements) && fits(requests, allocatableOf(type)))
    .flatMap((type) => (sources.get(type.name) ?? []).map((source): LaunchChoice => ({ type, source })))
    .filter(({ source }) => source.available && areCompatible(wanted, labelsOfSource(source)))
    .sort(byPreference)

/**
 * Returns the labels that only this deployment of its type has. An offering's label that the deployment lacks is missing on its
 * Nodes.
 */
export const labelsOfSource = (source: LaunchSource): readonly RequirementSpec[] =>
  [labels.zone, labels.capacityType, labels.region].map((key) => {
    const value = source.labels[key]
    return value === undefined ? { key, operator: 'DoesNotExist' } : { key, operator: 'In', values: [value] }
  })

const byPreference = (a: LaunchChoice, b: LaunchChoice): number =>
  CAPACITY_TYPES.indexOf(a.source.capacityType) - CAPACITY_TYPES.indexOf(b.source.capacityType) ||
  comparePrices(a.source.price, b.source.price) ||
  (a.source.price === undefined ? smallerFirst(a.type, b.type) : 0) ||
  byText(a.type.name, b.type.name) ||
  byText(a.source.deployment.namespace, b.source.deployment.namespace) ||
  byText(a.source.deployment.name, b.source.deployment.name)

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
