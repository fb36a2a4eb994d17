import { type KubeObject, kinds, type Node, type Pod, type PodSpec } from '@kerf/apis'
import { expect, test } from 'vitest'
import { node, podSpec, Story } from '../cluster/story.ts'

const pod = (name: string, spec: Partial<PodSpec> = {}, labels: Readonly<Record<string, string>> = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, labels },
  spec: podSpec({ cpu: '100m' }, spec),
})

const zoned = (name: string, zone: string, cpu = '4'): Node =>
  node(name, { cpu }, { labels: { 'topology.kubernetes.io/zone': zone } })

const homes = (story: Story): Record<string, string> =>
  Object.fromEntries(story.pods().map((one) => [one.metadata.name ?? '', one.spec.nodeName ?? '-']))

const reason = (story: Story, name: string): string | undefined =>
  story
    .pods()
    .find((one) => one.metadata.name === name)
    ?.status?.conditions?.find((one) => one.type === 'PodScheduled')?.message

const cluster = async (...objects: readonly KubeObject[]): Promise<Story> => {
  const story = await Story.start()
  await story.apply(...objects)
  await story.settle()
  return story
}

const storageClass = (name: string, more: object): KubeObject => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name },
  ...{ provisioner: 'csi.example.com', ...more },
})

const claim = (name: string, storageClassName: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name },
  ...{
    spec: { storageClassName, accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  },
})

const mounting = (...names: readonly string[]): Partial<PodSpec> => ({
  volumes: names.map((claimName) => ({ name: claimName, persistentVolumeClaim: { claimName } })),
})

test('preferences decide among nodes that all would do', async () => {
  await using story = await cluster(zoned('a', 'z1'), zoned('b', 'z2'), zoned('c', 'z3'))
  await story.apply(
    node('dedicated', { cpu: '64' }, { spec: { taints: [{ key: 'old', effect: 'PreferNoSchedule' }] } }),
    pod('friend', { nodeSelector: { 'topology.kubernetes.io/zone': 'z3' } }, { app: 'friend' }),
  )
  await story.settle()
  const like = (values: readonly string[]): Partial<PodSpec> => {
    const matchExpressions = [{ key: 'topology.kubernetes.io/zone', operator: 'In' as const, values }]
    const preferred = [{ weight: 50, preference: { matchExpressions } }]
    return { affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: preferred } } }
  }
  const toward = (sign: 'podAffinity' | 'podAntiAffinity'): Partial<PodSpec> => {
    const podAffinityTerm = {
      topologyKey: 'topology.kubernetes.io/zone',
      labelSelector: { matchLabels: { app: 'friend' } },
    }
    return {
      affinity: { [sign]: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, podAffinityTerm }] } },
    }
  }
  await story.apply(pod('likes-z2', like(['z2'])), pod('likes-friend', toward('podAffinity')))
  await story.apply(pod('shuns-friend', toward('podAntiAffinity')), pod('plain'))
  await story.settle()
  expect(homes(story)).toMatchObject({ 'likes-z2': 'b', 'likes-friend': 'c', 'shuns-friend': 'a' })
  expect(homes(story)['plain']).not.toBe('dedicated')
})

test('higher priority goes first when room is short; gated pods and those of other schedulers are left alone', async () => {
  await using story = await Story.start()
  await story.apply(
    { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'high' }, ...{ value: 1000 } },
    pod('low', { containers: podSpec({ cpu: '3' }).containers }),
    pod('high', { containers: podSpec({ cpu: '3' }).containers, priorityClassName: 'high' }),
    pod('gated', { schedulingGates: [{ name: 'example.com/wait' }] }),
    pod('foreign', { schedulerName: 'other' }),
  )
  await story.settle()
  await story.apply(node('a', { cpu: '4' }))
  await story.settle()
  expect(homes(story)).toEqual({ high: 'a', low: '-', gated: '-', foreign: '-' })
  await story.patch(kinds.Pod, 'gated', { spec: { schedulingGates: [] } })
  await story.settle()
  expect(homes(story)['gated']).toBe('a')
})

