import { annotations, labels } from '@kerf/apis'
import { describe, expect, test } from 'vitest'
import { closedWith, LARGE, NOT_EMPTY, only, open, SMALL } from '../../testing/closed-pools.ts'
import { createDisruptablePool, createPodOn, launchNode, launchNodes, type World } from '../../testing/world/index.ts'
import { worldPerTest } from '../../testing/world-per-test.ts'

const closed = closedWith(worldPerTest())

/** Never two of an app on one node. */
const apart = (app: string) => ({
  metadata: { labels: { app } },
  spec: {
    affinity: {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { labelSelector: { matchLabels: { app } }, topologyKey: labels.hostname },
        ],
      },
    },
  },
})

/** Large nodes, each with a pod that a small one would do for, but never with another's. One more is worth keeping: its turn comes last. */
const oversized = async (w: World, count: number): Promise<readonly string[]> => {
  const nodes: string[] = []
  for (const { node } of await launchNodes(w, count + 1, { type: LARGE })) {
    const { metadata, spec } = apart('big')
    const nodeSelector = { [labels.nodePool]: 'general' }
    await createPodOn(w, `big-on-${node}`, node, { cpu: '1500m', metadata, spec: { ...spec, nodeSelector } })
    nodes.push(node)
  }
  await w.pass(500)
  return nodes
}

/** How many replacements began in the first pass that began any. */
const begunTogether = async (w: World): Promise<number> => {
  const decided = () =>
    w.metric('karpenter_voluntary_disruption_decisions_total', { decision: 'replace', consolidation_type: 'single' })
  for (let look = 0; (await decided()) === 0 && look < 400; look++) await w.pass(100)
  return await decided()
}

test('replacements that do not depend on one another begin in one pass', async () => {
  const w = await closed({}, SMALL, LARGE)
  await oversized(w, 2)
  await open(w)
  expect(await begunTogether(w)).toBe(2)
})

test('as many as budgets allow', async () => {
  const w = await closed({}, SMALL, LARGE)
  await oversized(w, 3)
  await open(w, { budgets: [...NOT_EMPTY, { nodes: '2' }] })
  expect(await begunTogether(w)).toBe(2)
})

test('moves of a Balanced pool begin one by one', async () => {
  const w = await closed({}, SMALL, LARGE)
  await oversized(w, 2)
  await open(w, { consolidationPolicy: 'Balanced' })
  expect(await begunTogether(w)).toBe(1)
})

test('two that count on one gap do not', async () => {
  const w = await closed({}, SMALL, LARGE)
  await createDisruptablePool(w, 'gap', { disruption: { consolidateAfter: 'Never' } }, only(LARGE))
  await launchNode(w, { pool: 'gap', type: LARGE })
  for (const node of await oversized(w, 2)) {
    await createPodOn(w, `little-on-${node}`, node, { cpu: '500m', ...apart('little') })
  }
  await w.pass(500)
  await open(w)
  expect(await begunTogether(w)).toBe(1)
})

describe('one of them that does not hold stops no other, whichever of them it is', () => {
  /** Three that wait for their validation. */
  const waiting = async (): Promise<readonly [World, readonly string[]]> => {
    const w = await closed({}, SMALL, LARGE)
    const nodes = await oversized(w, 3)
    await open(w)
    const isEligible = () => w.metric('karpenter_voluntary_disruption_eligible_nodes', { reason: 'underutilized' })
    for (let look = 0; (await isEligible()) === 0 && look < 200; look++) await w.pass(100)
    return [w, nodes]
  }
  const reasons = (w: World) =>
    w.distinctMessages('ConsolidationRejected').map((text) => /reason: (\w+)/.exec(text)?.[1] ?? text)

  test.each([0, 1, 2])('a do-not-disrupt pod arrives on node %i', async (place) => {
    const [w, nodes] = await waiting()
    const metadata = { annotations: { [annotations.doNotDisrupt]: 'true' } }
    await createPodOn(w, 'late', nodes[place] ?? '', { cpu: '100m', metadata })
    expect(await begunTogether(w)).toBe(2)
    expect(reasons(w)).toEqual(['churn'])
  })

  test.each([0, 1, 2])('a pod that needs a further new node arrives on node %i', async (place) => {
    const [w, nodes] = await waiting()
    await createPodOn(w, 'late', nodes[place] ?? '', { cpu: '1500m', ...apart('big') })
    expect(await begunTogether(w)).toBe(2)
    expect(reasons(w)).toEqual(['scheduling'])
  })

  test('the budget becomes smaller: the best begins', async () => {
    const [w] = await waiting()
    await open(w, { budgets: [...NOT_EMPTY, { nodes: '1' }] })
    expect(await begunTogether(w)).toBe(1)
    expect(reasons(w)).toEqual(['budget', 'budget'])
  })
})
