import { isConditionTrue, type KubeObject, karpenterKinds, kinds, labels, type NodePool, type Pod } from '@kerf/apis'
import { forecastChange, forecastRemoval, listCluster, observeManifests } from '@kerf/cli'
import { pod as buildPod } from '@kerf/testing'
import { expect } from 'vitest'
import { PoolStory } from './pool-story.ts'
import type { StoryCluster } from './story-cluster.ts'

const objectName = ({ metadata }: KubeObject): string => metadata.name
const objectKey = ({ metadata }: KubeObject): string => `${metadata.namespace}/${metadata.name}`
const observed = async ({ client }: StoryCluster) => await observeManifests(await listCluster(client, 'the cluster'))

/** Returns the parts of a plan that can be compared with the cluster: the groups of pods, without the names of new nodes. */
const groupsOf = (places: readonly (readonly [pod: string, node: string | number])[]): readonly string[] =>
  [...Map.groupBy(places, ([, node]) => node)]
    .map(([, pods]) =>
      pods
        .map(([pod]) => pod)
        .sort()
        .join(' '),
    )
    .sort()

/** Returns a function that maps a pod to its app. Pods of a Deployment get new names when they move, so names cannot be compared. */
const podApp = (pods: readonly Pod[]): ((key: string) => string) => {
  const apps = new Map(pods.map((pod) => [objectKey(pod), pod.metadata.labels?.['app'] ?? '']))
  return (key) => apps.get(key) ?? key
}

const elsewhere = (zone: string): NonNullable<Pod['spec']['affinity']> => ({
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [{ matchExpressions: [{ key: labels.zone, operator: 'NotIn', values: [zone] }] }],
    },
  },
})

/** Creates objects that block nodes: a PodDisruptionBudget, an annotation and a zonal volume. Also creates a static pod and a daemon. */
const deployHolders = async (story: PoolStory, zone: string): Promise<void> => {
  const { client } = story.cluster
  const { name: namespace } = story
  await client.create(kinds.PersistentVolume, {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: `${namespace}-disk` },
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      hostPath: { path: '/disk' },
      storageClassName: '',
      claimRef: { namespace, name: 'disk' },
      nodeAffinity: {
        required: { nodeSelectorTerms: [{ matchExpressions: [{ key: labels.zone, operator: 'In', values: [zone] }] }] },
      },
    },
  })
  await client.create(kinds.PersistentVolumeClaim, {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'disk', namespace },
    spec: {
      accessModes: ['ReadWriteOnce'],
      storageClassName: '',
      volumeName: `${namespace}-disk`,
      resources: { requests: { storage: '1Gi' } },
    },
  })
  await story.deployBeside('disk', {
    spec: { volumes: [{ name: 'disk', persistentVolumeClaim: { claimName: 'disk' } }] },
  })
  await story.deployBeside('guarded')
  await story.protect('guarded', { selector: { matchLabels: { app: 'guarded' } }, minAvailable: 1 })
  await story.deployBeside('job', { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } })
}

const createStaticPod = async (story: PoolStory, node: string): Promise<void> => {
  const { client } = story.cluster
  const { uid = '' } = (await client.get(kinds.Node, { name: node })).metadata
  const { status: _, ...written } = buildPod(`proxy-${node}`, {
    namespace: story.name,
    labels: { app: 'static' },
    annotations: { 'kubernetes.io/config.mirror': 'one' },
    metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: node, uid, controller: true }] },
    nodeName: node,
    requests: { cpu: '10m' },
    spec: { tolerations: [{ operator: 'Exists' }] },
  })
  await client.create(kinds.Pod, written)
}

/**
 * A user deletes every node of a NodePool. Exactly the predicted pods stay on their nodes. The others run on new nodes in the predicted
 * groups, the pod with the volume in its zone. After the blockers are removed, the last nodes are deleted.
 */
