import { annotations, karpenterKinds, kinds, labels } from '@kerf/apis'
import { kwokNodeClassKind } from '@kerf/provider-kwok/node-class'
import { nodeClassRef } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { busy, closedWith, LARGE, MIDDLE, only, open, SMALL, singleBlockers } from '../../testing/closed-pools.ts'
import {
  createClaimOfPool,
  createDeployment,
  createDisruptablePool,
  createPodDisruptionBudget,
  createPodOn,
  type Harness,
  launchNodes,
  patchPool,
} from '../../testing/harness/index.ts'
import { harnessPerTest, PASS } from '../../testing/harness-per-test.ts'

const start = harnessPerTest()
const closed = closedWith(start)

const anyLinux = (minValues?: number) => ({
  spec: {
    nodeClassRef,
    expireAfter: 'Never',
    requirements: [
      { key: labels.os, operator: 'In' as const, values: ['linux'] },
      { key: labels.instanceType, operator: 'Exists' as const, ...(minValues === undefined ? {} : { minValues }) },
    ],
  },
})

describe('delete', () => {
  test('a node whose pods fit elsewhere is deleted after the wait, without a new node', async () => {
    const w = await closed({}, MIDDLE)
    const [one, two] = await busy(w, 2, '1')
    if (one === undefined || two === undefined) throw new Error()
    await open(w, { budgets: [{ nodes: '1' }] })
    await w.pass(14_000)
    expect((await w.staying()).length).toBe(2)
    await w.pass(15_000)
    expect((await w.staying()).length).toBe(1)
    const decision = { decision: 'delete', reason: 'underutilized', consolidation_type: 'single' }
    expect(await w.metric('karpenter_voluntary_disruption_decisions_total', decision)).toBe(1)
    expect(w.distinctMessages('ConsolidationCandidate')).toEqual([])
    // Kerf protects the node on which it expects the pods from disruption for a while.
    const [kept] = (await w.isStaying(one)) ? [one] : [two]
    const found = await w.kerf.explainNode(kept?.node ?? '', new AbortController().signal)
    expect(found?.blockers.map(({ code }) => code)).toEqual(['node.nominated'])
  })

  test('pods of a Deployment keep running on the remaining nodes', async () => {
    const w = await closed({}, MIDDLE)
    await launchNodes(w, 3)
    await createDeployment(w, 'web', 3, '1')
    await w.pass(5_000)
    await open(w)
    await w.pass(120_000)
    expect((await w.staying()).length).toBe(1)
    const pods = (await w.admin.list(kinds.Pod, { namespace: 'default' })).items
    expect(pods.filter(({ status }) => status?.phase === 'Running').length).toBe(3)
  })

  test('if a PDB or do-not-disrupt protects one node, the other is chosen, even with a terminationGracePeriod', async () => {
    const guards: readonly ((w: Harness, made: { node: string; claim: string }) => Promise<unknown>)[] = [
      async (w, { claim }) => {
        await w.patch(kinds.Pod, `on-${claim}`, { metadata: { labels: { app: 'x' } } })
        await createPodDisruptionBudget(w, 'strict', { selector: { matchLabels: { app: 'x' } }, maxUnavailable: 0 })
        await w.pass(2_000)
      },
      (w, { node }) => w.patch(kinds.Node, node, { metadata: { annotations: { [annotations.doNotDisrupt]: 'true' } } }),
      (w, { claim }) =>
        w.patch(kinds.Pod, `on-${claim}`, { metadata: { annotations: { [annotations.doNotDisrupt]: 'true' } } }),
    ]
    for (const guard of guards) {
      const w = await closed({}, MIDDLE)
      const [one, two] = await busy(w, 2, '1', { spec: { terminationGracePeriod: '1h' } })
      if (one === undefined || two === undefined) throw new Error()
      await guard(w, one)
      await open(w)
      await w.pass(60_000)
      expect(await w.staying()).toEqual([one.claim])
    }
  })

  test('a PDB in another namespace does not block', async () => {
    const w = await closed({}, MIDDLE)
    const [one, two] = await busy(w, 2, '1')
    if (one === undefined || two === undefined) throw new Error()
    await w.admin.create(kinds.Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } })
    await w.admin.create(kinds.PodDisruptionBudget, {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'other', namespace: 'other' },
      spec: { selector: {}, maxUnavailable: 0 },
    })
    await open(w)
    await w.pass(60_000)
    expect((await w.staying()).length).toBe(1)
  })

  test('pods are not moved if their place would be on a node that is still starting', async () => {
    const w = await closed({ registrationDelay: '20m' })
    await w.patch(kwokNodeClassKind, 'default', { spec: { nodeRegistrationDelay: '0s' } })
    const [one] = await busy(w, 1, '1')
    if (one === undefined) throw new Error()
    await w.patch(kwokNodeClassKind, 'default', { spec: { nodeRegistrationDelay: '20m' } })
    await createClaimOfPool(w)
    await w.pass(2_000)
    await open(w)
    await w.pass(500)
    expect(await singleBlockers(w, one.node)).toMatchObject([
      { code: 'pods.unschedulable', pods: [{ pod: `default/on-${one.claim}` }] },
    ])
    await w.pass(60_000)
    expect(await w.isStaying(one)).toBe(true)
  })

  test('running pods are not moved to a node that is within its consolidateAfter', async () => {
    const w = await start()
    await createDisruptablePool(w, 'old', { disruption: { consolidateAfter: 'Never' } }, only(MIDDLE))
    await createDisruptablePool(w, 'fresh', { disruption: { consolidateAfter: '1h' } }, only(LARGE))
    const [one] = await busy(w, 1, '3', { pool: 'old' })
    await launchNodes(w, 1, { pool: 'fresh', type: LARGE })
    if (one === undefined) throw new Error()
    await patchPool(w, 'old', { spec: { disruption: { consolidateAfter: '0s' } } })
    await w.pass(60_000)
    expect(await w.isStaying(one)).toBe(true)
    await patchPool(w, 'fresh', { spec: { disruption: { consolidateAfter: 'Never' } } })
    await w.pass(60_000)
    expect(await w.isStaying(one)).toBe(false)
  })

  test('a permanently pending pod does not block consolidation, but a running pod that would become pending does', async () => {
    const w = await closed({}, MIDDLE)
    const [one, two] = await busy(w, 2, '1')
    if (one === undefined || two === undefined) throw new Error()
    await createDeployment(w, 'never', 1, '1', { nodeSelector: { 'no-such': 'label' } })
    await w.pass(3_000)
    await open(w)
    await w.pass(60_000)
    expect((await w.staying()).length).toBe(1)

    const v = await closed()
    const [pinned] = await launchNodes(v, 1)
    if (pinned === undefined) throw new Error()
    await v.patch(kinds.Node, pinned.node, { metadata: { labels: { home: 'here' } } })
    await createPodOn(v, 'pinned', pinned.node, { spec: { nodeSelector: { home: 'here' } } })
    await launchNodes(v, 1, { type: LARGE })
    await open(v)
    await v.pass(60_000)
    expect(await v.isStaying(pinned)).toBe(true)
    expect(v.distinctMessages('Unconsolidatable', pinned.node)[0]).toMatch(
      /^Not all pods would schedule, default\/pinned => /,
    )
  })
})

