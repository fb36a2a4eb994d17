import { isConditionTrue, karpenterKinds, parseQuantity, toWhole } from '@kerf/apis'
import { countBufferedPods } from './buffered-pods.ts'
import type { MakeInvariant } from './invariant.ts'
import { MissingPods } from './missing-pods.ts'
import { mostPlanned } from './most-planned.ts'
import { PodDemand } from './pod-demand.ts'

/**
 * Kerf plans no pod twice. It plans the launching NodeClaims for at most the pods that have been pending since the oldest of these claims
 * was created, plus the virtual pods of capacity buffers. `mostPlanned` computes the exact limit.
 */
export const onePlanPerPod: MakeInvariant = (environment, report) => {
  const demand = new PodDemand(environment)
  const missing = new MissingPods(environment)
  /**
   * For each NodeClaim, the time at which Kerf sent the call that created it. The NodeClaim may have a later creation time, because a call
   * may arrive late.
   */
  const askedAt = new Map<string, number>()
  const { objects } = environment.run
  const daemons = objects.filter(({ kind }) => kind === 'DaemonSet').length
  const buffered = countBufferedPods(environment)
  return {
    name: 'one-plan-per-pod',
    always: () => {
      demand.note()
      missing.note()
      return []
    },
    begins: ({ verb, kind, ref }) => {
      if (verb === 'create' && kind?.kind === karpenterKinds.NodeClaim.kind)
        askedAt.set(ref?.name ?? '', environment.clock.monotonic())
    },
    acted: ({ verb, kind }) => {
      if (verb !== 'create' || kind?.kind !== karpenterKinds.NodeClaim.kind) return
      demand.note()
      missing.note()
      const underWay = environment
        .claims()
        .filter((claim) => claim.metadata.deletionTimestamp === undefined && !isConditionTrue(claim, 'Initialized'))
      if (environment.processes.overlaps.near(environment.clock.monotonic())) return
      if (underWay.some(({ metadata }) => environment.processes.overlaps.nearTime(metadata.creationTimestamp))) return
      // The pods planned for a NodeClaim include DaemonSet pods, which were not pending.
      const planned = underWay.reduce(
        (sum, { spec }) => sum + Math.max(0, toWhole(parseQuantity(spec.resources?.requests?.['pods'] ?? 0)) - daemons),
        0,
      )
      const oldest = Math.min(...underWay.map(({ metadata }) => Date.parse(metadata.creationTimestamp ?? '')))
      const madeAt = oldest - environment.clock.now() + environment.clock.monotonic()
      const since = Math.min(madeAt, ...underWay.map(({ metadata }) => askedAt.get(metadata.name) ?? madeAt)) - 1_000
      const wanted = demand.wantedSince(since) + missing.mostSince(since)
      const late = demand.firstWantedSince(since)
      const isFirst = underWay.every(({ metadata }) => Date.parse(metadata.creationTimestamp ?? '') === oldest)
      if (planned > mostPlanned({ claims: underWay.length, isFirst, wanted, late, buffered }))
        report(
          `${underWay.length} claims are being launched for ${planned} pods, and only ${wanted} were pending or missing`,
        )
    },
  }
}