export const runHeldRemovalStory = async (cluster: StoryCluster): Promise<void> => {
  const { client, clock } = cluster
  const zone = 'test-zone-b'
  const story = await PoolStory.open(cluster, 'what-if-held')
  await story.deployDaemon('agent')
  // The pods can be grouped in only one way, because a large pod fills any node except one in the zone of the volume. If two nodes become
  // ready one after the other, kube-scheduler may bind a pod that was planned for the second node to the first
  // (docs/decisions/0004-nomination.md). With only one possible grouping, this makes no difference.
  await story.deploy(3, { cpu: '3800m', spec: { affinity: elsewhere(zone) } })
  await deployHolders(story, zone)
  const ofApps = (pods: readonly Pod[]): readonly Pod[] =>
    pods.filter(({ metadata }) => !['agent', 'static'].includes(metadata.labels?.['app'] ?? ''))
  const apps = async (): Promise<readonly Pod[]> => ofApps(await story.running())
  await cluster.until('six pods to run', async () => (await apps()).length === 6)
  // The static pod below is bound without a check of the node's capacity. A node with a large pod has space for only one of the static pod
  // and its daemon, so the daemons must run before the static pod is created.
  await cluster.until('claims to be ready and daemons everywhere', async () => {
    const daemons = (await story.running()).filter(({ metadata }) => metadata.labels?.['app'] === 'agent')
    const claims = await story.claims()
    return daemons.length === claims.length && claims.every((claim) => isConditionTrue(claim, 'Ready'))
  })
  const before = await apps()
  const old = (await story.claims()).map(({ metadata, status }) => ({
    claim: metadata.name,
    node: status?.nodeName ?? '',
  }))
  const [first] = old
  await createStaticPod(story, first?.node ?? '')
  await cluster.until('the static pod to run', async () =>
    (await story.running()).some(({ metadata }) => metadata.labels?.['app'] === 'static'),
  )

  const forecast = await forecastRemoval(
    await observed(cluster),
    old.map(({ claim }) => claim),
    {},
    clock,
  )
  const appBefore = podApp(before)
  expect(forecast.held.map(({ pod }) => appBefore(pod)).toSorted()).toEqual(['guarded', 'job'])
  expect(forecast.withoutPlace).toEqual([])
  expect(forecast.moves.map(({ pod }) => appBefore(pod)).toSorted()).toEqual([
    'disk',
    story.name,
    story.name,
    story.name,
  ])
  const guarded = forecast.held.find(({ pod }) => appBefore(pod) === 'guarded')
  expect(guarded).toMatchObject({ to: expect.any(Number), why: expect.stringContaining('/guarded') })
  const holders = [...new Set(forecast.held.map(({ node }) => node))].sort()

  await Promise.all(old.map(({ claim }) => client.delete(karpenterKinds.NodeClaim, { name: claim })))
  const staying = new Set(holders)
  const isMoved = ({ spec }: Pod): boolean => old.every(({ node }) => spec.nodeName !== node)
  await cluster.until('what may move to have moved, and the other nodes to be gone', async () => {
    const names = (await story.nodes()).map(objectName)
    return (
      old.every(({ node }) => staying.has(node) || !names.includes(node)) &&
      (await apps()).filter(isMoved).length === forecast.moves.length
    )
  })
  await cluster.pass(5)
  const after = await apps()
  const appAfter = podApp(after)
  const uids = new Map(before.map((pod) => [objectKey(pod), pod.metadata.uid]))
  const held = after.filter((pod) => !isMoved(pod))
  expect(held.map((pod) => [objectKey(pod), pod.spec.nodeName, pod.metadata.uid]).toSorted()).toEqual(
    forecast.held.map(({ pod, node }) => [pod, node, uids.get(pod)]).toSorted(),
  )
  expect(groupsOf(after.filter(isMoved).map((pod) => [appAfter(objectKey(pod)), pod.spec.nodeName ?? '']))).toEqual(
    groupsOf(forecast.moves.map(({ pod, to }) => [appBefore(pod), to])),
  )
  const nodes = await story.nodes()
  const fresh = nodes.filter(({ metadata }) => old.every(({ node }) => node !== metadata.name))
  const typeOf = ({ metadata }: KubeObject): string => metadata.labels?.[labels.instanceType] ?? ''
  expect(fresh.map(typeOf).sort()).toEqual(forecast.newNodes.map(({ cheapest }) => cheapest.instanceType).sort())
  expect(nodes.length).toBe(forecast.cost.after.nodes)
  const disk = after.find(({ metadata }) => metadata.labels?.['app'] === 'disk')
  expect(nodes.find((node) => objectName(node) === disk?.spec.nodeName)?.metadata.labels?.[labels.zone]).toBe(zone)

  await story.unprotect('guarded')
  const job = held.find(({ metadata }) => metadata.labels?.['app'] === 'job')
  const body = { metadata: { annotations: { 'karpenter.sh/do-not-disrupt': null } } }
  await client.patch(kinds.Pod, { name: job?.metadata.name ?? '', namespace: story.name }, { type: 'merge', body })
  await cluster.until('the held pods to run on new nodes, and no old node to be left', async () => {
    const names = (await story.nodes()).map(objectName)
    return (await apps()).filter(isMoved).length === 6 && old.every(({ node }) => !names.includes(node))
  })
  const last = (await apps()).find(({ metadata }) => metadata.labels?.['app'] === 'guarded')
  expect(fresh.map(objectName), 'the budget’s pod goes to a node that was planned for it').toContain(
    last?.spec.nodeName,
  )
}

