import { karpenterKinds, type NodeClaim } from '@kerf/apis'
import { countBufferedPods } from './buffered-pods.ts'
import type { MakeInvariant } from './invariant.ts'
import { LAUNCHED_FOR, NodesWithPods } from './nodes-with-pods.ts'
import { PodDemand } from './pod-demand.ts'

/** How old Kerf's view of the pods may be when it creates a NodeClaim: a watch may lag by 30 s. */
const KNOWN_BEFORE = 30_000

const claimOwners = ({ metadata }: NodeClaim): readonly string[] =>
  metadata.annotations?.[LAUNCHED_FOR]?.split(',') ?? []

/**
 * Kerf launches at most one node per owner ahead of the pods that exist (`docs/spec/expected-pods.md`). Each NodeClaim that was launched
 * for an owner and never had a pod is either that one node, or needs a pod that has existed since the oldest of these claims was planned.
 * Virtual pods of capacity buffers count as existing pods. If the claims were also launched for other owners, each of these owners may have
 * one more node.
 */
export const oneNodeAhead: MakeInvariant = (environment, report) => {
  const demand = new PodDemand(environment)
  const used = new NodesWithPods(environment)
  const { overlaps } = environment.processes
  const buffered = countBufferedPods(environment)
  return {
    name: 'one-node-ahead',
    always: () => {
      demand.note()
      used.note()
      return []
    },
    acted: ({ verb, kind, ref }) => {
      if (verb !== 'create' || kind?.kind !== karpenterKinds.NodeClaim.kind) return
      demand.note()
      used.note()
      if (overlaps.near(environment.clock.monotonic())) return
      const claims = environment.claims()
      const created = claims.find(({ metadata }) => metadata.name === ref?.name)
      for (const owner of created === undefined ? [] : claimOwners(created)) {
        const unused = claims.filter(
          (claim) =>
            claim.metadata.deletionTimestamp === undefined &&
            claimOwners(claim).includes(owner) &&
            !used.hasHadPods(claim),
        )
        if (unused.some(({ metadata }) => overlaps.nearTime(metadata.creationTimestamp))) continue
        const oldest = Math.min(...unused.map(({ metadata }) => Date.parse(metadata.creationTimestamp ?? '')))
        const since = oldest - environment.clock.now() + environment.clock.monotonic() - KNOWN_BEFORE
        const pods = demand.wantedSince(since) + buffered
        const ahead = new Set(unused.flatMap(claimOwners)).size
        if (unused.length > pods + ahead)
          report(`${unused.length} unused nodes were launched for ${owner}, and only ${pods} pods needed a node`)
      }
    },
  }
}
