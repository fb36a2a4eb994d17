import { finalizers, isConditionTrue, isSameTaint, taints } from '@kerf/apis'
import type { MakeInvariant } from './invariant.ts'

/** At rest a node has its claim's taints and Kerf's finalizer, and is closed to pods only while it goes. */
export const nodesCarryClaims: MakeInvariant = (world) => ({
  name: 'nodes-carry-claims',
  rest: () => {
    const nodes = new Map(world.nodes().map((node) => [node.spec.providerID, node]))
    return world.claims().flatMap((claim) => {
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
          ? [`node ${name} is closed and stays`]
          : []),
      ]
    })
  },
})
