import { isOfDaemonSet } from './daemon-pods.ts'
import type { MakeInvariant } from './invariant.ts'
import { isOfOthers } from './others-pods.ts'

/**
 * At the end, every pod runs or has completed: every pod of a run fits a NodePool without limits. Skips pods of another autoscaler and pods
 * of DaemonSets, which may wait for capacity on their node that only preemption could free.
 */
export const podsRun: MakeInvariant = (environment) => ({
  name: 'pods-run',
  eventually: () =>
    environment
      .pods()
      .filter((pod) => !['Running', 'Succeeded', 'Failed'].includes(pod.status?.phase ?? ''))
      .filter((pod) => !isOfDaemonSet(pod) && !isOfOthers(pod))
      .map(
        ({ metadata, spec }) =>
          `pod ${metadata.name} is pending${spec.nodeName === undefined ? '' : ` on ${spec.nodeName}`}`,
      ),
})
