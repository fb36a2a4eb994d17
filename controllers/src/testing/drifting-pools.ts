import { MIDDLE, only } from './closed-pools.ts'
import type { DisruptionWorld, DisruptionWorldOptions } from './disruption-world.ts'

/** Worlds of pools that let nothing go until they are opened, and nodes that drift in them. */

export const TYPE = MIDDLE

export const template = only(TYPE)

/** A pool that consolidates nothing and, until `release`, lets nothing go for drift either. */
export const heldWith =
  (start: (options?: DisruptionWorldOptions) => Promise<DisruptionWorld>) =>
  async (options: DisruptionWorldOptions = {}, name = 'general'): Promise<DisruptionWorld> => {
    const w = await start(options)
    await w.pool(name, { disruption: { consolidateAfter: 'Never', budgets: [{ nodes: '0' }] } }, template)
    return w
  }

export const release = (w: DisruptionWorld, nodes = '100%', pool = 'general') =>
  w.patchPool(pool, { spec: { disruption: { budgets: [{ nodes }] } } })

/** Makes every node of the pool drift. */
export const change = (w: DisruptionWorld, team: string, pool = 'general') =>
  w.patchPool(pool, { spec: { template: { metadata: { labels: { team } } } } })

export const drifted = (w: DisruptionWorld, nodepool?: string) =>
  w.metric('karpenter_nodeclaims_disrupted_total', {
    reason: 'drifted',
    ...(nodepool === undefined ? {} : { nodepool }),
  })

export const decisions = (w: DisruptionWorld, decision: string) =>
  w.metric('karpenter_voluntary_disruption_decisions_total', { decision, reason: 'drifted', consolidation_type: '' })