test('room that a pod is nominated for is kept for it, from pods of its rank and below, on that node only', async () => {
  const asking = (cpu: string, more: Partial<PodSpec> = {}): Partial<PodSpec> => ({
    containers: podSpec({ cpu }).containers,
    ...more,
  })
  await using story = await Story.start()
  await story.apply(
    { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'high' }, ...{ value: 1000 } },
    pod('large', asking('3')),
    pod('equal', asking('2')),
    pod('high', asking('2', { priorityClassName: 'high' })),
  )
  await story.settle()
  const nominate = (name: string, nominatedNodeName: string | null) =>
    story.client.patch(
      kinds.Pod,
      { namespace: 'default', name },
      { type: 'merge', body: { status: { nominatedNodeName } } },
      { subresource: 'status' },
    )
  await nominate('large', 'a')
  await story.apply(node('a', { cpu: '4' }))
  await story.settle()
  expect(homes(story)).toEqual({ large: '-', equal: '-', high: 'a' })
  await story.apply(node('b', { cpu: '2' }))
  await story.settle()
  expect(homes(story)).toEqual({ large: '-', equal: 'b', high: 'a' })
  await story.apply(pod('next', asking('2')))
  await story.settle()
  expect(homes(story)['next']).toBe('-')
  await nominate('large', null)
  await story.settle()
  expect(homes(story)).toMatchObject({ large: '-', next: 'a' })
})

test('affinity to pods of other namespaces goes by their labels', async () => {
  await using story = await cluster(
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', labels: { team: 'red' } } },
    zoned('a', 'z1'),
    zoned('b', 'z2'),
  )
  const database = pod('db', { nodeSelector: { 'topology.kubernetes.io/zone': 'z2' } }, { app: 'db' })
  await story.apply({ ...database, metadata: { ...database.metadata, namespace: 'shop' } })
  const near = (more: object): Partial<PodSpec> => ({
    affinity: {
      podAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { topologyKey: 'topology.kubernetes.io/zone', labelSelector: { matchLabels: { app: 'db' } }, ...more },
        ],
      },
    },
  })
  await story.apply(
    pod('own', near({})),
    pod('red', near({ namespaceSelector: { matchLabels: { team: 'red' } } })),
    pod('named', near({ namespaces: ['shop'] })),
  )
  await story.settle()
  expect(homes(story)).toEqual({ db: 'b', own: '-', red: 'b', named: 'b' })
  expect(reason(story, 'own')).toBe("0/2 nodes are available: 2 node(s) didn't match pod affinity rules.")
  await story.patch(kinds.Namespace, 'shop', { metadata: { labels: { team: 'blue' } } })
  await story.apply(pod('late', near({ namespaceSelector: { matchLabels: { team: 'red' } } })))
  await story.settle()
  expect(homes(story)['late']).toBe('-')
})

test('matchLabelKeys lets each revision spread by itself', async () => {
  await using story = await cluster(zoned('a', 'z1'), zoned('b', 'z2'))
  const spread = {
    maxSkew: 1,
    topologyKey: 'topology.kubernetes.io/zone',
    whenUnsatisfiable: 'DoNotSchedule' as const,
    labelSelector: { matchLabels: { app: 'web' } },
    matchLabelKeys: ['rev'],
  }
  const pinned = { nodeSelector: { 'topology.kubernetes.io/zone': 'z1' } }
  for (const name of ['old-1', 'old-2', 'old-3']) await story.apply(pod(name, pinned, { app: 'web', rev: '1' }))
  await story.settle()
  for (const name of ['new-1', 'new-2']) {
    await story.apply(pod(name, { topologySpreadConstraints: [spread] }, { app: 'web', rev: '2' }))
    await story.settle()
  }
  expect(new Set([homes(story)['new-1'], homes(story)['new-2']])).toEqual(new Set(['a', 'b']))
})

