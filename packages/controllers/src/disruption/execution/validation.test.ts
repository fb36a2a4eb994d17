import { karpenterKinds, kinds, labels, taints } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import { LaunchPendingError } from '@kerf/provider-contract'
import { describe, expect, test } from 'vitest'
import { busy, closedWith, LARGE, MIDDLE, only, open, SMALL } from '../../testing/closed-pools.ts'
import {
  alteredProvider,
  createClaimOfPool,
  createDisruptablePool,
  createPodDisruptionBudget,
  createPodOn,
  type Harness,
  type HarnessOptions,
  launchNode,
  launchNodes,
} from '../../testing/harness/index.ts'
import { harnessPerTest, PASS } from '../../testing/harness-per-test.ts'

const start = harnessPerTest()
const closed = closedWith(start)

/** Returns the kwok provider. A test can change its instance types at any time. */
const changeable = (): {
  readonly provider: NonNullable<HarnessOptions['provider']>
  withdraw(name: string): void
} => {
  const withdrawn = new Set<string>()
  const lists = new Map<string, readonly InstanceType[]>()
  return {
    withdraw: (name) => {
      withdrawn.add(name)
      lists.clear()
    },
    provider: (kwok) =>
      alteredProvider(kwok, {
        instanceTypes: async (pool, signal) => {
          const name = pool.metadata.name
          let list = lists.get(name)
          if (list === undefined) {
            list = (await kwok.instanceTypes(pool, signal)).filter((type) => !withdrawn.has(type.name))
            lists.set(name, list)
          }
          return list
        },
      }),
  }
}

const reasons = (w: Harness): readonly string[] =>
  w.distinctMessages('ConsolidationRejected').map((text) => /reason: (\w+)/.exec(text)?.[1] ?? text)

describe('the wait', () => {
  test.each<[string, string, (w: Harness) => Promise<unknown>]>([
    ['an empty node', 'empty', (w) => launchNode(w, { type: LARGE })],
    ['nodes whose pods fit elsewhere', 'underutilized', (w) => busy(w, 2, '1')],
    ['a node that is replaced', 'underutilized', (w) => busy(w, 1, '1', { type: LARGE })],
  ])('%s: the first taint comes fifteen seconds after the decision', async (_name, reason, prepare) => {
    const w = await closed({}, MIDDLE, LARGE)
    await prepare(w)
    await w.pass(11_000)
    await open(w, { budgets: [{ nodes: '100%' }] })
    const until = async (holds: () => Promise<boolean>): Promise<number> => {
      for (let look = 0; look < 400 && !(await holds()); look++) await w.pass(100)
      return w.clock.now()
    }
    const isEligible = async (): Promise<boolean> =>
      (await w.metric('karpenter_voluntary_disruption_eligible_nodes', { reason })) > 0
    const isClosed = async (): Promise<boolean> => {
      const nodes = (await w.admin.list(kinds.Node)).items
      return nodes.some(({ spec }) => spec.taints?.some(({ key }) => key === taints.disrupted.key) ?? false)
    }
    const decided = await until(isEligible)
    const began = await until(isClosed)
    expect(began - decided).toBeGreaterThanOrEqual(14_900)
    expect(began - decided).toBeLessThanOrEqual(15_300)
  })
})

