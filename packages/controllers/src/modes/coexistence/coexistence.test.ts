import { annotations, karpenterKinds, kinds, labels, parseLabelSelector } from '@kerf/apis'
import { node } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { busy, closedWith, MIDDLE, open } from '../../testing/closed-pools.ts'
import {
  bindPod,
  createDeployment,
  createDisruptablePool,
  createPendingPod,
  createPendingPods,
  createPodDisruptionBudget,
  createPodOn,
  type Harness,
  launchNodes,
  makeNodesReady,
} from '../../testing/harness/index.ts'
import { harnessPerTest } from '../../testing/harness-per-test.ts'

const start = harnessPerTest()
const closed = closedWith(start)

const servedByOther = { annotations: { [annotations.servedBy]: 'cluster-autoscaler' } }

/** Creates a ready node with enough capacity for all pods of the test. By default, the node belongs to a node group. */
const createForeignNode = async (
  w: Harness,
  name: string,
  marks: {
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
  } = {
    labels: { 'kops.k8s.io/instancegroup': 'blue' },
  },
): Promise<void> => {
  const capacity = { cpu: '64', memory: '256Gi', pods: '110' }
  await w.put(kinds.Node, node(name, { providerID: `other://${name}`, capacity, metadata: marks }))
  // The API server's admission plugins taint new nodes, so the taints must be removed.
  await w.patch(kinds.Node, name, { spec: { taints: null } })
}

const status = (groups: readonly string[]): string =>
  [
    'time: "2026-01-01 00:00:00.1 +0000 UTC"',
    'autoscalerStatus: Running',
    'nodeGroups:',
    ...groups.map((name) => `- name: ${name}\n  health: {minSize: 0, maxSize: 9}`),
  ].join('\n')

const writeStatus = async (w: Harness, ...groups: readonly string[]): Promise<void> => {
  await w.put(kinds.ConfigMap, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'cluster-autoscaler-status', namespace: 'kube-system' },
    data: { status: status(groups) },
  })
}

const eventsAbout = (w: Harness, name: string) => w.events.events.filter(({ object }) => object.metadata.name === name)

describe('pods that another autoscaler serves', () => {
  test.each([
    ['the annotation', {}, servedByOther],
    ['the selector', { ignorePodsSelector: parseLabelSelector('team in (batch)') }, { labels: { team: 'batch' } }],
  ] as const)(
    'are ignored by %s: they get no node and no Event, and the other pods are served',
    async (_, settings, metadata) => {
      const w = await start({ settings, cluster: 'api' })
      await createDisruptablePool(w, 'general')
      await createPendingPods(w, 3, { requests: { cpu: '1' }, metadata }, 'theirs')
      await w.pass(120_000)
      expect(await w.claims()).toEqual([])
      await createPendingPod(w, 'ours', { requests: { cpu: '1' } })
      await w.pass(30_000)
      const [claim, ...more] = await w.claims()
      expect(more).toEqual([])
      expect(claim?.spec.resources?.requests).toMatchObject({ cpu: '1', pods: '1' })
      for (const index of [0, 1, 2]) expect(eventsAbout(w, `theirs-${index}`)).toEqual([])
      expect(eventsAbout(w, 'ours').map(({ reason }) => reason)).toContain('Nominated')
    },
  )

  test('are not recognized by another value of the annotation', async () => {
    const w = await start({ cluster: 'api' })
    await createDisruptablePool(w, 'general')
    await createPendingPod(w, 'ours', { metadata: { annotations: { [annotations.servedBy]: 'karpenter' } } })
    await w.pass(30_000)
    expect((await w.claims()).length).toBe(1)
  })

  test('count on their node: the node is not empty, and no node is launched for them to replace it', async () => {
    const w = await closed({}, MIDDLE)
    const [one, two] = await busy(w, 2, '3')
    await w.patch(kinds.Pod, `on-${one?.claim}`, { metadata: servedByOther })
    await open(w, { budgets: [{ nodes: '100%' }] })
    await w.pass(120_000)
    expect([...(await w.staying())].sort()).toEqual([one?.claim, two?.claim].sort())
  })

  test('get no NodeClaim when somebody drains their node pod by pod', async () => {
    const w = await closed({ settings: { ignorePodsSelector: parseLabelSelector('app=web') } }, MIDDLE)
    const [one] = await launchNodes(w, 1)
    await createDeployment(w, 'web', 3, '1')
    await createPodDisruptionBudget(w, 'web', { selector: { matchLabels: { app: 'web' } }, maxUnavailable: 1 })
    await w.pass(10_000)
    const pods = (await w.admin.list(kinds.Pod, { namespace: 'default' })).items
    expect(pods.filter(({ spec }) => spec.nodeName !== undefined).length).toBe(3)
    await w.admin.delete(karpenterKinds.NodeClaim, { name: one?.claim ?? '' })
    await w.pass(60_000)
    expect((await w.claims()).map(({ metadata }) => metadata.name)).toEqual([one?.claim])
    // Kerf evicted one of the pods but published no Event about it.
    expect(w.events.events.filter(({ object }) => object.metadata.name.startsWith('web-'))).toEqual([])
  })
})

