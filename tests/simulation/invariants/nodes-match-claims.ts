import { finalizers, isConditionTrue, isSameTaint, taints } from '@kerf/apis'
import type { MakeInvariant } from './invariant.ts'

/** At the end, every node has its NodeClaim's taints and Kerf's finalizer. Only terminating nodes have the disruption taint. */
export const nodesMatchClaims: MakeInvariant = (environment) => ({
  name: 'nodes-match-claims',
  eventually: () => {
    const nodes = new Map(environment.nodes().map((node) => [node.spec.providerID, node]))
    return environment.claims().flatMap((claim) => {
      const node = nodes.get(claim.status?.providerID)
      if (node === undefined || !isConditionTrue(claim, 'Registered') || claim.metadata.deletionTimestamp !== undefined)
        return []
      const { name } = node.metadata
      const missing = (claim.spec.taints ?? []).filter(
        (taint) => !node.spec.taints?.some((other) => isSameTaint(taint, other)),
      )
      return [
        ...missing.map(({ key }) => `node ${name} lacks its claim's taint ${key}`),
        ...(node.metadata.finalizers?.includes(finalizers.termination) === true
          ? []
          : [`node ${name} has no finalizer`]),
        ...(node.spec.taints?.some((taint) => isSameTaint(taint, taints.disrupted)) === true
          ? [`node ${name} has the disruption taint and is kept`]
          : []),
      ]
    })
  },
})
