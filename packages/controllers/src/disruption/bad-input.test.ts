import { karpenterKinds, kinds, type NodePool, type PodDisruptionBudget } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import { pod } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { PodDisruptionBudgets } from '../pod/pod-disruption-budgets.ts'
import { ManualInformers } from '../testing/by-hand/manual-informers.ts'
import { MIDDLE, only } from '../testing/closed-pools.ts'
import {
  alteredProvider,
  createDeployment,
  createDisruptablePool,
  createPodOn,
  type HarnessOptions,
  launchNode,
  patchPool,
} from '../testing/harness/index.ts'
import { harnessPerTest } from '../testing/harness-per-test.ts'

const start = harnessPerTest()

describe('a provider that returns invalid instance types', () => {
  const nonsense: Readonly<Record<string, (types: readonly InstanceType[]) => readonly InstanceType[]>> = {
    throws: () => {
      throw new Error('the cloud has lost its mind')
    },
    'offers-nothing': () => [],
    'has-no-prices': (types) =>
      types.map((type) => ({ ...type, offerings: type.offerings.map((offer) => ({ ...offer, price: Number.NaN })) })),
    'has-no-offerings': (types) => types.map((type) => ({ ...type, offerings: [] })),
    'has-no-room': (types) => types.map((type) => ({ ...type, capacity: {} })),
    'has-no-labels': (types) => types.map((type) => ({ ...type, requirements: [] })),
  }

  /** Returns the kwok provider. After `begin` is called, the provider returns invalid instance types for each pool in `nonsense`. */
  const provider = () => {
    let isMad = false
    const mad = new Map<string, readonly InstanceType[]>()
    const made: NonNullable<HarnessOptions['provider']> = (kwok) =>
      alteredProvider(kwok, {
        isDrifted: async () => {
          if (isMad) throw new Error('what is drift?')
          return undefined
        },
        instanceTypes: async (pool: NodePool, signal) => {
          const name = pool.metadata.name
          const list = await kwok.instanceTypes(pool, signal)
          const answer = isMad ? nonsense[name] : undefined
          if (answer === undefined) return list
          const known = mad.get(name) ?? answer(list)
          mad.set(name, known)
          return known
        },
      })
    return { made, begin: () => (isMad = true) }
  }

  test('does not stop the disruption of nodes in other pools', async () => {
    const { made, begin } = provider()
    const w = await start({ provider: made })
    const names = [...Object.keys(nonsense), 'sound']
    for (const name of names) {
      await createDisruptablePool(w, name, { disruption: { consolidateAfter: 'Never' } }, only(MIDDLE))
      const { node } = await launchNode(w, { pool: name })
      if (name !== 'sound') await createPodOn(w, `on-${name}`, node, { cpu: '1' })
    }
    begin()
    for (const name of names) await patchPool(w, name, { spec: { disruption: { consolidateAfter: '0s' } } })
    await w.pass(60_000)
    const left = (await w.claims()).map(({ metadata }) => metadata.labels?.['karpenter.sh/nodepool'])
    expect(left).not.toContain('sound')
    // Pools get an Event if their instance types are missing or cannot be read.
    const blocked = w.distinctMessages('DisruptionBlocked')
    for (const name of ['throws', 'offers-nothing']) {
      expect(left).toContain(name)
      expect(blocked).toContain(`NodePool not found (NodePool=${name})`)
    }
    // Consolidation computed nothing from an invalid price.
    expect(w.distinctMessages('ConsolidationCandidate').filter((text) => text.includes('NaN'))).toEqual([])
  })
})

describe('unusual PodDisruptionBudgets', () => {
  const budget = (spec: PodDisruptionBudget['spec'], disruptionsAllowed?: number): PodDisruptionBudget => ({
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'b', namespace: 'default' },
    spec: { selector: { matchLabels: { app: 'x' } }, ...spec },
    ...(disruptionsAllowed === undefined ? {} : { status: { disruptionsAllowed } }),
  })
  const covered = pod('p', { nodeName: 'n', metadata: { labels: { app: 'x' } } })

  test.each([
    ['both fields, which every API server rejects', budget({ minAvailable: 1, maxUnavailable: 0 }, 1), [0, 1]],
    ['neither field', budget({}, 1), [0, 0]],
    ['neither field nor status', budget({}), [1, 0]],
    ['an invalid number', budget({ maxUnavailable: 'some' }, 0), [1, 0]],
    ['an empty selector', budget({ selector: {}, maxUnavailable: '0%' }, 0), [1, 1]],
  ] as const)('%s: the pod is blocked now, and permanently, as the case says', (_name, made, expected) => {
    const informers = new ManualInformers()
    informers.put(kinds.PodDisruptionBudget, made)
    const budgets = new PodDisruptionBudgets(informers)
    expect((['now', 'ever'] as const).map((when) => budgets.blocking(covered, when, 0).length)).toEqual(expected)
  })
})

test('after a user deletes an instance by hand, its claim is removed and its pool works as before', async () => {
  const w = await start()
  await createDisruptablePool(w, 'general', { disruption: { consolidateAfter: 'Never' } }, only(MIDDLE))
  const made = await launchNode(w)
  await createDeployment(w, 'web', 1, '1')
  await w.pass(5_000)
  await w.patch(kinds.Node, made.node, { metadata: { finalizers: null } })
  await w.admin.delete(kinds.Node, { name: made.node })
  await w.pass(300_000)
  expect(await w.readClaim(made.claim)).toBeUndefined()
  const claims = (await w.admin.list(karpenterKinds.NodeClaim)).items
  expect(claims.length).toBe(1)
  expect(claims[0]?.metadata.name).not.toBe(made.claim)
})
