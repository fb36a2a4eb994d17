import { annotations, kinds, type Pod } from '@kerf/apis'
import type { MakeInvariant } from './invariant.ts'

const SLACK = 2_000
const LARGEST_SKEW = 90_000

/** Kerf takes pods away by eviction, which PodDisruptionBudgets can refuse, or at the end of a termination grace period. */
export const podsAreAskedToGo: MakeInvariant = (world, report) => {
  const deadlineOf = (pod: Pod): number => {
    const node = world.nodes().find(({ metadata }) => metadata.name === pod.spec.nodeName)
    const claim = world
      .claims()
      .find(({ status }) => status?.providerID !== undefined && status.providerID === node?.spec.providerID)
    return Date.parse(claim?.metadata.annotations?.[annotations.terminationTimestamp] ?? '')
  }
  return {
    name: 'pods-are-asked-to-go',
    acts: ({ verb, kind, ref }) => {
      if (verb !== 'delete' || kind?.kind !== kinds.Pod.kind || ref === undefined) return
      const pod = world
        .pods()
        .find(({ metadata }) => metadata.name === ref.name && metadata.namespace === ref.namespace)
      if (pod?.spec.nodeName === undefined || pod.metadata.deletionTimestamp !== undefined) return
      const grace = (pod.spec.terminationGracePeriodSeconds ?? 30) * 1_000
      const tolerance = SLACK + (world.wasSkewed ? LARGEST_SKEW : 0)
      const deadline = deadlineOf(pod)
      if (Number.isNaN(deadline)) report(`pod ${ref.name} was deleted without a termination grace period`)
      else if (world.clock.now() + grace + tolerance < deadline) report(`pod ${ref.name} was deleted before its time`)
    },
  }
}