describe('nodes of another autoscaler', () => {
  test.each(['count', 'ignore'] as const)('with FOREIGN_NODES=%s', async (foreignNodes) => {
    const w = await closed({ settings: { foreignNodes } }, MIDDLE)
    const made = await busy(w, 2, '3')
    await createForeignNode(w, 'group-1')
    await open(w)
    await w.pass(120_000)
    expect((await w.staying()).length).toBe(foreignNodes === 'count' ? 0 : made.length)
  })

  test('a node without a group label or annotation still counts as free capacity', async () => {
    const w = await closed({ settings: { foreignNodes: 'ignore' } }, MIDDLE)
    await busy(w, 2, '3')
    await createForeignNode(w, 'bare', {})
    await open(w)
    await w.pass(120_000)
    expect(await w.staying()).toEqual([])
  })

  test.each([
    [
      'the annotation of the KWOK provider',
      { annotations: { 'cluster-autoscaler.kwok.nodegroup/name': 'cas-8x' } },
      [],
    ],
    ['a label with the name of a reported group', { labels: { pool: 'cas-8x' } }, ['cas-8x']],
  ] as const)('are recognized by %s', async (_, marks, reported) => {
    const w = await closed({ settings: { foreignNodes: 'ignore' } }, MIDDLE)
    if (reported.length > 0) await writeStatus(w, ...reported)
    const made = await busy(w, 2, '3')
    await createForeignNode(w, 'group-1', marks)
    // Longer than the interval at which Kerf reads the status.
    await w.pass(31_000)
    await open(w)
    await w.pass(120_000)
    expect((await w.staying()).length).toBe(made.length)
  })

  test('nodes of a stopped autoscaler still belong to it, and a new report changes the groups', async () => {
    const w = await closed({ settings: { foreignNodes: 'ignore' } }, MIDDLE)
    await writeStatus(w, 'cas-8x')
    const made = await busy(w, 2, '3')
    await createForeignNode(w, 'group-1', { labels: { pool: 'cas-8x' } })
    await w.pass(31_000)
    await w.admin.delete(kinds.ConfigMap, { namespace: 'kube-system', name: 'cluster-autoscaler-status' })
    await open(w)
    await w.pass(120_000)
    expect((await w.staying()).length).toBe(made.length)
    await writeStatus(w, 'another')
    await w.pass(150_000)
    expect(await w.staying()).toEqual([])
  })

  test('count as capacity for provisioning, and neither they nor their pods get Events', async () => {
    for (const foreignNodes of ['count', 'ignore'] as const) {
      const w = await start({ settings: { foreignNodes }, cluster: 'api' })
      await createDisruptablePool(w, 'general')
      await createForeignNode(w, 'group-1')
      await createPodOn(w, 'there', 'group-1', {
        metadata: { annotations: { [annotations.doNotDisrupt]: 'sometimes' } },
      })
      await createPendingPod(w, 'waits', { requests: { cpu: '1' } })
      await w.pass(60_000)
      expect(await w.claims()).toEqual([])
      const heard = ['group-1', 'there', 'waits'].flatMap((name) => eventsAbout(w, name))
      if (foreignNodes === 'count') expect(heard.length).toBeGreaterThan(0)
      else expect(heard).toEqual([])
    }
  })

  test('are explained with the name of their group', async () => {
    const w = await start({ cluster: 'api' })
    await createForeignNode(w, 'group-1')
    await createForeignNode(w, 'bare', {})
    await w.pass(1_000)
    const blockersOf = async (name: string) =>
      (await w.kerf.explainNode(name, new AbortController().signal))?.blockers ?? []
    expect(await blockersOf('group-1')).toEqual([
      { code: 'node.unmanaged', group: 'blue', shownBy: 'kops.k8s.io/instancegroup' },
    ])
    expect(await blockersOf('bare')).toEqual([{ code: 'node.unmanaged' }])
  })
})

describe('interactions are counted', () => {
  const served = (w: Harness) => w.metric('kerf_interaction_pods_served_by_both_total')
  const boundBy = (w: Harness, owner: string) =>
    w.metric('kerf_interaction_pods_bound_duration_seconds_count', { owner })

  test('if a pod that Kerf had planned runs on a newer node of another autoscaler', async () => {
    const w = await start({ cluster: 'api' })
    await createForeignNode(w, 'before')
    await w.patch(kinds.Node, 'before', { spec: { taints: [{ key: 'full', effect: 'NoSchedule' }] } })
    await createDisruptablePool(w, 'general')
    const [one, two, three] = await createPendingPods(w, 3, { requests: { cpu: '1' } })
    if (one === undefined || two === undefined || three === undefined) throw new Error('no pods')
    await w.pass(30_000)
    const claims = await w.claims()
    expect(claims).toHaveLength(1)
    await createForeignNode(w, 'after')
    await bindPod(w, one, 'after')
    await bindPod(w, two, 'before')
    await makeNodesReady(w)
    await bindPod(w, three, (await w.claims())[0]?.status?.nodeName ?? '')
    await w.pass(5_000)
    expect(await served(w)).toBe(1)
    expect([await boundBy(w, 'node-group'), await boundBy(w, 'nodepool')]).toEqual([2, 1])
  })

  test('if both autoscalers act on a node', async () => {
    const w = await start({ cluster: 'api' })
    await createForeignNode(w, 'theirs')
    await w.pass(60_000)
    const wanted = () => w.metric('kerf_interaction_nodes_wanted_by_both')
    expect(await wanted()).toBe(0)
    await w.patch(kinds.Node, 'theirs', { spec: { taints: [{ key: 'karpenter.sh/disrupted', effect: 'NoSchedule' }] } })
    await createForeignNode(w, 'ours', { labels: { [labels.nodePool]: 'general' } })
    const taint = { key: 'DeletionCandidateOfClusterAutoscaler', effect: 'PreferNoSchedule' }
    await w.patch(kinds.Node, 'ours', { spec: { taints: [taint] } })
    await w.pass(60_000)
    expect(await wanted()).toBe(2)
  })
})
