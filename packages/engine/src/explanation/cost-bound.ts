import type { Pod, UsdPerHour } from '@kerf/apis'
import { boundInSteps } from '../improvement/lower-bound.ts'
import { modelInSteps } from '../improvement/model.ts'
import { Run } from '../packing/packing-run.ts'
import { inQueueOrder } from '../packing/queue.ts'
import { podForm } from '../pods/pod-form.ts'
import { buildProblem } from '../problem/problem.ts'
import type { ScheduleOptions } from '../schedule-options.ts'
import type { ClusterSnapshot } from '../snapshot.ts'
import type { Steps } from '../steps.ts'

/** The number of pods to read or to place in one step, which takes a few milliseconds. */
const PODS_A_STEP = 250

/**
 * Computes a lower bound for the cost of these pods: no valid plan that places them on new nodes costs less. Returns `undefined` if the
 * batch cannot be modelled (see `improvement/model.ts`). One step reads the problem, and another step sorts the queue.
 */
export function* costBound(
  snapshot: ClusterSnapshot,
  pods: readonly Pod[],
  options: ScheduleOptions,
): Steps<UsdPerHour | undefined> {
  // Computes the pod forms in steps and caches them. Reading the problem then finds them in the cache.
  for (const [place, pod] of pods.entries()) {
    podForm(pod)
    if (place % PODS_A_STEP === PODS_A_STEP - 1) yield
  }
  const problem = buildProblem({ ...snapshot, nodes: [] }, pods, options)
  yield
  const run = new Run(problem)
  const queue = inQueueOrder(problem.table, problem.pods)
  yield
  yield* run.solving(queue, PODS_A_STEP)
  const model = yield* modelInSteps(run)
  yield
  return model === undefined ? undefined : yield* boundInSteps(model)
}
