import type { Pod, UsdPerHour } from '@kerf/apis'
import { boundInSteps } from '../improvement/lower-bound.ts'
import { modelInSteps } from '../improvement/model.ts'
import { Run } from '../packing/packing-run.ts'
import { inQueueOrder } from '../packing/queue.ts'
import { podFormOf } from '../pods/pod-form.ts'
import { problemOf } from '../problem/problem.ts'
import type { ScheduleOptions } from '../schedule-options.ts'
import type { ClusterSnapshot } from '../snapshot.ts'
import type { Steps } from '../steps.ts'

/** Pods that are read, or placed, in one step: a few milliseconds. */
const PODS_A_STEP = 250

/**
 * What these pods cost at the least: no valid plan for them on new nodes costs less. Nothing when the batch cannot be
 * modelled (`improvement/model.ts` says which can). What the pods ask for is compared in one step, and they are put in order in one.
 */
export function* costBound(
  snapshot: ClusterSnapshot,
  pods: readonly Pod[],
  options: ScheduleOptions,
): Steps<UsdPerHour | undefined> {
  // What each pod asks for is read once and kept: the problem finds it there.
  for (const [place, pod] of pods.entries()) {
    podFormOf(pod)
    if (place % PODS_A_STEP === PODS_A_STEP - 1) yield
  }
  const problem = problemOf({ ...snapshot, nodes: [] }, pods, options)
  yield
  const run = new Run(problem)
  const queue = inQueueOrder(problem.table, problem.pods)
  yield
  yield* run.solving(queue, PODS_A_STEP)
  const model = yield* modelInSteps(run)
  yield
  return model === undefined ? undefined : yield* boundInSteps(model)
}
