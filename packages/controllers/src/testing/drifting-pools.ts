import { MIDDLE, only } from './closed-pools.ts'
import { createDisruptablePool, type Harness, type HarnessOptions, patchPool } from './harness/index.ts'

/** Creates pools that disrupt nothing until the test opens them, and makes their nodes drift. */

export const TYPE = MIDDLE

export const template = only(TYPE)

/**
 * Returns a function that starts a cluster with a pool that does not consolidate, and that replaces drifted nodes only after `release` is
 * called.
 */
export const heldWith =
  (start: (options?: HarnessOptions) => Promise<Harness>) =>
  async (options: HarnessOptions = {}, name = 'general'): Promise<Harness> => {
    const w = await start(options)
    await createDisruptablePool(
      w,
      name,
      { disruption: { consolidateAfter: 'Never', budgets: [{ nodes: '0' }] } },
      template,
    )
    return w
  }

export const release = (w: Harness, nodes = '100%', pool = 'general') =>
  patchPool(w, pool, { spec: { disruption: { budgets: [{ nodes }] } } })

/** Makes every node of the pool drift. */
export const change = (w: Harness, team: string, pool = 'general') =>
  patchPool(w, pool, { spec: { template: { metadata: { labels: { team } } } } })

export const drifted = (w: Harness, nodepool?: string) =>
  w.metric('karpenter_nodeclaims_disrupted_total', {
    reason: 'drifted',
    ...(nodepool === undefined ? {} : { nodepool }),
  })

export const decisions = (w: Harness, decision: string) =>
  w.metric('karpenter_voluntary_disruption_decisions_total', { decision, reason: 'drifted', consolidation_type: '' })
