import { type KubeObject, kinds, type Node, type Pod, type PodSpec } from '@kerf/apis'
import { pod as buildPod } from '@kerf/testing'
import { expect, test } from 'vitest'
import { node, podSpec, VirtualCluster } from '../testing/virtual-cluster.ts'

const pod = (name: string, spec: Partial<PodSpec> = {}, labels: Readonly<Record<string, string>> = {}): Pod =>
  buildPod(name, { labels, spec: podSpec({ cpu: '100m' }, spec) })

const zoned = (name: string, zone: string, cpu = '4'): Node =>
  node(name, { cpu }, { labels: { 'topology.kubernetes.io/zone': zone } })

const homes = (cluster: VirtualCluster): Record<string, string> =>
  Object.fromEntries(cluster.pods().map((one) => [one.metadata.name, one.spec.nodeName ?? '-']))

const reason = (cluster: VirtualCluster, name: string): string | undefined =>
  cluster
    .pods()
    .find((one) => one.metadata.name === name)
    ?.status?.conditions?.find((one) => one.type === 'PodScheduled')?.message

const startCluster = async (...objects: readonly KubeObject[]): Promise<VirtualCluster> => {
  const cluster = await VirtualCluster.start()
  await cluster.apply(...objects)
  await cluster.settle()
  return cluster
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

test('preferences decide among feasible nodes', async () => {
  await using cluster = await startCluster(zoned('a', 'z1'), zoned('b', 'z2'), zoned('c', 'z3'))
  await cluster.apply(
    node('dedicated', { cpu: '64' }, { spec: { taints: [{ key: 'old', effect: 'PreferNoSchedule' }] } }),
    pod('friend', { nodeSelector: { 'topology.kubernetes.io/zone': 'z3' } }, { app: 'friend' }),
  )
  await cluster.settle()
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
  await cluster.apply(pod('likes-z2', like(['z2'])), pod('likes-friend', toward('podAffinity')))
  await cluster.apply(pod('shuns-friend', toward('podAntiAffinity')), pod('plain'))
  await cluster.settle()
  expect(homes(cluster)).toMatchObject({ 'likes-z2': 'b', 'likes-friend': 'c', 'shuns-friend': 'a' })
  expect(homes(cluster)['plain']).not.toBe('dedicated')
})

test('higher priority goes first if capacity is short, and gated pods and those of other schedulers are ignored', async () => {
  await using cluster = await VirtualCluster.start()
  await cluster.apply(
    { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'high' }, ...{ value: 1000 } },
    pod('low', { containers: podSpec({ cpu: '3' }).containers }),
    pod('high', { containers: podSpec({ cpu: '3' }).containers, priorityClassName: 'high' }),
    pod('gated', { schedulingGates: [{ name: 'example.com/wait' }] }),
    pod('foreign', { schedulerName: 'other' }),
  )
  await cluster.settle()
  await cluster.apply(node('a', { cpu: '4' }))
  await cluster.settle()
  expect(homes(cluster)).toEqual({ high: 'a', low: '-', gated: '-', foreign: '-' })
  await cluster.patch(kinds.Pod, 'gated', { spec: { schedulingGates: [] } })
  await cluster.settle()
  expect(homes(cluster)['gated']).toBe('a')
})

test('resources are reserved for a nominated pod against pods of equal or lower priority, on its nominated node only', async () => {
  const asking = (cpu: string, more: Partial<PodSpec> = {}): Partial<PodSpec> => ({
    containers: podSpec({ cpu }).containers,
    ...more,
  })
  await using cluster = await VirtualCluster.start()
  await cluster.apply(
    { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'high' }, ...{ value: 1000 } },
    pod('large', asking('3')),
    pod('equal', asking('2')),
    pod('high', asking('2', { priorityClassName: 'high' })),
  )
  await cluster.settle()
  const nominate = (name: string, nominatedNodeName: string | null) =>
    cluster.client.patch(
      kinds.Pod,
      { namespace: 'default', name },
      { type: 'merge', body: { status: { nominatedNodeName } } },
      { subresource: 'status' },
    )
  await nominate('large', 'a')
  await cluster.apply(node('a', { cpu: '4' }))
  await cluster.settle()
  expect(homes(cluster)).toEqual({ large: '-', equal: '-', high: 'a' })
  await cluster.apply(node('b', { cpu: '2' }))
  await cluster.settle()
  expect(homes(cluster)).toEqual({ large: '-', equal: 'b', high: 'a' })
  await cluster.apply(pod('next', asking('2')))
  await cluster.settle()
  expect(homes(cluster)['next']).toBe('-')
  await nominate('large', null)
  await cluster.settle()
  expect(homes(cluster)).toMatchObject({ large: '-', next: 'a' })
})