test('volumes: a bound one calls its pod to its zone, topologies and limits of the driver hold', async () => {
  await using story = await Story.start({ kubelet: { csiDrivers: [{ name: 'csi.example.com', limit: 2 }] } })
  const inZone = (...values: readonly string[]) => ({
    allowedTopologies: [{ matchLabelExpressions: [{ key: 'topology.kubernetes.io/zone', values }] }],
  })
  await story.apply(
    zoned('a', 'z1'),
    zoned('b', 'z2'),
    storageClass('now', { volumeBindingMode: 'Immediate', ...inZone('z2') }),
    storageClass('later', { volumeBindingMode: 'WaitForFirstConsumer', ...inZone('z1') }),
    storageClass('by-hand', { volumeBindingMode: 'WaitForFirstConsumer', provisioner: 'kubernetes.io/no-provisioner' }),
  )
  await story.settle()
  await story.apply(claim('now', 'now'), claim('manual', 'by-hand'))
  for (const name of ['one', 'two', 'three']) await story.apply(claim(name, 'later'))
  await story.settle()
  await story.apply(
    pod('immediate', mounting('now')),
    pod('waits', mounting('manual')),
    pod('first', mounting('one', 'two')),
    pod('lost', mounting('missing')),
  )
  await story.settle()
  await story.apply(pod('third', mounting('three')))
  await story.settle()
  await story.pass(11_000)
  expect(homes(story)).toEqual({ immediate: 'b', waits: '-', first: 'a', lost: '-', third: '-' })
  expect(reason(story, 'waits')).toBe(
    "0/2 nodes are available: 2 node(s) didn't find available persistent volumes to bind.",
  )
  expect(reason(story, 'lost')).toBe('0/2 nodes are available: persistentvolumeclaim "missing" not found.')
  expect(reason(story, 'third')).toBe(
    "0/2 nodes are available: 1 node(s) didn't find available persistent volumes to bind, 1 node(s) exceed max volume count.",
  )
  const required = {
    nodeSelectorTerms: [{ matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: ['b'] }] }],
  }
  await story.apply({
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: 'disk' },
    ...{
      spec: {
        storageClassName: 'by-hand',
        accessModes: ['ReadWriteOnce'],
        capacity: { storage: '10Gi' },
        local: { path: '/disk' },
        nodeAffinity: { required },
      },
    },
  })
  await story.apply(claim('data', 'later'))
  await story.client.delete(kinds.Pod, { namespace: 'default', name: 'first' })
  await story.settle()
  expect(homes(story)).toMatchObject({ waits: 'b', third: 'a' })
  expect(
    story
      .pods()
      .filter((one) => one.status?.phase === 'Running')
      .map((one) => one.metadata.name),
  ).toEqual(['immediate', 'third', 'waits'])
})

test('an ephemeral volume gets a claim of its own, which goes with the pod', async () => {
  await using story = await cluster(
    zoned('a', 'z1'),
    storageClass('later', { volumeBindingMode: 'WaitForFirstConsumer' }),
  )
  const volumeClaimTemplate = {
    spec: { storageClassName: 'later', accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  }
  await story.apply(pod('cache', { volumes: [{ name: 'tmp', ephemeral: { volumeClaimTemplate } }] }))
  await story.settle()
  expect(story.pods()[0]?.status?.phase).toBe('Running')
  expect(story.list(kinds.PersistentVolumeClaim).map((one) => one.metadata.name)).toEqual(['cache-tmp'])
  await story.client.delete(kinds.Pod, { namespace: 'default', name: 'cache' })
  await story.settle()
  expect(story.list(kinds.PersistentVolumeClaim)).toEqual([])
  expect(story.list(kinds.PersistentVolume)).toEqual([])
})
