import { isConditionTrue, labels, type NodeOverlay, type NodePool } from '@kerf/apis'
import type { InstanceType, RequirementSpec } from '@kerf/engine'
import { admitsAbsence, areCompatible } from '@kerf/provider-contract'
import type { LaunchSource } from '../instance-type/merged-types.ts'

/** The machines of one instance type that come from one MachineDeployment. */
export interface Offered {
  readonly type: InstanceType
  readonly source: LaunchSource
}

/**
 * Returns true if NodeOverlays give these machines a price in each NodePool that may launch them. If no pool may launch them, only overlays
 * that match without the labels of a pool count (`docs/spec/static-pools-buffers-overlays.md#node-overlays`). If several overlays change a
 * price, the one with the highest weight applies. If their weights are equal, the one with the later name applies. Adjusting an unknown
 * price leaves it unknown.
 */
export const isPricedByOverlays = (
  machines: Offered,
  overlays: readonly NodeOverlay[],
  pools: readonly NodePool[],
): boolean => {
  const offered = requirementsOf(machines)
  const inForce = overlays.filter(isInForce).toSorted(byRank)
  const ofPools = pools.filter((pool) => areCompatible(pool.spec.template.spec.requirements, offered)).map(poolLabels)
  return (ofPools.length === 0 ? [[]] : ofPools).every(
    (ofPool) => inForce.find((overlay) => matches(overlay, [...ofPool, ...offered]))?.spec.price !== undefined,
  )
}

const isInForce = (overlay: NodeOverlay): boolean =>
  (overlay.spec.price ?? overlay.spec.priceAdjustment) !== undefined &&
  overlay.metadata.deletionTimestamp === undefined &&
  isConditionTrue(overlay, 'ValidationSucceeded')

const byRank = (a: NodeOverlay, b: NodeOverlay): number =>
  (b.spec.weight ?? 0) - (a.spec.weight ?? 0) || (a.metadata.name < b.metadata.name ? 1 : -1)

/** Returns the requirements of the type, with the zone and the capacity type of this MachineDeployment. */
const requirementsOf = ({ type, source }: Offered): readonly RequirementSpec[] => {
  const ofSource = [labels.zone, labels.capacityType].map((key): RequirementSpec => {
    const value = source.labels[key]
    return value === undefined ? { key, operator: 'DoesNotExist' } : { key, operator: 'In', values: [value] }
  })
  return [...type.requirements.filter(({ key }) => !ofSource.some((each) => each.key === key)), ...ofSource]
}

const poolLabels = ({ metadata, spec }: NodePool): readonly RequirementSpec[] =>
  Object.entries({ ...spec.template.metadata?.labels, [labels.nodePool]: metadata.name }).map(
    ([key, value]): RequirementSpec => ({ key, operator: 'In', values: [value] }),
  )

/**
 * Returns true if the overlay matches. A label that neither the NodePool nor the instance type has matches only a requirement that allows
 * its absence.
 */
const matches = ({ spec }: NodeOverlay, offered: readonly RequirementSpec[]): boolean => {
  const wanted: readonly RequirementSpec[] = spec.requirements ?? []
  return (
    wanted.every((each) => admitsAbsence(each) || offered.some(({ key }) => key === each.key)) &&
    areCompatible(wanted, offered)
  )
}
