import { labels } from '@kerf/apis'
import { nodeClassRef } from '@kerf/testing'
import {
  createDisruptablePool,
  createPodOn,
  type Harness,
  type HarnessOptions,
  launchNodes,
  patchPool,
  type RunningNode,
  type RunningNodeOptions,
} from './harness/index.ts'

/** Creates pools that do not consolidate until the test opens them, and nodes in use for these pools. */

export const SMALL = 'c-2x-amd64-linux'
export const MIDDLE = 'c-4x-amd64-linux'
export const LARGE = 'c-8x-amd64-linux'

/** Returns a template that allows only on-demand nodes of these instance types. */
export const only = (...types: readonly string[]) => ({
  spec: {
    nodeClassRef,
    expireAfter: 'Never',
    requirements: [
      { key: labels.instanceType, operator: 'In' as const, values: [...types] },
      { key: labels.capacityType, operator: 'In' as const, values: ['on-demand'] },
    ],
  },
})

type Start = (options?: HarnessOptions) => Promise<Harness>

/**
 * Returns a function that starts a cluster with a pool that disrupts nothing until `open` is called. With `types`, the pool launches only
 * these instance types.
 */
export const closedWith =
  (start: Start) =>
  async (options: HarnessOptions = {}, ...types: readonly string[]): Promise<Harness> => {
    const w = await start(options)
    await createDisruptablePool(
      w,
      'general',
      { disruption: { consolidateAfter: 'Never' } },
      types.length === 0 ? {} : only(...types),
    )
    return w
  }

/**
 * Budgets that allow neither empty nor drifted nodes to be disrupted. In these tests, no controller recreates evicted pods, so the nodes on
 * which Kerf expects them stay empty, and Kerf would remove these nodes.
 */
export const NOT_EMPTY = [{ nodes: '0', reasons: ['Empty', 'Drifted'] }, { nodes: '100%' }]

/** Allows the pool to consolidate. */
export const open = (w: Harness, disruption: object = {}, pool = 'general'): Promise<void> =>
  patchPool(w, pool, { spec: { disruption: { consolidateAfter: '0s', budgets: NOT_EMPTY, ...disruption } } })

/** Launches nodes that run one pod each. */
export const busy = async (
  w: Harness,
  count: number,
  cpu: string,
  traits: RunningNodeOptions = {},
): Promise<readonly RunningNode[]> => {
  const made = await launchNodes(w, count, traits)
  for (const { node, claim } of made) await createPodOn(w, `on-${claim}`, node, { cpu })
  await w.pass(500)
  return made
}

/** Returns what blocks a consolidation of this node alone. */
export const singleBlockers = async (w: Harness, node: string) => {
  const found = await w.kerf.explainNode(node, new AbortController().signal)
  return found?.methods.find(({ method }) => method === 'single-node')?.blockers ?? []
}
