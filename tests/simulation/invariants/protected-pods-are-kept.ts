import { kinds, taints } from '@kerf/apis'
import type { MakeInvariant } from './invariant.ts'
import { podOfCall } from './pod-of-call.ts'
import { PodProtection } from './pod-protection.ts'

/**
 * Kerf does not disrupt a node, or evict a pod, if an annotation or a PodDisruptionBudget protects the pod. Skips NodeClaims with a
 * terminationGracePeriod.
 */
export const protectedPodsAreKept: MakeInvariant = (environment, report) => {
  const protection = new PodProtection(environment)
  return {
    name: 'protected-pods-are-kept',
    always: () => {
      protection.note()
      return []
    },
    acts: (call) => {
      if (call.verb !== 'evict' || call.kind?.kind !== kinds.Pod.kind) return
      if (environment.clockSkews.near(environment.clock.monotonic())) return
      const pod = podOfCall(environment, call)
      if (pod !== undefined && protection.isProtected(pod))
        report(`pod ${pod.metadata.name} must not be disrupted, and was evicted`)
    },
    acted: ({ verb, kind, ref }) => {
      if (verb !== 'patch' || kind?.kind !== kinds.Node.kind || ref === undefined || protection.wasTainted(ref.name))
        return
      const node = environment.nodes().find(({ metadata }) => metadata.name === ref.name)
      const claim = environment.claims().find(({ status }) => status?.providerID === node?.spec.providerID)
      if (node === undefined || claim === undefined || claim.spec.terminationGracePeriod !== undefined) return
      if (node.metadata.deletionTimestamp !== undefined || claim.metadata.deletionTimestamp !== undefined) return
      if (!node.spec.taints?.some(({ key }) => key === taints.disrupted.key)) return
      for (const pod of environment.pods()) {
        if (pod.spec.nodeName !== ref.name || !protection.isKnown(pod)) continue
        if (protection.isProtected(pod))
          report(`node ${ref.name} is disrupted with pod ${pod.metadata.name} on it, which must not be disrupted`)
        else if (protection.isGuarded(pod))
          report(
            `node ${ref.name} is disrupted with pod ${pod.metadata.name} on it, whose PodDisruptionBudget allows no eviction`,
          )
      }
    },
  }
}