test('affinity to pods of other namespaces uses the labels of the namespaces', async () => {
  await using cluster = await startCluster(
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', labels: { team: 'red' } } },
    zoned('a', 'z1'),
    zoned('b', 'z2'),
  )
  const database = pod('db', { nodeSelector: { 'topology.kubernetes.io/zone': 'z2' } }, { app: 'db' })
  await cluster.apply({ ...database, metadata: { ...database.metadata, namespace: 'shop' } })
  const near = (more: object): Partial<PodSpec> => ({
    affinity: {
      podAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { topologyKey: 'topology.kubernetes.io/zone', labelSelector: { matchLabels: { app: 'db' } }, ...more },
        ],
      },
    },
  })
  await cluster.apply(
    pod('own', near({})),
    pod('red', near({ namespaceSelector: { matchLabels: { team: 'red' } } })),
    pod('named', near({ namespaces: ['shop'] })),
  )
  await cluster.settle()
  expect(homes(cluster)).toEqual({ db: 'b', own: '-', red: 'b', named: 'b' })
  expect(reason(cluster, 'own')).toBe("0/2 nodes are available: 2 node(s) didn't match pod affinity rules.")
  await cluster.patch(kinds.Namespace, 'shop', { metadata: { labels: { team: 'blue' } } })
  await cluster.apply(pod('late', near({ namespaceSelector: { matchLabels: { team: 'red' } } })))
  await cluster.settle()
  expect(homes(cluster)['late']).toBe('-')
})

test('matchLabelKeys spreads each revision separately', async () => {
  await using cluster = await startCluster(zoned('a', 'z1'), zoned('b', 'z2'))
  const spread = {
    maxSkew: 1,
    topologyKey: 'topology.kubernetes.io/zone',
    whenUnsatisfiable: 'DoNotSchedule' as const,
    labelSelector: { matchLabels: { app: 'web' } },
    matchLabelKeys: ['rev'],
  }
  const pinned = { nodeSelector: { 'topology.kubernetes.io/zone': 'z1' } }
  for (const name of ['old-1', 'old-2', 'old-3']) await cluster.apply(pod(name, pinned, { app: 'web', rev: '1' }))
  await cluster.settle()
  for (const name of ['new-1', 'new-2']) {
    await cluster.apply(pod(name, { topologySpreadConstraints: [spread] }, { app: 'web', rev: '2' }))
    await cluster.settle()
  }
  expect(new Set([homes(cluster)['new-1'], homes(cluster)['new-2']])).toEqual(new Set(['a', 'b']))
})

test('volumes: a bound volume restricts its pod to the zone, and topologies and driver limits apply', async () => {
  await using cluster = await VirtualCluster.start({ kubelet: { csiDrivers: [{ name: 'csi.example.com', limit: 2 }] } })
  const inZone = (...values: readonly string[]) => ({
    allowedTopologies: [{ matchLabelExpressions: [{ key: 'topology.kubernetes.io/zone', values }] }],
  })
  await cluster.apply(
    zoned('a', 'z1'),
    zoned('b', 'z2'),
    storageClass('now', { volumeBindingMode: 'Immediate', ...inZone('z2') }),
    storageClass('later', { volumeBindingMode: 'WaitForFirstConsumer', ...inZone('z1') }),
    storageClass('by-hand', { volumeBindingMode: 'WaitForFirstConsumer', provisioner: 'kubernetes.io/no-provisioner' }),
  )
  await cluster.settle()
  await cluster.apply(claim('now', 'now'), claim('manual', 'by-hand'))
  for (const name of ['one', 'two', 'three']) await cluster.apply(claim(name, 'later'))
  await cluster.settle()
  await cluster.apply(
    pod('immediate', mounting('now')),
    pod('waits', mounting('manual')),
    pod('first', mounting('one', 'two')),
    pod('lost', mounting('missing')),
  )
  await cluster.settle()
  await cluster.apply(pod('third', mounting('three')))
  await cluster.settle()
  await cluster.pass(11_000)
  expect(homes(cluster)).toEqual({ immediate: 'b', waits: '-', first: 'a', lost: '-', third: '-' })
  expect(reason(cluster, 'waits')).toBe(
    "0/2 nodes are available: 2 node(s) didn't find available persistent volumes to bind.",
  )
  expect(reason(cluster, 'lost')).toBe('0/2 nodes are available: persistentvolumeclaim "missing" not found.')
  expect(reason(cluster, 'third')).toBe(
    "0/2 nodes are available: 1 node(s) didn't find available persistent volumes to bind, 1 node(s) exceed max volume count.",
  )
  const required = {
    nodeSelectorTerms: [{ matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: ['b'] }] }],
  }
  await cluster.apply({
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
  await cluster.apply(claim('data', 'later'))
  await cluster.client.delete(kinds.Pod, { namespace: 'default', name: 'first' })
  await cluster.settle()
  expect(homes(cluster)).toMatchObject({ waits: 'b', third: 'a' })
  expect(
    cluster
      .pods()
      .filter((one) => one.status?.phase === 'Running')
      .map((one) => one.metadata.name),
  ).toEqual(['immediate', 'third', 'waits'])
})

test('an ephemeral volume gets its own claim, which is deleted with the pod', async () => {
  await using cluster = await startCluster(
    zoned('a', 'z1'),
    storageClass('later', { volumeBindingMode: 'WaitForFirstConsumer' }),
  )
  const volumeClaimTemplate = {
    spec: { storageClassName: 'later', accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  }
  await cluster.apply(pod('cache', { volumes: [{ name: 'tmp', ephemeral: { volumeClaimTemplate } }] }))
  await cluster.settle()
  expect(cluster.pods()[0]?.status?.phase).toBe('Running')
  expect(cluster.list(kinds.PersistentVolumeClaim).map((one) => one.metadata.name)).toEqual(['cache-tmp'])
  await cluster.client.delete(kinds.Pod, { namespace: 'default', name: 'cache' })
  await cluster.settle()
  expect(cluster.list(kinds.PersistentVolumeClaim)).toEqual([])
  expect(cluster.list(kinds.PersistentVolume)).toEqual([])
})
