import { karpenterKinds, kinds, labels } from '@kerf/apis'
import { kwokNodeClassKind } from '@kerf/provider-kwok/node-class'
import { nodeClassRef } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { LARGE, MIDDLE, only } from '../../testing/closed-pools.ts'
import {
  createClaimOfPool,
  createDeployment,
  createDisruptablePool,
  createPodOn,
  type Harness,
  launchNode,
  launchNodes,
  patchPool,
} from '../../testing/harness/index.ts'
import { harnessPerTest, PASS } from '../../testing/harness-per-test.ts'

const start = harnessPerTest()
const runningPods = async (w: Harness): Promise<number> =>
  (await w.admin.list(kinds.Pod, { namespace: 'default' })).items.filter(({ status }) => status?.phase === 'Running')
    .length

describe('simulation and provisioning together', () => {
  test('each replaced node gets one replacement, even if many commands run at once', async () => {
    const w = await start({ registrationDelay: '20s' })
    await createDisruptablePool(
      w,
      'general',
      { disruption: { consolidateAfter: 'Never', budgets: [{ nodes: '0' }] } },
      only(MIDDLE),
    )
    await launchNodes(w, 3)
    await createDeployment(w, 'web', 3, '3')
    await w.pass(5_000)
    expect(await runningPods(w)).toBe(3)
    await patchPool(w, 'general', {
      spec: { disruption: { budgets: [{ nodes: '100%' }] }, template: { metadata: { labels: { team: 'a' } } } },
    })
    let most = 0
    for (let step = 0; step < 300; step++) {
      await w.pass(1_000)
      most = Math.max(most, (await w.claims()).length)
    }
    expect(await w.metric('karpenter_nodeclaims_created_total', { reason: 'drifted' })).toBe(3)
    expect(await w.metric('karpenter_nodeclaims_created_total', { reason: 'provisioned' })).toBe(0)
    expect(most).toBeLessThanOrEqual(6)
    expect((await w.staying()).length).toBe(3)
    expect(await runningPods(w)).toBe(3)
  })

  const threeNodes = async () => {
    const w = await start()
    await createDisruptablePool(w, 'general', { disruption: { consolidateAfter: 'Never' } }, only(MIDDLE))
    const made = await launchNodes(w, 3)
    for (const { node, claim } of made.slice(0, 2)) await createPodOn(w, `on-${claim}`, node, { cpu: '500m' })
    return { w, busy: made.slice(0, 2).map(({ claim }) => claim), all: made.map(({ claim }) => claim) }
  }
  const consolidate = async (w: Harness, span = 60_000) => {
    await patchPool(w, 'general', { spec: { disruption: { consolidateAfter: '0s' } } })
    await w.pass(span)
  }

  test('if no NodePool can launch, consolidation does nothing, but empty nodes are deleted', async () => {
    const { w, busy } = await threeNodes()
    const conditions = [
      { type: 'Ready', status: 'False', reason: 'Broken', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' },
    ]
    await w.patch(kwokNodeClassKind, 'default', { status: { conditions } }, 'status')
    await w.pass(500)
    await consolidate(w)
    expect(await w.staying()).toEqual(busy)
    const node = (await w.readClaim(busy[0] ?? ''))?.status?.nodeName ?? ''
    const found = await w.kerf.explainNode(node, new AbortController().signal)
    expect(found?.methods.find(({ method }) => method === 'single-node')?.blockers).toEqual([{ code: 'pools.none' }])
  })

  test('nodes of a NodePool whose instance types cannot be listed are not disrupted', async () => {
    const { w, all } = await threeNodes()
    await w.admin.delete(kwokNodeClassKind, { name: 'default' })
    await w.pass(500)
    await consolidate(w)
    expect(await w.staying()).toEqual(all)
    expect(w.distinctMessages('DisruptionBlocked', all[0])).toContain('NodePool not found (NodePool=general)')
  })

  test('while a claim is still launching, nothing is disrupted for half a minute', async () => {
    const { w, all } = await threeNodes()
    for (let failure = 0; failure < 50; failure++) w.outages.failNext('launch', new Error('the cloud is down'))
    const late = await createClaimOfPool(w)
    await w.pass(1_000)
    await consolidate(w, 27_000)
    expect((await w.staying()).filter((name) => name !== late)).toEqual(all)
    await w.pass(60_000)
    expect((await w.staying()).filter((name) => name !== late)).toHaveLength(1)
    await w.admin.delete(karpenterKinds.NodeClaim, { name: late })
    await w.pass(60_000)
    expect((await w.staying()).length).toBe(1)
  })

  test('an invalid budget prevents only the disruption of its own pool’s nodes', async () => {
    const w = await start()
    for (const pool of ['broken', 'sound']) {
      await createDisruptablePool(w, pool, { disruption: { consolidateAfter: 'Never' } }, only(MIDDLE))
      await launchNode(w, { pool })
    }
    const budgets = [{ nodes: '1', schedule: '0 0 * * tue-mon', duration: '1h' }]
    await patchPool(w, 'broken', { spec: { disruption: { consolidateAfter: '0s', budgets } } })
    await patchPool(w, 'sound', { spec: { disruption: { consolidateAfter: '0s' } } })
    await w.pass(60_000)
    const [left, ...more] = await w.claims()
    expect(more).toEqual([])
    expect(left?.metadata.labels?.[labels.nodePool]).toBe('broken')
    const found = await w.kerf.explainNode(left?.metadata.name ?? '', new AbortController().signal)
    expect(found?.methods.find(({ method }) => method === 'emptiness')?.blockers).toMatchObject([
      { code: 'budget.exhausted', allowed: 0, error: expect.stringContaining('beyond end of range') },
    ])
    expect(w.distinctMessages('DisruptionBlocked', 'broken')).toContain(
      'No allowed disruptions for disruption reason Empty due to blocking budget: budget 0: beginning of range (2) beyond end of range (1): tue-mon',
    )
  })

  test('an Event reports an invalid budget even before the pool has a node', async () => {
    const w = await start()
    const budgets = [{ nodes: '1', schedule: 'TZ=Mars/Olympus 0 9 * * *', duration: '1h' }]
    await createDisruptablePool(w, 'broken', { disruption: { consolidateAfter: '0s', budgets } }, only(MIDDLE))
    await w.pass(20_000)
    expect(w.distinctMessages('DisruptionBlocked', 'broken')).toContain(
      'No allowed disruptions for disruption reason Drifted due to blocking budget: budget 0: unknown time zone "Mars/Olympus"',
    )
  })

  test('a node with buffer pods is not empty until they are gone, separately for each node', async () => {
    const w = await start()
    await createDisruptablePool(w, 'general', { disruption: { consolidateAfter: 'Never' } }, only(MIDDLE))
    const [held, free] = await launchNodes(w, 2)
    if (held === undefined || free === undefined) throw new Error()
    const { providerID = '' } = (await w.readClaim(held.claim))?.status ?? {}
    w.kerf.state.replaceBufferPodCounts(new Map([[providerID, 2]]))
    await consolidate(w)
    expect(await w.staying()).toEqual([held.claim])
    expect(w.distinctMessages('Unconsolidatable', held.node)).toContain(`Node "${held.node}" has buffer pods`)
    w.kerf.state.replaceBufferPodCounts(new Map([[providerID, 0]]))
    await w.pass(60_000)
    expect(await w.staying()).toEqual([])
  })

  test('a node in use with buffer pods may be replaced by a cheaper node', async () => {
    const w = await start()
    await createDisruptablePool(w, 'general', { disruption: { consolidateAfter: 'Never' } }, only(MIDDLE, LARGE))
    const big = await launchNode(w, { type: LARGE })
    await createPodOn(w, 'busy', big.node, { cpu: '1' })
    await w.pass(500)
    const { providerID = '' } = (await w.readClaim(big.claim))?.status ?? {}
    w.kerf.state.replaceBufferPodCounts(new Map([[providerID, 2]]))
    await consolidate(w)
    const [claim, ...more] = await w.claims()
    expect(more).toEqual([])
    expect(claim?.metadata.labels?.[labels.instanceType]).toBe(MIDDLE)
  })

  test('the replacement preserves a required topology spread over zones', async () => {
    const w = await start()
    await createDisruptablePool(w, 'general', { disruption: { consolidateAfter: 'Never' } }, only(MIDDLE, LARGE))
    const zones = ['test-zone-a', 'test-zone-b', 'test-zone-c']
    for (const zone of zones) await launchNode(w, { type: zone === 'test-zone-c' ? LARGE : MIDDLE, zone })
    await createDeployment(w, 'web', 3, '3', {
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: labels.zone,
          whenUnsatisfiable: 'DoNotSchedule',
          labelSelector: { matchLabels: { app: 'web' } },
        },
      ],
    })
    await w.pass(5_000)
    await patchPool(w, 'general', { spec: { disruption: { consolidateAfter: '0s' } } })
    await w.pass(120_000)
    const nodes = (await w.admin.list(kinds.Node)).items.filter(({ metadata }) => metadata.labels?.[labels.nodePool])
    expect(nodes.map(({ metadata }) => metadata.labels?.[labels.zone]).sort()).toEqual(zones)
    expect(nodes.every(({ metadata }) => metadata.labels?.[labels.instanceType] === MIDDLE)).toBe(true)
    expect(await runningPods(w)).toBe(3)
  })

  test.each([
    ['Respect', 2],
    ['Ignore', 1],
  ] as const)(
    'with preferred anti-affinity and preferencePolicy %s, %i nodes remain',
    async (preferencePolicy, left) => {
      const w = await start({ settings: { preferencePolicy } })
      await createDisruptablePool(w, 'general', { disruption: { consolidateAfter: 'Never' } }, only(MIDDLE))
      await launchNodes(w, 2)
      await createDeployment(w, 'web', 2, '500m', {
        affinity: {
          podAntiAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [
              {
                weight: 100,
                podAffinityTerm: { labelSelector: { matchLabels: { app: 'web' } }, topologyKey: labels.hostname },
              },
            ],
          },
        },
      })
      await w.pass(5_000)
      await patchPool(w, 'general', {
        spec: {
          disruption: { consolidateAfter: '0s', budgets: [{ nodes: '0', reasons: ['Empty'] }, { nodes: '100%' }] },
        },
      })
      await w.pass(PASS)
      expect((await w.staying()).length).toBe(left)
    },
  )

  test('another pool without instance types, or that is not Ready, does not block', async () => {
    const w = await start()
    await createDisruptablePool(w, 'general', { disruption: { consolidateAfter: 'Never' } }, only(MIDDLE))
    await createDisruptablePool(w, 'nothing', {}, only('no-such-type'))
    await createDisruptablePool(
      w,
      'lost',
      {},
      { spec: { ...only(MIDDLE).spec, nodeClassRef: { ...nodeClassRef, name: 'missing' } } },
    )
    const [one, two] = await launchNodes(w, 2)
    await createPodOn(w, 'one', one?.node ?? '', { cpu: '500m' })
    await createPodOn(w, 'two', two?.node ?? '', { cpu: '500m' })
    await w.pass(300)
    await patchPool(w, 'general', {
      spec: {
        disruption: { consolidateAfter: '0s', budgets: [{ nodes: '0', reasons: ['Empty'] }, { nodes: '100%' }] },
      },
    })
    await w.pass(PASS)
    expect((await w.staying()).length).toBe(1)
  })
})
