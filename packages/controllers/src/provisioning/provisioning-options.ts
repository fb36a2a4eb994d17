import { type ScheduleOptions, trialsWithin } from '@kerf/engine'
import type { MirrorDeps } from '../state/cluster-state.ts'

/** Returns the options with which the provisioner schedules `pods` pods together. */
export const provisioningOptions = (
  { settings, provider }: Pick<MirrorDeps, 'settings' | 'provider'>,
  pods: number,
): ScheduleOptions => ({
  preferencePolicy: settings.preferencePolicy,
  minValuesPolicy: settings.minValuesPolicy,
  countsZones: true,
  nodeOverheadCost: settings.nodeOverheadCost,
  fewerNodesCostShare: settings.fewerNodesCostShare,
  planBudget: trialsWithin(settings.planBudget, pods),
  reservedMode: 'Strict',
  reservedCapacity: settings.featureGates.ReservedCapacity,
  ignoreDraRequests: settings.ignoreDraRequests,
  vocabulary: provider.vocabulary,
  ...(provider.reservationIdLabel === undefined ? {} : { reservationIdLabel: provider.reservationIdLabel }),
  ...(settings.defaultSpreadConstraints.length === 0
    ? {}
    : { defaultSpreadConstraints: settings.defaultSpreadConstraints }),
})
