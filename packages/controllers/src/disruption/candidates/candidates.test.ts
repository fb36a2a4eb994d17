import { annotations, karpenterKinds, kinds, labels } from '@kerf/apis'
import { blockerRemedy, blockerSentence } from '@kerf/engine'
import { node } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import {
  createDaemonSetOn,
  createDisruptablePool,
  createPodDisruptionBudget,
  createPodOn,
  type Harness,
  launchNode,
  type PodOnOptions,
  type RunningNode,
} from '../../testing/harness/index.ts'
import { harnessPerTest } from '../../testing/harness-per-test.ts'

const start = harnessPerTest()

const signal = new AbortController().signal
const protectedPod: PodOnOptions = { metadata: { annotations: { [annotations.doNotDisrupt]: 'true' } } }
const app: PodOnOptions = { metadata: { labels: { app: 'x' } } }
const selector = { matchLabels: { app: 'x' } }

/** Starts a cluster with a node that no disruption method disrupts. */
const quiet = async (terminationGracePeriod?: string): Promise<{ w: Harness; made: RunningNode }> => {
  const w = await start()
  await createDisruptablePool(w, 'general', { disruption: { consolidateAfter: 'Never' } })
  const made = await launchNode(w, terminationGracePeriod === undefined ? {} : { spec: { terminationGracePeriod } })
  return { w, made }
}

const ownedByNode = async (w: Harness, { node: name }: RunningNode) => {
  const { uid = '' } = (await w.readNode(name)).metadata
  return [{ apiVersion: 'v1', kind: 'Node', name, uid, controller: true }]
}

/** Returns what blocks graceful disruption methods, and what blocks drift. */
const blockers = async (w: Harness, { node }: RunningNode) => {
  const found = await w.kerf.explainNode(node, signal)
  const drift = found?.methods.find(({ method }) => method === 'drift')?.blockers ?? []
  const candidacy = new Set((found?.blockers ?? []).map(({ code }) => code))
  return {
    graceful: (found?.blockers ?? []).map(({ code }) => code),
    eventual: drift.map(({ code }) => code).filter((code) => candidacy.has(code as never)),
    sentences: (found?.blockers ?? []).map(blockerSentence),
    remedies: (found?.blockers ?? []).map(blockerRemedy),
  }
}

