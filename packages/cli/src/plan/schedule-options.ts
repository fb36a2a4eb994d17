import { type ScheduleOptions, workOf } from '@kerf/engine'
import type { PlanningOptions } from './planning-options.ts'

/** Returns the engine's settings for a batch with this number of pods. `provided` are the settings of the instance types' provider. */
export const scheduleOptions = (
  provided: ScheduleOptions,
  { planBudget, nodeOverheadCost, preferencePolicy = 'Respect', minValuesPolicy = 'Strict' }: PlanningOptions,
  pods: number,
): ScheduleOptions => ({
  ...provided,
  preferencePolicy,
  minValuesPolicy,
  ...(nodeOverheadCost === undefined ? {} : { nodeOverheadCost }),
  ...(planBudget === undefined ? {} : { planBudget: workOf(planBudget, pods) }),
})
