import { annotations, kinds, labels } from '@kerf/apis'
import { describe, expect, test } from 'vitest'
import type { DisruptionWorld, DisruptionWorldOptions, NodeTraits } from '../testing/disruption-world.ts'
import { nodeClassRef } from '../testing/objects.ts'
import { ROUND, worldPerTest } from '../testing/world-per-test.ts'

const start = worldPerTest()
const signal = new AbortController().signal

const SMALL = 'c-2x-amd64-linux'
const MIDDLE = 'c-4x-amd64-linux'
const LARGE = 'c-8x-amd64-linux'

/** What a pool may launch: on-demand nodes of these types only. */
const only = (...types: readonly string[]) => ({
  spec: {
    nodeClassRef,
    expireAfter: 'Never',
    requirements: [
      { key: labels.instanceType, operator: 'In' as const, values: [...types] },
      { key: labels.capacityType, operator: 'In' as const, values: ['on-demand'] },
    ],
  },
})
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

/** A world whose pool disrupts nothing until `open`; with types, the pool launches these only. */
const closed = async (options: DisruptionWorldOptions = {}, ...types: readonly string[]): Promise<DisruptionWorld> => {
  const w = await start(options)
  await w.pool('general', { disruption: { consolidateAfter: 'Never' } }, types.length === 0 ? {} : only(...types))
  return w
}
/** Pods that are evicted here are gone for good: the nodes they would have gone to must not go as empty. */
const NOT_EMPTY = [{ nodes: '0', reasons: ['Empty', 'Drifted'] }, { nodes: '100%' }]
const open = (w: DisruptionWorld, disruption: object = {}, pool = 'general') =>
  w.patchPool(pool, { spec: { disruption: { consolidateAfter: '0s', budgets: NOT_EMPTY, ...disruption } } })

/** Nodes with one pod each. */
const busy = async (w: DisruptionWorld, count: number, cpu: string, traits: NodeTraits = {}) => {
  const made = await w.nodes(count, traits)
  for (const { node, claim } of made) await w.pod(`on-${claim}`, node, { cpu })
  await w.pass(500)
  return made
}

const singleBlockers = async (w: DisruptionWorld, node: string) =>
  (await w.kerf.explainNode(node, signal))?.methods.find(({ method }) => method === 'single-node')?.blockers ?? []

