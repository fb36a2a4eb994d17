import { isOfDaemonSet } from './daemon-pods.ts'
import type { MakeInvariant } from './invariant.ts'

/**
 * At rest every pod runs or has ended: courses hold only pods that some pool without limits can take. A daemon's pod can
 * wait on its one node for room that only preemption would make.
 */
export const podsRun: MakeInvariant = (environment) => ({
  name: 'pods-run',
  eventually: () =>
    environment
      .pods()
      .filter((pod) => !['Running', 'Succeeded', 'Failed'].includes(pod.status?.phase ?? '') && !isOfDaemonSet(pod))
      .map(
        ({ metadata, spec }) =>
          `pod ${metadata.name} waits${spec.nodeName === undefined ? '' : ` on ${spec.nodeName}`}`,
      ),
})
