import { type ScheduleOptions, trialsWithin } from '@kerf/engine'
import type { PlanningOptions } from './planning-options.ts'

/** Returns the engine's settings for a batch of `pods` pods. `provided` are settings of the provider whose instance types are used. */
export const scheduleOptions = (
  provided: ScheduleOptions,
  {
    planBudget,
    nodeOverheadCost,
    fewerNodesCostShare,
    preferencePolicy = 'Respect',
    minValuesPolicy = 'Strict',
  }: PlanningOptions,
  pods: number,
): ScheduleOptions => ({
  ...provided,
  preferencePolicy,
  minValuesPolicy,
  ...(nodeOverheadCost === undefined ? {} : { nodeOverheadCost }),
  ...(fewerNodesCostShare === undefined ? {} : { fewerNodesCostShare }),
  ...(planBudget === undefined ? {} : { planBudget: trialsWithin(planBudget, pods) }),
})
