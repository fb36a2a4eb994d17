import { type ScheduleOptions, workOf } from '@kerf/engine'
import type { PlanningOptions } from './planning-options.ts'

/** The engine's settings for a batch of so many pods. `provided` is what the instance types bring along. */
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
