import { MIDDLE, only } from './closed-pools.ts'
import { createDisruptablePool, patchPool, type World, type WorldOptions } from './world/index.ts'

/** Worlds with pools that disrupt nothing until they are opened, and nodes that drift in them. */

export const TYPE = MIDDLE

export const template = only(TYPE)

/**
 * Returns a function that creates a world with a pool without consolidation, and without replacement of drifted nodes until
 * `release`.
 */
export const heldWith =
  (start: (options?: WorldOptions) => Promise<World>) =>
  async (options: WorldOptions = {}, name = 'general'): Promise<World> => {
    const w = await start(options)
    await createDisruptablePool(
      w,
      name,
      { disruption: { consolidateAfter: 'Never', budgets: [{ nodes: '0' }] } },
      template,
    )
    return w
  }

export const release = (w: World, nodes = '100%', pool = 'general') =>
  patchPool(w, pool, { spec: { disruption: { budgets: [{ nodes }] } } })

/** Makes every node of the pool drift. */
export const change = (w: World, team: string, pool = 'general') =>
  patchPool(w, pool, { spec: { template: { metadata: { labels: { team } } } } })

export const drifted = (w: World, nodepool?: string) =>
  w.metric('karpenter_nodeclaims_disrupted_total', {
    reason: 'drifted',
    ...(nodepool === undefined ? {} : { nodepool }),
  })

export const decisions = (w: World, decision: string) =>
  w.metric('karpenter_voluntary_disruption_decisions_total', { decision, reason: 'drifted', consolidation_type: '' })
