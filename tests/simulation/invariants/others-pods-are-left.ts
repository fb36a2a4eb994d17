import { karpenterKinds, type Pod } from '@kerf/apis'
import type { MakeInvariant } from './invariant.ts'
import { MissingPods } from './missing-pods.ts'
import { isOfOthers } from './others-pods.ts'
import { PodDemand } from './pod-demand.ts'

/** The maximum age of the state with which Kerf planned a NodeClaim, including the longest delay of a call. */
const PLANNED_WITHIN = 60_000

/**
 * Kerf ignores pods that belong to another autoscaler: it publishes no events about them, and creates no NodeClaim while no other pod needs
 * a node.
 */
export const othersPodsAreLeft: MakeInvariant = (environment, report) => {
  const demand = new PodDemand(environment)
  const missing = new MissingPods(environment)
  const isUsed = environment.run.objects.some(
    ({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'theirs',
  )
  return {
    name: 'others-pods-are-left',
    always: () => {
      if (!isUsed) return []
      demand.note()
      missing.note()
      return []
    },
    acts: ({ verb, kind, ref }) => {
      if (!isUsed || verb !== 'create') return
      if (kind?.kind !== karpenterKinds.NodeClaim.kind) return
      // Kerf launches replacements, static capacity and buffers even without pending pods.
      const isForPods = environment.run.pools.every(({ spec }) => spec.replicas === undefined)
      const hasBuffers = environment.run.objects.some((object) => object.kind === 'CapacityBuffer')
      const disrupts = environment
        .nodes()
        .some(({ spec }) => spec.taints?.some(({ key }) => key === 'karpenter.sh/disrupted'))
      if (!isForPods || hasBuffers || disrupts) return
      const since = environment.clock.monotonic() - PLANNED_WITHIN
      if (demand.wantedSince(since) + missing.mostSince(since) === 0)
        report(`NodeClaim ${ref?.name} was created although only pods of another autoscaler wanted a node`)
    },
    quiet: () =>
      !isUsed
        ? []
        : environment.processes
            .events()
            .filter(({ object }) => object.kind === 'Pod' && isOfOthers(object as Pod))
            .map(
              ({ object, reason }) =>
                `an event ${reason} was written about pod ${object.metadata.name} of another autoscaler`,
            ),
  }
}
