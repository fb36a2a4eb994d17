import { annotations, kinds, type Pod } from '@kerf/apis'
import { findNodeName } from './find-node-name.ts'
import type { MakeInvariant } from './invariant.ts'
import { podOfCall } from './pod-of-call.ts'

const SLACK = 2_000
const LARGEST_SKEW = 90_000

/** Kerf removes pods by eviction, which a PodDisruptionBudget can refuse. It deletes pods only when a terminationGracePeriod ends. */
export const podsAreEvicted: MakeInvariant = (environment, report) => {
  /** The deadline of each Node. It still applies to pods that outlive the Node and its NodeClaim. */
  const deadlines = new Map<string, number>()
  const note = (): void => {
    for (const claim of environment.claims()) {
      const deadline = claim.metadata.annotations?.[annotations.terminationTimestamp]
      const nodeName = deadline === undefined ? undefined : findNodeName(claim, environment)
      if (deadline !== undefined && nodeName !== undefined) deadlines.set(nodeName, Date.parse(deadline))
    }
  }
  const podDeadline = (pod: Pod): number => deadlines.get(pod.spec.nodeName ?? '') ?? Number.NaN
  return {
    name: 'pods-are-evicted',
    always: () => {
      note()
      return []
    },
    acts: (call) => {
      if (call.verb !== 'delete' || call.kind?.kind !== kinds.Pod.kind) return
      const pod = podOfCall(environment, call)
      if (pod?.spec.nodeName === undefined || pod.metadata.deletionTimestamp !== undefined) return
      const grace = (pod.spec.terminationGracePeriodSeconds ?? 30) * 1_000
      const tolerance = SLACK + (environment.clockSkews.any ? LARGEST_SKEW : 0)
      note()
      const deadline = podDeadline(pod)
      if (Number.isNaN(deadline)) report(`pod ${pod.metadata.name} was deleted without a termination grace period`)
      else if (environment.clock.now() + grace + tolerance < deadline)
        report(`pod ${pod.metadata.name} was deleted before its time`)
    },
  }
}
