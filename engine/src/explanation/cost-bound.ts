import type { Pod, UsdPerHour } from '@kerf/apis'
import { lowerBound } from '../improvement/lower-bound.ts'
import { modelOf } from '../improvement/model.ts'
import { Run } from '../packing/packing-run.ts'
import { inQueueOrder } from '../packing/queue.ts'
import { problemOf } from '../problem/problem.ts'
import type { ScheduleOptions } from '../schedule-options.ts'
import type { ClusterSnapshot } from '../snapshot.ts'

/**
 * What these pods cost at the least: no valid plan for them on new nodes costs less. Nothing when the batch cannot be
 * modelled (`improvement/model.ts` says which can).
 */
export const costBound = (
  snapshot: ClusterSnapshot,
  pods: readonly Pod[],
  options: ScheduleOptions = {},
): UsdPerHour | undefined => {
  const problem = problemOf({ ...snapshot, nodes: [] }, pods, options)
  const run = new Run(problem)
  run.solve(inQueueOrder(problem.table, problem.pods))
  const model = modelOf(run)
  return model === undefined ? undefined : lowerBound(model)
}
