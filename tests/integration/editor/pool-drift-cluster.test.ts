import { coreVocabulary, karpenterKinds, kinds, type NodeClaim, type NodePool } from '@kerf/apis'
import { describeWithCustomResources } from '@kerf/control-plane/testing'
import { kwokNodeClassKind } from '@kerf/provider-kwok/node-class'
import { kwokNodeClass } from '@kerf/provider-kwok/testing/node-class'
import { overConflicts } from '@kerf/runtime/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { driftingClaims } from '../../../packages/dashboard/plugin/src/model/pool-drift.ts'
import { KerfProcess } from '../story/kerf-process.ts'
import { realStory, type StoryCluster } from '../story/story-cluster.ts'
import { editedPool, podsOfEdited, poolEdits, poolSpec } from './pool-edits.ts'

const FENCE = 'fence'
const isCondition = ({ status }: NodeClaim, type: string): boolean =>
  status?.conditions?.some((each) => each.type === type && each.status === 'True') ?? false

describeWithCustomResources('edits of a NodePool with a running Kerf on a real control plane', (shared) => {
  let cluster: StoryCluster

  const claimsOf = async (pool: string): Promise<readonly NodeClaim[]> =>
    (await cluster.client.list(karpenterKinds.NodeClaim)).items.filter(
      ({ metadata }) => metadata.labels?.['karpenter.sh/nodepool'] === pool,
    )
  const driftedOf = async (pool: string): Promise<readonly string[]> =>
    (await claimsOf(pool))
      .filter((claim) => isCondition(claim, 'Drifted'))
      .map(({ metadata }) => metadata.name ?? '')
      .sort()
  const withSpec = async (change: object): Promise<NodePool> => {
    const stored = await cluster.client.get(karpenterKinds.NodePool, { name: 'edited' })
    return { ...stored, spec: { ...poolSpec, ...change } } as unknown as NodePool
  }

  /** Stores the edit as the editor does, with the resourceVersion that it has read. Tries again if the controller caused a conflict. */
  const storeEdit = async (change: object): Promise<void> => {
    await overConflicts(async () => await cluster.client.update(karpenterKinds.NodePool, await withSpec(change)))
  }

  /** Whether the last edit of the fence pool made its node drift. */
  let isFenceDrifted = false
  /**
   * Stores an edit of the NodePool. Then edits the fence pool so that the drift of its node changes. As soon as that change is visible, the
   * controller must also have processed the first edit, even if it has no effect. Waits until the NodeClaims in `expected` have drifted,
   * and returns all drifted claims.
   */
  const store = async (change: object, expected: readonly string[]): Promise<readonly string[]> => {
    await storeEdit(change)
    isFenceDrifted = !isFenceDrifted
    const labels = { fence: isFenceDrifted ? 'moved' : 'here' }
    const body = { spec: { template: { metadata: { labels } } } }
    await cluster.client.patch(karpenterKinds.NodePool, { name: FENCE }, { type: 'merge', body })
    await cluster.until('the fence', async () => ((await driftedOf(FENCE)).length === 1) === isFenceDrifted)
    await cluster.until(`${expected.length} drifted claims`, async () => {
      const found = await driftedOf('edited')
      return expected.every((name) => found.includes(name)) && (expected.length > 0 || found.length === 0)
    })
    return driftedOf('edited')
  }

  beforeAll(async () => {
    cluster = await realStory(shared(), async () => {
      const kerf = KerfProcess.start(shared().kubeconfig, ['--disable-leader-election'])
      return async () => void (await kerf.stop())
    })
    const { client } = cluster
    await client.create(kwokNodeClassKind, kwokNodeClass('default'))
    await client.create(karpenterKinds.NodePool, editedPool)
    const fence = { ...poolSpec, template: { ...poolSpec.template, metadata: { labels: { fence: 'here' } } } }
    await client.create(karpenterKinds.NodePool, { ...editedPool, metadata: { name: FENCE }, spec: fence } as never)
    const [pod] = podsOfEdited
    const nodeSelector = { 'karpenter.sh/nodepool': FENCE }
    const ofFence = { ...pod, metadata: { name: FENCE, namespace: 'default' }, spec: { ...pod?.spec, nodeSelector } }
    for (const each of [...podsOfEdited, ofFence]) await client.create(kinds.Pod, each as never)
    await cluster.until('four nodes', async () => {
      const all = [...(await claimsOf('edited')), ...(await claimsOf(FENCE))]
      return all.length === 4 && all.every((claim) => isCondition(claim, 'Initialized'))
    })
  })
  afterAll(() => cluster?.close())

  const seen = new Set<number>()

  test.each(Object.keys(poolEdits))('%s: the preview names the claims that drift', async (name) => {
    expect(await store({}, [])).toEqual([])
    const claims = await claimsOf('edited')
    const said = driftingClaims(await withSpec(poolEdits[name] ?? {}), claims, coreVocabulary)
      .map(({ claim }) => claim)
      .sort()
    seen.add(said.length)
    expect(await store(poolEdits[name] ?? {}, said)).toEqual(said)
  })

  test('some edits make no node drift, some make some nodes drift, and some make all of them drift', () => {
    expect([...seen].sort()).toEqual([0, 1, 2, 3])
  })
})