/**
 * A change makes every node drift, but the NodePool's limit allows no replacement: as predicted, Kerf deletes no node. Then the limit is
 * raised, while budgets and annotations block some nodes: exactly the predicted nodes are still there a while later.
 */
export const runHeldChangeStory = async (cluster: StoryCluster): Promise<void> => {
  const { client, clock } = cluster
  const story = await PoolStory.open(cluster, 'what-if-full', { types: ['c-2x-amd64-linux'] })
  await story.deploy(3)
  await story.deployBeside('guarded', { cpu: '1500m' })
  await story.protect('guarded', { selector: { matchLabels: { app: 'guarded' } }, minAvailable: 1 })
  await story.deployBeside('job', { cpu: '1500m', annotations: { 'karpenter.sh/do-not-disrupt': 'true' } })
  await story.settledAt(5)
  const before = (await story.claims()).map(objectName).toSorted()
  const pool = await client.get(karpenterKinds.NodePool, { name: story.name })
  const cpu = String(2 * before.length)
  const asked = (limits?: NodePool['spec']['limits']): NodePool => {
    const { limits: _, ...spec } = pool.spec
    const { requirements = [], ...template } = spec.template.spec
    const bigger = requirements.map((each) =>
      each.key === labels.instanceType ? { ...each, values: ['c-8x-amd64-linux'] } : each,
    )
    return {
      ...pool,
      spec: {
        ...spec,
        ...(limits === undefined ? {} : { limits }),
        template: { ...spec.template, spec: { ...template, requirements: bigger } },
      },
    }
  }
  const forecastOf = async (changed: NodePool) =>
    await forecastChange(await observed(cluster), [{ object: changed, file: 'change.yaml', line: 1 }], {}, clock)

  const full = await forecastOf(asked({ cpu }))
  expect(full.drifting.map(({ nodeClaim }) => nodeClaim).toSorted()).toEqual(before)
  const bound = (await story.pods()).map((pod) => `${objectKey(pod)} on ${pod.spec.nodeName ?? 'no node'}`)
  const free = full.drifting.filter(({ keptBy }) => keptBy.length === 0)
  expect(free, `${before.length} nodes with these pods: ${bound.sort().join(', ')}`).toEqual([])
  expect(full.withoutPlace.map(({ why }) => why)).toEqual(full.withoutPlace.map(() => expect.stringMatching(/limit/)))
  expect(full.withoutPlace.length).toBeGreaterThan(0)
  await story.patch({ limits: { cpu }, template: asked().spec.template })
  await cluster.until('every claim to have drifted', async () =>
    (await story.claims()).every((claim) => isConditionTrue(claim, 'Drifted')),
  )
  await cluster.pass(15)
  expect((await story.claims()).map(objectName).toSorted()).toEqual(before)

  const lifted = await forecastOf(asked())
  expect(lifted.drifting).toEqual([])
  const kept = full.drifting.filter(({ keptBy }) =>
    keptBy.some(({ code }) => code === 'pdb.blocks' || code === 'pod.do-not-disrupt'),
  )
  expect(kept.length).toBe(2)
  await story.patch({ limits: null })
  const names = kept.map(({ nodeClaim }) => nodeClaim)
  await cluster.until('the nodes that nothing keeps to be replaced', async () => {
    const left = (await story.claims()).map(objectName).filter((name) => before.includes(name))
    return left.length <= names.length
  })
  await cluster.pass(15)
  expect(
    (await story.claims())
      .map(objectName)
      .filter((name) => before.includes(name))
      .toSorted(),
  ).toEqual(names.toSorted())
}