describe('changes during the wait', () => {
  test('if the planned type of a replacement is withdrawn, the node stays', async () => {
    const { provider, withdraw } = changeable()
    const w = await closed({ provider }, MIDDLE, LARGE)
    const [made] = await busy(w, 1, '1', { type: LARGE })
    if (made === undefined) throw new Error()
    await open(w)
    await w.pass(12_000)
    withdraw(MIDDLE)
    await w.pass(PASS)
    expect(await w.isStaying(made)).toBe(true)
    expect(reasons(w)).toContain('scheduling')
    expect(await w.metric('karpenter_voluntary_disruption_decisions_total')).toBe(0)
  })

  test('if one of the possible types of a replacement is withdrawn, the node stays', async () => {
    const { provider, withdraw } = changeable()
    const w = await closed({ provider }, SMALL, MIDDLE, LARGE)
    const [made] = await busy(w, 1, '1', { type: LARGE })
    if (made === undefined) throw new Error()
    await open(w)
    await w.pass(12_000)
    withdraw(MIDDLE)
    await w.pass(14_000)
    expect(reasons(w)).toContain('scheduling')
    expect(await w.isStaying(made)).toBe(true)
  })

  test('if the pool of the replacement has reached its limit, no other pool launches the replacement instead', async () => {
    const w = await closed({}, MIDDLE, LARGE)
    await createDisruptablePool(
      w,
      'first',
      { weight: 50, limits: { nodes: '1' }, disruption: { consolidateAfter: 'Never' } },
      only(MIDDLE),
    )
    await busy(w, 1, '1', { type: LARGE })
    await open(w)
    await w.pass(12_000)
    const [taken] = await launchNodes(w, 1, { pool: 'first', type: MIDDLE })
    if (taken === undefined) throw new Error()
    await createPodOn(w, 'fills-it', taken.node, { cpu: '3500m' })
    await w.pass(PASS)
    expect(reasons(w)).toContain('scheduling')
    const launched = (await w.admin.list(karpenterKinds.NodeClaim)).items.filter(
      ({ metadata }) => metadata.labels?.[labels.nodePool] === 'first',
    )
    expect(launched.map(({ metadata }) => metadata.name)).toEqual([taken.claim])
  })

  test('if capacity for the pods becomes free, the node is deleted without a replacement', async () => {
    const w = await closed({}, MIDDLE, LARGE)
    await createDisruptablePool(w, 'roomy', { disruption: { consolidateAfter: 'Never' } }, only(MIDDLE))
    const [made] = await busy(w, 1, '1', { type: LARGE })
    if (made === undefined) throw new Error()
    await open(w)
    await w.pass(12_000)
    await launchNodes(w, 1, { pool: 'roomy', type: MIDDLE })
    await w.pass(PASS)
    expect(await w.isStaying(made)).toBe(false)
    expect(reasons(w)).toEqual([])
    const decided = (decision: string) => w.metric('karpenter_voluntary_disruption_decisions_total', { decision })
    expect([await decided('delete'), await decided('replace')]).toEqual([1, 0])
    expect((await w.claims()).length).toBe(1)
  })

  test('a claim that is not launched yet counts against the limit, so the move waits until its instance type is known', async () => {
    const launch = { isSlow: true }
    const provider: NonNullable<HarnessOptions['provider']> = (kwok) =>
      alteredProvider(kwok, {
        create: async (claim, signal) => {
          if (claim.metadata.labels?.[labels.nodePool] === 'first' && launch.isSlow)
            throw new LaunchPendingError('waiting for a name', 5_000, {})
          return await kwok.create(claim, signal)
        },
      })
    const w = await closed({ provider }, MIDDLE, LARGE)
    await createDisruptablePool(
      w,
      'first',
      { weight: 50, limits: { nodes: '1' }, disruption: { consolidateAfter: 'Never' } },
      only(MIDDLE),
    )
    await busy(w, 1, '1', { type: LARGE })
    await open(w)
    await w.pass(12_000)
    const taken = await createClaimOfPool(w, { pool: 'first', type: MIDDLE })
    await w.pass(PASS)
    const ofFirst = async (): Promise<readonly string[]> =>
      (await w.claims())
        .filter(({ metadata }) => metadata.labels?.[labels.nodePool] === 'first')
        .map(({ metadata }) => metadata.name)
    expect(await ofFirst()).toEqual([taken])
    launch.isSlow = false
    await w.pass(PASS)
    expect(await ofFirst()).toEqual([taken])
  })

  test.each([
    ['a node that would be deleted', [MIDDLE], MIDDLE, 2],
    ['a node that would be replaced', [MIDDLE, LARGE], LARGE, 1],
  ] as const)('a PodDisruptionBudget that allows no eviction keeps %s', async (_name, types, type, count) => {
    const w = await closed({}, ...types)
    const made = await launchNodes(w, count, { type })
    for (const [index, { node }] of made.entries()) {
      await createPodOn(w, `on-${index}`, node, { cpu: '500m', metadata: { labels: { app: 'x' } } })
    }
    await w.pass(500)
    await open(w, { budgets: [{ nodes: '1' }] })
    await w.pass(12_000)
    await createPodDisruptionBudget(w, 'late', { selector: { matchLabels: { app: 'x' } }, maxUnavailable: 0 })
    await w.pass(PASS)
    expect((await w.staying()).length).toBe(count)
    expect(reasons(w)).toEqual(['churn'])
    expect(w.distinctMessages('DisruptionBlocked').some((text) => text.includes('default/late'))).toBe(true)
  })
})
