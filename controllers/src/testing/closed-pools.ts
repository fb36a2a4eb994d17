import { labels } from '@kerf/apis'
import { nodeClassRef } from '@kerf/testing'
import {
  createDisruptablePool,
  createPodOn,
  launchNodes,
  patchPool,
  type RunningNode,
  type RunningNodeOptions,
  type World,
  type WorldOptions,
} from './world/index.ts'

/** Worlds of pools that consolidate nothing until they are opened, and busy nodes for them. */

export const SMALL = 'c-2x-amd64-linux'
export const MIDDLE = 'c-4x-amd64-linux'
export const LARGE = 'c-8x-amd64-linux'

/** What a pool may launch: on-demand nodes of these types only. */
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

type Start = (options?: WorldOptions) => Promise<World>

/** A world whose pool disrupts nothing until `open`; with types, the pool launches these only. */
export const closedWith =
  (start: Start) =>
  async (options: WorldOptions = {}, ...types: readonly string[]): Promise<World> => {
    const w = await start(options)
    await createDisruptablePool(
      w,
      'general',
      { disruption: { consolidateAfter: 'Never' } },
      types.length === 0 ? {} : only(...types),
    )
    return w
  }

/** Pods that are evicted in these tests are gone for good: the nodes they would have gone to must not go as empty. */
export const NOT_EMPTY = [{ nodes: '0', reasons: ['Empty', 'Drifted'] }, { nodes: '100%' }]

/** Lets the pool consolidate. */
export const open = (w: World, disruption: object = {}, pool = 'general'): Promise<void> =>
  patchPool(w, pool, { spec: { disruption: { consolidateAfter: '0s', budgets: NOT_EMPTY, ...disruption } } })

/** Nodes with one pod each. */
export const busy = async (
  w: World,
  count: number,
  cpu: string,
  traits: RunningNodeOptions = {},
): Promise<readonly RunningNode[]> => {
  const made = await launchNodes(w, count, traits)
  for (const { node, claim } of made) await createPodOn(w, `on-${claim}`, node, { cpu })
  await w.pass(500)
  return made
}

/** What keeps single-node consolidation from the node. */
export const singleBlockers = async (w: World, node: string) => {
  const found = await w.kerf.explainNode(node, new AbortController().signal)
  return found?.methods.find(({ method }) => method === 'single-node')?.blockers ?? []
}
