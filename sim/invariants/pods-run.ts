import { isOfDaemonSet } from './daemon-pods.ts'
import type { MakeInvariant } from './invariant.ts'
import { isOfOthers } from './others-pods.ts'

/**
 * In the end every pod runs or has ended, because every pod of a run fits a NodePool without limits. A DaemonSet's pod is
 * left out: it may be pending for capacity on its node that only preemption could free. So is a pod of another autoscaler.
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
