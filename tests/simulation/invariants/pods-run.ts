import { isOfDaemonSet } from './daemon-pods.ts'
import type { MakeInvariant } from './invariant.ts'
import { isOfOthers } from './others-pods.ts'

/**
 * At the end, every pod runs or has completed: every pod of a run fits a NodePool without limits. Skips pods of another autoscaler. Also
 * skips DaemonSet pods, because such a pod may wait for capacity on its node that only preemption can free.
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