describe('replace', () => {
  test('an oversized node is deleted after a cheaper replacement is ready', async () => {
    const w = await closed({ registrationDelay: '20s' })
    const [big] = await busy(w, 1, '1', { type: LARGE })
    if (big === undefined) throw new Error()
    await open(w)
    await w.pass(26_000)
    const during = await w.claims()
    expect(during.length).toBe(2)
    expect((await w.readNode(big.node)).spec.taints).toMatchObject([{ key: 'karpenter.sh/disrupted' }])
    expect(await w.condition('DisruptionReason', big.claim)).toBe('True Underutilized')
    const replacement = during.find(({ metadata }) => metadata.name !== big.claim)
    expect(w.distinctMessages('DisruptionLaunching', replacement?.metadata.name)).toEqual([
      'Launching NodeClaim: Underutilized',
    ])
    expect(w.distinctMessages('DisruptionWaitingReadiness', replacement?.metadata.name).length).toBe(1)
    expect(replacement?.spec.requirements).toContainEqual(
      expect.objectContaining({ key: labels.capacityType, values: ['spot'] }),
    )
    await w.pass(25_000)
    expect(await w.isStaying(big)).toBe(false)
    expect((await w.staying()).includes(replacement?.metadata.name ?? '')).toBe(true)
    const decision = { decision: 'replace', reason: 'underutilized', consolidation_type: 'single' }
    expect(await w.metric('karpenter_voluntary_disruption_decisions_total', decision)).toBe(1)
    expect(await w.metric('karpenter_nodeclaims_created_total', { reason: 'underutilized' })).toBe(1)
    for (const reported of [big.node, big.claim]) {
      expect(w.distinctMessages('ConsolidationCandidate', reported)[0]).toMatch(
        /^Consolidation candidate: replace: \[.*\] -> \[1 replacement\] \(savings: \$0\.\d\d\)$/,
      )
    }
  })

  test('spot-to-spot consolidation is refused if the gate is off, and if there are fewer than 15 cheaper types', async () => {
    const w = await closed()
    const [big] = await busy(w, 1, '1', { type: LARGE, capacityType: 'spot' })
    await open(w)
    await w.pass(40_000)
    expect(await w.isStaying(big ?? { claim: '', node: '' })).toBe(true)
    expect(w.distinctMessages('Unconsolidatable', big?.node)).toEqual([
      "SpotToSpotConsolidation is disabled, can't replace a spot node with a spot node",
    ])
    const v = await closed({ gates: { SpotToSpotConsolidation: true } })
    const [small] = await busy(v, 1, '1', { type: MIDDLE, capacityType: 'spot' })
    await open(v)
    await v.pass(40_000)
    expect(await v.isStaying(small ?? { claim: '', node: '' })).toBe(true)
    expect(v.distinctMessages('Unconsolidatable', small?.node)[0]).toMatch(
      /^SpotToSpotConsolidation requires 15 cheaper instance type options than the current candidate to consolidate, got \d+$/,
    )
  })

  test('spot-to-spot consolidation requests exactly the 15 cheapest types, or more if minValues requires it', async () => {
    for (const [minValues, sent] of [
      [undefined, 15],
      [16, 16],
      [3, 15],
    ] as const) {
      const w = await start({ gates: { SpotToSpotConsolidation: true } })
      await createDisruptablePool(w, 'general', { disruption: { consolidateAfter: 'Never' } }, anyLinux(minValues))
      const [big] = await busy(w, 1, '1', { type: 'm-64x-amd64-linux', capacityType: 'spot' })
      await open(w)
      await w.pass(PASS)
      const replacement = (await w.claims()).find(({ metadata }) => metadata.name !== big?.claim)
      const types = replacement?.spec.requirements.find(({ key }) => key === labels.instanceType)
      expect(types?.values?.length).toBe(sent)
    }
  })

  test('a node is not replaced by a node of the same price', async () => {
    const w = await closed()
    const [right] = await busy(w, 1, '1.5', { type: SMALL, capacityType: 'spot' })
    await patchPool(w, 'general', {
      spec: {
        template: {
          spec: { requirements: [{ key: labels.capacityType, operator: 'In', values: ['on-demand'] }] },
        },
      },
    })
    await open(w, {
      budgets: [
        { nodes: '0', reasons: ['Drifted'] },
        { nodes: '100%', reasons: ['Underutilized'] },
      ],
    })
    await w.pass(40_000)
    expect(await w.isStaying(right ?? { claim: '', node: '' })).toBe(true)
    const [blocker] = await singleBlockers(w, right?.node ?? '')
    expect(blocker).toMatchObject({ code: 'price.not-cheaper' })
    expect(blocker?.code === 'price.not-cheaper' && (blocker.closest ?? 0) > blocker.price).toBe(true)
  })

  test('if no cheaper node satisfies minValues, this is reported, even under BestEffort', async () => {
    for (const minValuesPolicy of ['Strict', 'BestEffort'] as const) {
      const w = await start({ settings: { minValuesPolicy } })
      await createDisruptablePool(w, 'general', { disruption: { consolidateAfter: 'Never' } }, anyLinux(50))
      const [node] = await busy(w, 1, '1', { type: LARGE })
      await open(w)
      await w.pass(PASS)
      expect(await w.isStaying(node ?? { claim: '', node: '' })).toBe(true)
      expect(w.distinctMessages('Unconsolidatable', node?.node)[0]).toMatch(
        /^Filtering by price: minValues requirement is not met/,
      )
    }
  })
})

describe('a cost per node in addition to its instance', () => {
  // A node with eight CPUs costs exactly as much as two nodes with four.
  test.each([
    [0, [MIDDLE, MIDDLE]],
    [0.1, [LARGE]],
  ])(
    'at $%d an hour, two nodes with four CPUs are replaced by one with eight if that is cheaper',
    async (cost, types) => {
      const w = await closed({ settings: { nodeOverheadCost: cost } }, MIDDLE, LARGE)
      await busy(w, 2, '2500m')
      await open(w)
      await w.pass(120_000)
      const staying = await w.staying()
      const claims = (await w.admin.list(karpenterKinds.NodeClaim)).items
      const left = claims.filter(({ metadata }) => staying.includes(metadata.name))
      expect(left.map(({ metadata }) => metadata.labels?.[labels.instanceType]).sort()).toEqual(types)
    },
  )
})
