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

/** Where a machine can come from, and as what. */
export interface LaunchChoice {
  readonly type: InstanceType
  readonly source: LaunchSource
}

/**
 * The deployments that a machine with these requirements and requests can be launched from, the best first: spot before
 * on-demand, then the cheapest, unknown prices last and of them the smallest machine, then by the name of the type and of the deployment
 * (`docs/spec/cluster-api.md#several-deployments-of-one-name`).
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

/** What only this deployment of its type has; a label of an offering that it lacks is missing on its Nodes. */
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
