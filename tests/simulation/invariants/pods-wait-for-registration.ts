import { labels } from '@kerf/apis'
import { isOfDaemonSet } from './daemon-pods.ts'
import type { MakeInvariant } from './invariant.ts'

/** No pod runs on a node before the node has its NodeClaim's labels and taints. DaemonSet pods are exempt. */
export const podsWaitForRegistration: MakeInvariant = (environment) => ({
  name: 'pods-wait-for-registration',
  always: () => {
    const unregistered = new Set(
      environment
        .nodes()
        .flatMap(({ metadata }) => (metadata.labels?.[labels.registered] === 'true' ? [] : [metadata.name])),
    )
    if (unregistered.size === 0) return []
    return environment
      .pods()
      .flatMap((pod) =>
        unregistered.has(pod.spec.nodeName ?? '') && !isOfDaemonSet(pod)
          ? [`pod ${pod.metadata.name} is on ${pod.spec.nodeName}, which is not registered`]
          : [],
      )
  },
})