describe('delete (§7.11)', () => {
  test('a node whose pods fit elsewhere goes, after the wait, without a new node', async () => {
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
    expect(w.messages('ConsolidationCandidate')).toEqual([])
  })

  test('pods of a Deployment run on, on the nodes that stay', async () => {
    const w = await closed({}, MIDDLE)
    await w.nodes(3)
    await w.deployment('web', 3, '1')
    await w.pass(5_000)
    await open(w)
    await w.pass(120_000)
    expect((await w.staying()).length).toBe(1)
    const pods = (await w.admin.list(kinds.Pod, { namespace: 'default' })).items
    expect(pods.filter(({ status }) => status?.phase === 'Running').length).toBe(3)
  })

  test('a PDB, do-not-disrupt on the node and on a pod choose the other node, also with terminationGracePeriod', async () => {
    const guards: readonly ((w: DisruptionWorld, made: { node: string; claim: string }) => Promise<unknown>)[] = [
      async (w, { claim }) => {
        await w.patch(kinds.Pod, `on-${claim}`, { metadata: { labels: { app: 'x' } } })
        await w.pdb('strict', { selector: { matchLabels: { app: 'x' } }, maxUnavailable: 0 })
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

  test('a PDB of another namespace does not block', async () => {
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

  test('pods that would land on a node that is coming up stay', async () => {
    const w = await closed({ registrationDelay: '20m' })
    // Registers at once: made before the delay matters is not possible, so the first waits for its own.
    await w.patch(
      {
        group: 'karpenter.kwok.sh',
        version: 'v1alpha1',
        kind: 'KWOKNodeClass',
        plural: 'kwoknodeclasses',
        namespaced: false,
      },
      'default',
      { spec: { nodeRegistrationDelay: '0s' } },
    )
    const [one] = await busy(w, 1, '1')
    if (one === undefined) throw new Error()
    await w.patch(
      {
        group: 'karpenter.kwok.sh',
        version: 'v1alpha1',
        kind: 'KWOKNodeClass',
        plural: 'kwoknodeclasses',
        namespaced: false,
      },
      'default',
      { spec: { nodeRegistrationDelay: '20m' } },
    )
    await w.claim()
    await w.pass(2_000)
    await open(w)
    await w.pass(500)
    expect(await singleBlockers(w, one.node)).toMatchObject([
      { code: 'pods.unschedulable', pods: [{ pod: `default/on-${one.claim}` }] },
    ])
    await w.pass(60_000)
    expect(await w.isStaying(one)).toBe(true)
  })

  test('a destination inside its consolidateAfter takes no running pods', async () => {
    const w = await start()
    await w.pool('old', { disruption: { consolidateAfter: 'Never' } }, only(MIDDLE))
    await w.pool('fresh', { disruption: { consolidateAfter: '1h' } }, only(LARGE))
    const [one] = await busy(w, 1, '3', { pool: 'old' })
    await w.nodes(1, { pool: 'fresh', type: LARGE })
    if (one === undefined) throw new Error()
    await w.patchPool('old', { spec: { disruption: { consolidateAfter: '0s' } } })
    await w.pass(60_000)
    expect(await w.isStaying(one)).toBe(true)
    await w.patchPool('fresh', { spec: { disruption: { consolidateAfter: 'Never' } } })
    await w.pass(60_000)
    expect(await w.isStaying(one)).toBe(false)
  })

  test('a permanently pending pod blocks nothing; a running pod that would wait blocks', async () => {
    const w = await closed({}, MIDDLE)
    const [one, two] = await busy(w, 2, '1')
    if (one === undefined || two === undefined) throw new Error()
    await w.deployment('never', 1, '1', { nodeSelector: { 'no-such': 'label' } })
    await w.pass(3_000)
    await open(w)
    await w.pass(60_000)
    expect((await w.staying()).length).toBe(1)

    const v = await closed()
    const [pinned] = await v.nodes(1)
    if (pinned === undefined) throw new Error()
    await v.patch(kinds.Node, pinned.node, { metadata: { labels: { home: 'here' } } })
    await v.pod('pinned', pinned.node, { spec: { nodeSelector: { home: 'here' } } })
    await v.nodes(1, { type: LARGE })
    await open(v)
    await v.pass(60_000)
    expect(await v.isStaying(pinned)).toBe(true)
    expect(v.messages('Unconsolidatable', pinned.node)[0]).toMatch(/^Not all pods would schedule, default\/pinned => /)
  })
})

describe('replace (§7.10)', () => {
  test('a node that is too big gives way to a cheaper one that is up first', async () => {
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
    expect(w.messages('DisruptionLaunching', replacement?.metadata.name)).toEqual([
      'Launching NodeClaim: Underutilized',
    ])
    expect(w.messages('DisruptionWaitingReadiness', replacement?.metadata.name).length).toBe(1)
    expect(replacement?.spec.requirements).toContainEqual(
      expect.objectContaining({ key: labels.capacityType, values: ['spot'] }),
    )
    await w.pass(25_000)
    expect(await w.isStaying(big)).toBe(false)
    expect((await w.staying()).includes(replacement?.metadata.name ?? '')).toBe(true)
    const decision = { decision: 'replace', reason: 'underutilized', consolidation_type: 'single' }
    expect(await w.metric('karpenter_voluntary_disruption_decisions_total', decision)).toBe(1)
    expect(await w.metric('karpenter_nodeclaims_created_total', { reason: 'underutilized' })).toBe(1)
    expect(w.messages('ConsolidationCandidate', big.node)[0]).toMatch(
      /^Consolidation candidate: replace: \[.*\] -> \[1 replacement\] \(savings: \$0\.\d\d\)$/,
    )
  })

  test('spot for spot is refused with the gate off, and with fewer than 15 cheaper types', async () => {
    const w = await closed()
    const [big] = await busy(w, 1, '1', { type: LARGE, capacityType: 'spot' })
    await open(w)
    await w.pass(40_000)
    expect(await w.isStaying(big ?? { claim: '', node: '' })).toBe(true)
    expect(w.messages('Unconsolidatable', big?.node)).toEqual([
      "SpotToSpotConsolidation is disabled, can't replace a spot node with a spot node",
    ])
    const v = await closed({ gates: { SpotToSpotConsolidation: true } })
    const [small] = await busy(v, 1, '1', { type: MIDDLE, capacityType: 'spot' })
    await open(v)
    await v.pass(40_000)
    expect(await v.isStaying(small ?? { claim: '', node: '' })).toBe(true)
    expect(v.messages('Unconsolidatable', small?.node)[0]).toMatch(
      /^SpotToSpotConsolidation requires 15 cheaper instance type options than the current candidate to consolidate, got \d+$/,
    )
  })

  test('spot for spot with 15 cheaper types sends exactly the 15 cheapest; more for minValues', async () => {
    for (const [minValues, sent] of [
      [undefined, 15],
      [16, 16],
      [3, 15],
    ] as const) {
      const w = await start({ gates: { SpotToSpotConsolidation: true } })
      await w.pool('general', { disruption: { consolidateAfter: 'Never' } }, anyLinux(minValues))
      const [big] = await busy(w, 1, '1', { type: 'm-64x-amd64-linux', capacityType: 'spot' })
      await open(w)
      await w.pass(ROUND)
      const replacement = (await w.claims()).find(({ metadata }) => metadata.name !== big?.claim)
      const types = replacement?.spec.requirements.find(({ key }) => key === labels.instanceType)
      expect(types?.values?.length).toBe(sent)
    }
  })

  test('never for the same price: the comparison is strict', async () => {
    const w = await closed()
    const [right] = await busy(w, 1, '1.5', { type: SMALL, capacityType: 'spot' })
    await w.patchPool('general', {
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

  test('a price filter that breaks minValues is told, also under BestEffort (§7.14)', async () => {
    for (const minValuesPolicy of ['Strict', 'BestEffort'] as const) {
      const w = await start({ settings: { minValuesPolicy } })
      await w.pool('general', { disruption: { consolidateAfter: 'Never' } }, anyLinux(50))
      const [node] = await busy(w, 1, '1', { type: LARGE })
      await open(w)
      await w.pass(ROUND)
      expect(await w.isStaying(node ?? { claim: '', node: '' })).toBe(true)
      expect(w.messages('Unconsolidatable', node?.node)[0]).toMatch(
        /^Filtering by price: minValues requirement is not met/,
      )
    }
  })
})

describe('policies (§7.8)', () => {
  test.each([
    [
      'WhenEmpty',
      { consolidationPolicy: 'WhenEmpty' },
      'NodePool "general" has consolidation policy WhenEmpty, but node is not empty',
      4,
    ],
    ['Never', { consolidateAfter: 'Never' }, 'NodePool "general" has consolidation disabled', 6],
  ])('%s: Unconsolidatable is said so many times in one loop', async (_name, disruption, message, times) => {
    const w = await closed()
    const [one] = await busy(w, 1, '1')
    await open(w, disruption)
    await w.pass(12_000)
    const said = () =>
      w.events.events.filter(({ reason, message: text }) => reason === 'Unconsolidatable' && text === message)
    const before = said().length
    await w.pass(10_000)
    expect(said().length - before).toBe(times)
    expect(await w.isStaying(one ?? { claim: '', node: '' })).toBe(true)
  })
})

describe('several nodes (§7.13)', () => {
  test('three become one that is cheaper', async () => {
    const w = await closed()
    const made = await busy(w, 3, '1500m', { type: 'm-4x-amd64-linux' })
    await open(w)
    await w.pass(ROUND)
    const decision = { decision: 'replace', reason: 'underutilized', consolidation_type: 'multi' }
    expect(await w.metric('karpenter_voluntary_disruption_decisions_total', decision)).toBe(1)
    expect(await w.metric('karpenter_nodeclaims_disrupted_total', { reason: 'underutilized' })).toBe(3)
    const staying = await w.staying()
    expect(staying.length).toBe(1)
    expect(made.some(({ claim }) => staying.includes(claim))).toBe(false)
  })

  test('several go at once into the others, as far as the budget allows', async () => {
    const w = await closed({}, MIDDLE)
    await busy(w, 6, '500m')
    await open(w, { budgets: [...NOT_EMPTY, { nodes: '3' }] })
    await w.pass(ROUND)
    const decision = { decision: 'delete', reason: 'underutilized', consolidation_type: 'multi' }
    expect(await w.metric('karpenter_voluntary_disruption_decisions_total', decision)).toBe(1)
    expect((await w.staying()).length).toBe(3)
  })

  test('a budget of nothing stops all methods, and opens without anything else changing', async () => {
    const w = await closed({}, MIDDLE)
    await busy(w, 3, '500m')
    await open(w, { budgets: [{ nodes: '0' }] })
    await w.pass(60_000)
    expect((await w.staying()).length).toBe(3)
    expect(await w.metric('karpenter_nodepools_allowed_disruptions', { reason: 'Underutilized' })).toBe(0)
    const made = (await w.claims())[0]?.status?.nodeName ?? ''
    expect(await singleBlockers(w, made)).toMatchObject([{ code: 'budget.exhausted', allowed: 0, budget: 0 }])
    await open(w)
    await w.pass(60_000)
    expect((await w.staying()).length).toBe(1)
  })

  test('a budget with a window holds until it ends, to the second (§3.4)', async () => {
    const w = await closed({}, MIDDLE)
    await busy(w, 2, '500m')
    // The virtual clock starts at midnight UTC: this window is open for an hour.
    await open(w, { budgets: [{ nodes: '0', schedule: '@daily', duration: '1h' }, ...NOT_EMPTY] })
    const midnight = Date.UTC(2026, 0, 1)
    await w.clock.runUntil(midnight + 3_600_000 - 1_000)
    expect((await w.staying()).length).toBe(2)
    const node = (await w.claims())[0]?.status?.nodeName ?? ''
    expect(await singleBlockers(w, node)).toMatchObject([{ code: 'budget.exhausted', opensAt: midnight + 3_600_000 }])
    await w.pass(40_000)
    expect((await w.staying()).length).toBe(1)
  })
})

describe('the wait for validation (§7.12)', () => {
  test.each([
    ['a do-not-disrupt pod arrives', { metadata: { annotations: { [annotations.doNotDisrupt]: 'true' } } }, 'churn'],
    ['pods arrive that fit nowhere else', { cpu: '2' }, 'scheduling'],
  ])('%s: the command is dropped and told', async (_name, traits, why) => {
    const w = await closed()
    const [one, two] = await w.nodes(2)
    if (one === undefined || two === undefined) throw new Error()
    await w.pod('a', one.node, { cpu: '1' })
    await w.pod('b', two.node, { cpu: '2' })
    await w.pass(500)
    await open(w, { budgets: [{ nodes: '1' }] })
    await w.pass(10_500)
    await w.pod('late', one.node, traits)
    await w.pass(12_000)
    expect((await w.staying()).length).toBe(2)
    const rejected = w.messages('ConsolidationRejected')
    expect(rejected.some((text) => text.includes(`reason: ${why}`))).toBe(true)
    expect(
      await w.metric('karpenter_voluntary_disruption_failed_validations_total', { consolidation_type: 'single' }),
    ).toBeGreaterThan(0)
  })
})

describe('a validation that fails (§7.8, §7.13)', () => {
  const failed = (w: DisruptionWorld, type: string) =>
    w.metric('karpenter_voluntary_disruption_failed_validations_total', { consolidation_type: type })

  test('of several nodes drops them all, and a single node goes in the same loop', async () => {
    const w = await closed({}, MIDDLE)
    const made = await busy(w, 3, '500m')
    await open(w)
    await w.pass(11_000)
    const guard = { metadata: { annotations: { [annotations.doNotDisrupt]: 'true' } } }
    await w.pod('guard', made[0]?.node ?? '', { ...guard, cpu: '100m' })
    await w.pass(31_000)
    expect(await failed(w, 'multi')).toBe(2)
    const single = { decision: 'delete', reason: 'underutilized', consolidation_type: 'single' }
    expect(await w.metric('karpenter_voluntary_disruption_decisions_total', single)).toBe(1)
    expect((await w.staying()).length).toBe(2)
    // Told for several nodes too, which upstream forgets.
    expect(w.messages('ConsolidationRejected').some((text) => text.includes('(part of 2-node consolidation)'))).toBe(
      true,
    )
  })

  test.each([
    ['a budget that closes', 'budget'],
    ['a nomination', 'budget'],
  ])('%s is told as %s, and it is tried again without any other change', async (name, why) => {
    const w = await closed({}, MIDDLE)
    const made = await busy(w, 2, '500m')
    const budgets = [{ nodes: '0', reasons: ['Empty'] }, { nodes: '1' }]
    await open(w, { budgets })
    await w.pass(11_000)
    if (name === 'a nomination') {
      for (const { claim } of made) w.kerf.state.nominate((await w.readClaim(claim))?.status?.providerID ?? '')
    } else await w.patchPool('general', { spec: { disruption: { budgets: [{ nodes: '0' }] } } })
    await w.pass(15_000)
    expect(await failed(w, 'single')).toBe(1)
    expect(w.messages('ConsolidationRejected')[0]).toContain(`reason: ${why}`)
    if (name !== 'a nomination') await w.patchPool('general', { spec: { disruption: { budgets } } })
    await w.pass(60_000)
    expect((await w.staying()).length).toBe(1)
  })
})

describe('other rules of consolidation (§7.14)', () => {
  test('what saves most for least disturbance goes first', async () => {
    const w = await closed()
    const [cheap] = await busy(w, 1, '500m', { type: SMALL })
    const [dear] = await busy(w, 1, '500m', { type: LARGE })
    await busy(w, 1, '500m', { type: MIDDLE })
    await open(w, { budgets: [{ nodes: '1' }] })
    await w.pass(27_000)
    expect(await w.isStaying(dear ?? { claim: '', node: '' })).toBe(false)
    expect(await w.isStaying(cheap ?? { claim: '', node: '' })).toBe(true)
  })

  test('required anti-affinity keeps pods on different nodes', async () => {
    const w = await closed({}, MIDDLE)
    const made = await w.nodes(2)
    const antiAffinity = {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { labelSelector: { matchLabels: { app: 'x' } }, topologyKey: labels.hostname },
        ],
      },
    }
    for (const { node, claim } of made) {
      await w.pod(`on-${claim}`, node, { metadata: { labels: { app: 'x' } }, spec: { affinity: antiAffinity } })
    }
    await open(w)
    await w.pass(60_000)
    expect(await w.staying()).toEqual(made.map(({ claim }) => claim).sort())
  })

  test('pods that arrive meanwhile do not make an extra node', async () => {
    const w = await closed({ registrationDelay: '20s' })
    await w.nodes(1, { type: LARGE })
    await w.deployment('web', 1, '400m')
    await w.pass(5_000)
    await open(w)
    await w.pass(30_000)
    await w.scale('web', 2)
    await w.pass(180_000)
    expect((await w.staying()).length).toBe(1)
    const pods = (await w.admin.list(kinds.Pod, { namespace: 'default' })).items
    expect(pods.filter(({ status }) => status?.phase === 'Running').length).toBe(2)
  })

  test('static pools are never consolidated', async () => {
    const w = await start({ gates: { StaticCapacity: true } })
    await w.pool('fixed', { replicas: 2 }, only(MIDDLE))
    await w.pass(10_000)
    const made = await w.claims()
    for (const { metadata, status } of made) {
      await w.pod(`on-${metadata.name}`, status?.nodeName ?? '', { cpu: '500m' })
    }
    await w.pass(60_000)
    expect(await w.staying()).toEqual(made.map(({ metadata }) => metadata.name).sort())
  })
})
