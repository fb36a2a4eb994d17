import { isConditionTrue, kinds, labels, type NodePool, taints } from '@kerf/apis'
import type { World } from '../world/world.ts'
import type { MakeInvariant } from './invariant.ts'

/** Budgets without schedule and reasons, as courses have them. */
const allowedBy = (pool: NodePool, total: number): number =>
  Math.min(
    ...(pool.spec.disruption?.budgets ?? [{ nodes: '10%' }]).map(({ nodes }) =>
      nodes.endsWith('%') ? Math.ceil((Number.parseInt(nodes, 10) / 100) * total) : Number(nodes),
    ),
  )

const taintedNodes = (world: World): ReadonlySet<string> =>
  new Set(
    world
      .nodes()
      .flatMap(({ metadata, spec }) =>
        spec.taints?.some(({ key }) => key === taints.disrupted.key) ? [metadata.name ?? ''] : [],
      ),
  )

/** Of each pool no more nodes are on their way out by Kerf's own choice than its budget allows. */
export const disruptionBudgets: MakeInvariant = (world, report) => {
  let tainted: ReadonlySet<string> = new Set()
  const chosen = new Set<string>()
  const forget = (): void => {
    tainted = taintedNodes(world)
    const ending = new Set(
      world
        .claims()
        .flatMap((claim) => (isConditionTrue(claim, 'InstanceTerminating') ? [claim.status?.nodeName] : [])),
    )
    for (const name of chosen) if (!tainted.has(name) || ending.has(name)) chosen.delete(name)
  }
  return {
    name: 'disruption-budgets',
    step: () => {
      forget()
      return []
    },
    acted: ({ verb, kind, ref }) => {
      if (verb !== 'patch' || kind?.kind !== kinds.Node.kind || ref === undefined || tainted.has(ref.name)) return
      const node = world.nodes().find(({ metadata }) => metadata.name === ref.name)
      const claim = world.claims().find(({ status }) => status?.providerID === node?.spec.providerID)
      forget()
      if (node === undefined || claim === undefined || !tainted.has(ref.name)) return
      if (node.metadata.deletionTimestamp !== undefined || claim.metadata.deletionTimestamp !== undefined) return
      chosen.add(ref.name)
      if (world.hadTwo) return
      const poolName = node.metadata.labels?.[labels.nodePool]
      const pool = world.nodePools().find(({ metadata }) => metadata.name === poolName)
      if (pool === undefined) return
      const own = world
        .nodes()
        .filter(
          ({ metadata }) =>
            metadata.labels?.[labels.nodePool] === poolName && metadata.labels?.[labels.initialized] === 'true',
        )
      const leaving = own.filter(({ metadata }) => chosen.has(metadata.name ?? ''))
      const allowed = allowedBy(pool, own.length)
      if (leaving.length > allowed)
        report(
          `${leaving.length} nodes of pool ${poolName} are being disrupted, and ${allowed} of ${own.length} may be`,
        )
    },
  }
}
