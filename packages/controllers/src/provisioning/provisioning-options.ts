import { type ScheduleOptions, trialsWithin } from '@kerf/engine'
import type { MirrorDeps } from '../state/cluster-state.ts'

type OptionDeps = Pick<MirrorDeps, 'settings' | 'provider'>

/** Returns the options for a decision of the provisioner about `pods` pods. */
export const provisioningOptions = (deps: OptionDeps, pods: number): ScheduleOptions => ({
  ...sharedOptions(deps),
  countsZones: true,
  nodeOverheadCost: deps.settings.nodeOverheadCost,
  fewerNodesCostShare: deps.settings.fewerNodesCostShare,
  planBudget: trialsWithin(deps.settings.planBudget, pods),
  reservedMode: 'Strict',
})

/**
 * Returns the options of a disruption simulation. They equal those of the provisioner except for two points: pods may use other capacity if
 * reserved capacity is used up, and the engine does not search for a cheaper plan.
 */
export const simulationOptions = (deps: OptionDeps, consolidation: boolean): ScheduleOptions => ({
  ...sharedOptions(deps),
  planBudget: 0,
  reservedMode: 'Fallback',
  ...(consolidation ? { consolidation } : {}),
})

const sharedOptions = ({ settings, provider }: OptionDeps): ScheduleOptions => ({
  preferencePolicy: settings.preferencePolicy,
  minValuesPolicy: settings.minValuesPolicy,
  reservedCapacity: settings.featureGates.ReservedCapacity,
  ignoreDraRequests: settings.ignoreDraRequests,
  vocabulary: provider.vocabulary,
  ...(provider.reservationIdLabel === undefined ? {} : { reservationIdLabel: provider.reservationIdLabel }),
  ...(settings.defaultSpreadConstraints.length === 0
    ? {}
    : { defaultSpreadConstraints: settings.defaultSpreadConstraints }),
})