describe('candidates', () => {
  test('a plain node is a candidate', async () => {
    const { w, made } = await quiet()
    await createPodOn(w, 'plain', made.node)
    await w.pass(500)
    expect((await blockers(w, made)).graceful).toEqual([])
  })

  test('a do-not-disrupt pod blocks every method; with a terminationGracePeriod it blocks only graceful methods', async () => {
    for (const [grace, eventual] of [
      [undefined, ['pod.do-not-disrupt']],
      ['1h', []],
    ] as const) {
      const { w, made } = await quiet(grace)
      await createPodOn(w, 'guarded', made.node, protectedPod)
      await w.pass(500)
      const found = await blockers(w, made)
      expect(found).toMatchObject({ graceful: ['pod.do-not-disrupt'], eventual })
      expect(found.sentences).toEqual(['pod has "karpenter.sh/do-not-disrupt" annotation (Pod=default/guarded)'])
    }
  })

  test('a PDB that allows no disruption blocks every method; with a terminationGracePeriod it blocks only graceful methods', async () => {
    for (const [grace, eventual] of [
      [undefined, ['pdb.blocks']],
      ['1h', []],
    ] as const) {
      const { w, made } = await quiet(grace)
      await createPodOn(w, 'covered', made.node, app)
      await createPodDisruptionBudget(w, 'strict', { selector, maxUnavailable: 0 })
      await w.pass(2_000)
      const found = await blockers(w, made)
      expect(found).toMatchObject({ graceful: ['pdb.blocks'], eventual })
      expect(found.sentences).toEqual(['pdb prevents pod evictions (PodDisruptionBudget=[default/strict])'])
      expect(found.remedies[0]).toContain('PodDisruptionBudget default/strict')
    }
  })

  test('daemon pods and mirror pods with do-not-disrupt block the node', async () => {
    const { w, made } = await quiet()
    await createDaemonSetOn(w, 'guarded', made, protectedPod.metadata)
    expect((await blockers(w, made)).graceful).toEqual(['pod.do-not-disrupt'])
    await w.admin.delete(kinds.DaemonSet, { name: 'guarded', namespace: 'default' })
    await w.pass(60_000)
    expect((await blockers(w, made)).graceful).toEqual([])
    const ownerReferences = await ownedByNode(w, made)
    await createPodOn(w, 'mirror', made.node, { metadata: { ...protectedPod.metadata, ownerReferences } })
    await w.pass(200)
    expect((await blockers(w, made)).graceful).toEqual(['pod.do-not-disrupt'])
  })

  test('terminating and finished pods do not block', async () => {
    const { w, made } = await quiet()
    await createPodOn(w, 'leaving', made.node, { metadata: { ...protectedPod.metadata, finalizers: ['test/keep'] } })
    await createPodOn(w, 'finished', made.node, protectedPod)
    await createPodOn(w, 'covered', made.node, { metadata: { ...app.metadata, finalizers: ['test/keep'] } })
    await createPodOn(w, 'covered-finished', made.node, app)
    await createPodOn(w, 'covered-mirror', made.node, {
      metadata: { ...app.metadata, ownerReferences: await ownedByNode(w, made) },
    })
    await createPodDisruptionBudget(w, 'strict', { selector, maxUnavailable: 0 })
    await w.pass(500)
    for (const name of ['finished', 'covered-finished']) {
      await w.patch(kinds.Pod, name, { status: { phase: 'Succeeded' } }, 'status')
    }
    for (const name of ['leaving', 'covered']) await w.admin.delete(kinds.Pod, { name, namespace: 'default' })
    await w.pass(500)
    expect((await blockers(w, made)).graceful).toEqual([])
  })

  test('two PDBs that select the same pod block it, and the message names both', async () => {
    const { w, made } = await quiet()
    await createPodOn(w, 'covered', made.node, app)
    await createPodDisruptionBudget(w, 'one', { selector, maxUnavailable: 1 })
    await createPodDisruptionBudget(w, 'two', { selector, maxUnavailable: 1 })
    await w.pass(2_000)
    const found = await blockers(w, made)
    expect(found.graceful).toEqual(['pdb.several'])
    expect(found.sentences[0]).toContain('default/one')
    expect(found.sentences[0]).toContain('default/two')
  })

  test('a PDB on a daemon pod blocks', async () => {
    const { w, made } = await quiet()
    await createDaemonSetOn(w, 'covered', made, app.metadata)
    await createPodDisruptionBudget(w, 'strict', { selector, maxUnavailable: 0 })
    await w.pass(2_000)
    expect((await blockers(w, made)).graceful).toContain('pdb.blocks')
  })

  test('do-not-disrupt with a duration protects a pod until the duration ends; an invalid value does not protect it', async () => {
    const { w, made } = await quiet()
    const guard = (value: string) => ({ metadata: { annotations: { [annotations.doNotDisrupt]: value } } })
    await createPodOn(w, 'hour', made.node, guard('1h'))
    await createPodOn(w, 'nonsense', made.node, guard('soon'))
    await createPodOn(w, 'zero', made.node, guard('0s'))
    await w.pass(3_000)
    const found = await w.kerf.explainNode(made.node, signal)
    expect(found?.blockers).toMatchObject([{ code: 'pod.do-not-disrupt', pod: 'default/hour' }])
    const [blocker] = found?.blockers ?? []
    expect(blocker?.code === 'pod.do-not-disrupt' && blocker.until).toBeGreaterThan(w.clock.now())
    await w.pass(3_600_000)
    expect((await blockers(w, made)).graceful).toEqual([])
  })

  test('blockers of node and pool: annotation, nomination, label, unknown pool, deletion marks, initialization', async () => {
    const { w, made } = await quiet()
    const { providerID = '' } = (await w.readClaim(made.claim))?.status ?? {}
    const of = async () => (await blockers(w, made)).graceful
    await w.patch(kinds.Node, made.node, { metadata: { annotations: { [annotations.doNotDisrupt]: 'true' } } })
    await w.pass(200)
    expect(await of()).toEqual(['node.do-not-disrupt'])
    await w.patch(kinds.Node, made.node, { metadata: { annotations: { [annotations.doNotDisrupt]: '1h' } } })
    await w.pass(200)
    expect(await of()).toEqual([])
    w.kerf.state.expectPods(providerID)
    expect(await of()).toEqual(['node.nominated'])
    await w.pass(20_001)
    expect(await of()).toEqual([])
    w.kerf.state.markForDeletion(providerID)
    expect(await of()).toEqual(['node.deleting'])
    w.kerf.state.unmarkForDeletion(providerID)
    await w.patch(kinds.Node, made.node, { metadata: { labels: { [labels.nodePool]: 'gone' } } })
    await w.pass(200)
    expect(await of()).toEqual(['pool.not-found'])
    await w.patch(kinds.Node, made.node, { metadata: { labels: { [labels.nodePool]: null } } })
    await w.pass(200)
    expect(await of()).toEqual(['node.no-pool-label'])
    await w.patch(kinds.Node, made.node, {
      metadata: { labels: { [labels.nodePool]: 'general', [labels.initialized]: null } },
    })
    await w.pass(50)
    expect(await of()).toContain('node.uninitialized')
  })

  test('a node without a claim, and a claim without a Node, are not candidates', async () => {
    const { w, made } = await quiet()
    await w.admin.create(kinds.Node, node('stranger'))
    await w.pass(300)
    expect((await w.kerf.explainNode('stranger', signal))?.blockers).toEqual([{ code: 'node.unmanaged' }])
    expect(w.distinctMessages('DisruptionBlocked', 'stranger')).toEqual([])
    await w.patch(kinds.Node, made.node, { metadata: { finalizers: null } })
    await w.admin.delete(kinds.Node, { name: made.node })
    await w.pass(50)
    expect((await w.kerf.explainNode(made.claim, signal))?.blockers).toEqual([{ code: 'claim.no-node' }])
  })

  test('a node with missing capacity-type, zone and type is a candidate; consolidation reports what is missing', async () => {
    const { w, made } = await quiet()
    await createPodOn(w, 'plain', made.node)
    for (const type of ['no-such-type', null]) {
      const gone = { [labels.capacityType]: null, [labels.zone]: null, [labels.instanceType]: type }
      await w.patch(kinds.Node, made.node, { metadata: { labels: gone } })
      await w.pass(500)
      const found = await w.kerf.explainNode(made.node, signal)
      expect(found).toMatchObject({ blockers: [], price: 0 })
      const single = found?.methods.find(({ method }) => method === 'single-node')?.blockers ?? []
      expect(single.slice(0, 3)).toEqual([
        { code: 'type.unknown', type: type ?? '' },
        { code: 'label.missing', label: labels.capacityType },
        { code: 'label.missing', label: labels.zone },
      ])
    }
  })
})

describe('leftovers of an earlier process', () => {
  test('the next pass removes the taint and DisruptionReason', async () => {
    const { w, made } = await quiet()
    await w.patch(kinds.Node, made.node, {
      spec: { taints: [{ key: 'karpenter.sh/disrupted', effect: 'NoSchedule' }] },
    })
    const claim = await w.readClaim(made.claim)
    const stale = {
      type: 'DisruptionReason',
      status: 'True',
      reason: 'Empty',
      message: 'Empty',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    }
    await w.patch(
      karpenterKinds.NodeClaim,
      made.claim,
      { status: { conditions: [...(claim?.status?.conditions ?? []), stale] } },
      'status',
    )
    await w.pass(200)
    expect(await w.condition('DisruptionReason', made.claim)).toBe('True Empty')
    await w.pass(11_000)
    expect((await w.readNode(made.node)).spec.taints ?? []).toEqual([])
    expect(await w.condition('DisruptionReason', made.claim)).toBeUndefined()
  })
})
