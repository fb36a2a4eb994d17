import {
  type CronJob,
  type DaemonSet,
  type Job,
  kinds,
  type Pod,
  type ResourceKind,
  type StatefulSet,
} from '@kerf/apis'
import { isTooManyRequests } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { deployment, node, podSpec, VirtualCluster } from '../testing/virtual-cluster.ts'

const minutes = (count: number): number => count * 60_000
const zone = (name: string) => ({ labels: { 'topology.kubernetes.io/zone': name } })

test('a deployment of ten runs on two nodes, and follows its scale', async () => {
  await using cluster = await VirtualCluster.start()
  await cluster.apply(node('a', { cpu: '4' }), node('b', { cpu: '4' }))
  await cluster.settle()
  await cluster.apply(deployment('web', 10, { cpu: '500m' }))
  await cluster.settle()
  expect(cluster.pods().map((pod) => pod.status?.phase)).toEqual(Array(10).fill('Running'))
  expect(cluster.perNode()).toEqual({ a: 5, b: 5 })
  const web = await cluster.get(kinds.Deployment, 'web')
  expect(web.status).toMatchObject({
    replicas: 10,
    updatedReplicas: 10,
    readyReplicas: 10,
    availableReplicas: 10,
    unavailableReplicas: 0,
    observedGeneration: web.metadata.generation,
  })
  expect(web.status?.conditions).toEqual([
    expect.objectContaining({ type: 'Available', status: 'True', reason: 'MinimumReplicasAvailable' }),
    expect.objectContaining({ type: 'Progressing', status: 'True', reason: 'NewReplicaSetAvailable' }),
  ])
  await cluster.scale('web', 3)
  await cluster.settle()
  expect(cluster.pods()).toHaveLength(3)
  await cluster.scale('web', 0)
  await cluster.settle()
  expect(cluster.pods()).toHaveLength(0)
})

test('pods that fit nowhere say why, and run when a node comes that takes them', async () => {
  await using cluster = await VirtualCluster.start()
  await cluster.apply(deployment('big', 1, { cpu: '6' }))
  await cluster.settle()
  const scheduled = (pod: Pod | undefined) => pod?.status?.conditions?.find((one) => one.type === 'PodScheduled')
  expect(scheduled(cluster.pods()[0])).toMatchObject({
    status: 'False',
    reason: 'Unschedulable',
    message: 'no nodes available to schedule pods',
  })
  await cluster.apply(
    node('small', { cpu: '2', pods: '0' }),
    node('tainted', { cpu: '8' }, { spec: { taints: [{ key: 'gpu', effect: 'NoSchedule' }] } }),
    node('cordoned', { cpu: '8' }, { spec: { unschedulable: true } }),
  )
  await cluster.pass(11_000)
  expect(scheduled(cluster.pods()[0])?.message).toBe(
    '0/3 nodes are available: 1 Insufficient cpu, 1 Too many pods, 1 node(s) had untolerated taint(s), 1 node(s) were unschedulable.',
  )
  const events = await cluster.client.list(kinds.Event, { namespace: 'default' })
  expect(events.items.map((event) => event.reason)).toContain('FailedScheduling')
  await cluster.apply(node('fits', { cpu: '8' }))
  await cluster.settle()
  expect(cluster.perNode()).toEqual({ fits: 1 })
})

test('a rolling update keeps its bounds, numbers its revisions and can be undone', async () => {
  await using cluster = await VirtualCluster.start()
  await cluster.apply(node('a', { cpu: '64', pods: '200' }))
  const rolling = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 2, maxUnavailable: 1 } } as const
  await cluster.apply(deployment('web', 6, { cpu: '100m' }, { spec: { strategy: rolling } }))
  await cluster.settle()
  const before = await cluster.get(kinds.Deployment, 'web')
  let [most, fewestReady] = [0, Number.POSITIVE_INFINITY]
  const stop = cluster.cluster.informers.of(kinds.Pod).onChange(() => {
    const active = cluster.pods().filter((pod) => pod.metadata.deletionTimestamp === undefined)
    const ready = active.filter((pod) => pod.status?.conditions?.some((c) => c.type === 'Ready' && c.status === 'True'))
    most = Math.max(most, active.length)
    fewestReady = Math.min(fewestReady, ready.length)
  })
  await cluster.patch(kinds.Deployment, 'web', { spec: { template: { metadata: { annotations: { version: '2' } } } } })
  await cluster.settle()
  stop()
  expect(most).toBe(8)
  expect(fewestReady).toBe(5)
  expect(cluster.pods().map((pod) => pod.metadata.annotations?.['version'])).toEqual(Array(6).fill('2'))
  const revision = async () =>
    (await cluster.get(kinds.Deployment, 'web')).metadata.annotations?.['deployment.kubernetes.io/revision']
  expect(await revision()).toBe('2')
  expect(
    cluster
      .list(kinds.ReplicaSet)
      .map((set) => set.spec.replicas)
      .sort(),
  ).toEqual([0, 6])
  await cluster.patch(kinds.Deployment, 'web', {
    spec: { template: { ...before.spec.template, metadata: { annotations: { version: null } } } },
  })
  await cluster.settle()
  expect(await revision()).toBe('3')
  expect(cluster.list(kinds.ReplicaSet)).toHaveLength(2)
})

test('recreate stops everything before it starts the new template; pausing holds a roll-out back', async () => {
  await using cluster = await VirtualCluster.start()
  await cluster.apply(node('a', { cpu: '64' }), deployment('db', 3, {}, { spec: { strategy: { type: 'Recreate' } } }))
  await cluster.settle()
  let most = 0
  const stop = cluster.cluster.informers.of(kinds.Pod).onChange(() => {
    most = Math.max(most, cluster.pods().length)
  })
  await cluster.patch(kinds.Deployment, 'db', { spec: { paused: true } })
  await cluster.patch(kinds.Deployment, 'db', { spec: { template: { metadata: { annotations: { v: '2' } } } } })
  await cluster.settle()
  expect(cluster.pods().map((pod) => pod.metadata.annotations?.['v'])).toEqual([undefined, undefined, undefined])
  await cluster.patch(kinds.Deployment, 'db', { spec: { paused: false } })
  await cluster.settle()
  stop()
  expect(most).toBe(3)
  expect(cluster.pods().map((pod) => pod.metadata.annotations?.['v'])).toEqual(['2', '2', '2'])
})

test('a roll-out that makes no headway is declared stuck after its deadline', async () => {
  await using cluster = await VirtualCluster.start()
  await cluster.apply(
    node('a', { cpu: '1' }),
    deployment('web', 2, { cpu: '600m' }, { spec: { progressDeadlineSeconds: 60 } }),
  )
  await cluster.pass(minutes(2))
  const { status } = await cluster.get(kinds.Deployment, 'web')
  expect(status?.conditions?.find((one) => one.type === 'Progressing')).toMatchObject({
    status: 'False',
    reason: 'ProgressDeadlineExceeded',
  })
})

test('evictions respect a budget, and a drained node ends empty', async () => {
  await using cluster = await VirtualCluster.start()
  await cluster.apply(node('a', { cpu: '8' }))
  await cluster.apply(deployment('web', 4, { cpu: '1' }))
  await cluster.apply({
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'web' },
    spec: { maxUnavailable: '25%', selector: { matchLabels: { app: 'web' } } },
  } as never)
  await cluster.settle()
  expect((await cluster.get(kinds.PodDisruptionBudget, 'web')).status).toMatchObject({
    expectedPods: 4,
    currentHealthy: 4,
    desiredHealthy: 3,
    disruptionsAllowed: 1,
    observedGeneration: 1,
  })
  await cluster.apply(node('b', { cpu: '8' }))
  await cluster.patch(kinds.Node, 'a', { spec: { unschedulable: true } })
  let refused = 0
  for (let round = 0; round < 20 && (cluster.perNode()['a'] ?? 0) > 0; round++) {
    for (const pod of cluster.pods().filter((one) => one.spec.nodeName === 'a')) {
      try {
        await cluster.client.evict({ namespace: 'default', name: pod.metadata.name ?? '' })
      } catch (error) {
        if (!isTooManyRequests(error)) throw error
        refused++
      }
    }
    await cluster.pass(5000)
    const healthy = (await cluster.get(kinds.PodDisruptionBudget, 'web')).status?.currentHealthy ?? 0
    expect(healthy).toBeGreaterThanOrEqual(3)
  }
  expect(refused).toBeGreaterThan(0)
  await cluster.settle()
  expect(cluster.perNode()).toEqual({ b: 4 })
})

test('a node that falls silent is tainted, its pods leave after their toleration, and come back to it healed', async () => {
  await using cluster = await VirtualCluster.start()
  await cluster.apply(node('a', { cpu: '4' }), node('b', { cpu: '4' }))
  await cluster.settle()
  await cluster.apply(deployment('web', 4, { cpu: '1' }))
  await cluster.settle()
  expect(cluster.perNode()).toEqual({ a: 2, b: 2 })
  cluster.cluster.kubelet?.setHealth('a', 'silent')
  await cluster.pass(30_000)
  const ready = async () =>
    (await cluster.get(kinds.Node, 'a')).status?.conditions?.find((one) => one.type === 'Ready')?.status
  expect(await ready()).toBe('True')
  await cluster.pass(15_000)
  expect(await ready()).toBe('Unknown')
  expect((await cluster.get(kinds.Node, 'a')).spec.taints).toEqual([
    expect.objectContaining({ key: 'node.kubernetes.io/unreachable', effect: 'NoSchedule' }),
    expect.objectContaining({ key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' }),
  ])
  expect(cluster.pods().filter((pod) => pod.metadata.deletionTimestamp !== undefined)).toEqual([])
  await cluster.pass(minutes(5))
  await cluster.settle()
  const living = cluster.pods().filter((pod) => pod.metadata.deletionTimestamp === undefined)
  expect(living.map((pod) => pod.spec.nodeName)).toEqual(['b', 'b', 'b', 'b'])
  cluster.cluster.kubelet?.setHealth('a', 'healthy')
  await cluster.settle()
  expect(await ready()).toBe('True')
  expect((await cluster.get(kinds.Node, 'a')).spec.taints ?? []).toEqual([])
  expect(cluster.pods()).toHaveLength(4)
})

test('the pods of a node that vanishes are replaced, and what belonged to it is collected', async () => {
  await using cluster = await VirtualCluster.start()
  await cluster.apply(node('a'), node('b'))
  await cluster.settle()
  await cluster.apply(deployment('web', 4, { cpu: '1' }))
  await cluster.settle()
  await cluster.client.delete(kinds.Node, { name: 'a' })
  await cluster.pass(minutes(1))
  await cluster.settle()
  expect(cluster.perNode()).toEqual({ b: 4 })
  expect(cluster.list(kinds.CSINode).map((one) => one.metadata.name)).toEqual(['b'])
  expect(cluster.list(kinds.Lease).map((one) => one.metadata.name)).toEqual(['b'])
})

test('pods stop within their grace period, and no sooner than they say', async () => {
  await using cluster = await VirtualCluster.start()
  const pod = (name: string, annotations: Readonly<Record<string, string>>, grace: number): Pod => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, annotations },
    spec: podSpec({}, { terminationGracePeriodSeconds: grace }),
  })
  await cluster.apply(node('a'), pod('quick', {}, 30), pod('slow', { 'sandbox.kerf.sh/stop-after': 'never' }, 30))
  await cluster.settle()
  for (const name of ['quick', 'slow']) await cluster.client.delete(kinds.Pod, { namespace: 'default', name })
  await cluster.pass(5_000)
  expect(cluster.pods().map((one) => one.metadata.name)).toEqual(['slow'])
  await cluster.pass(26_000)
  expect(cluster.pods()).toEqual([])
})

test('a stateful set comes up in order, each pod in the zone of its volume, and stays there', async () => {
  await using cluster = await VirtualCluster.start()
  const spread = {
    maxSkew: 1,
    topologyKey: 'topology.kubernetes.io/zone',
    whenUnsatisfiable: 'DoNotSchedule' as const,
    labelSelector: { matchLabels: { app: 'db' } },
  }
  const set: StatefulSet = {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'db' },
    spec: {
      replicas: 3,
      serviceName: 'db',
      selector: { matchLabels: { app: 'db' } },
      template: {
        metadata: { labels: { app: 'db' } },
        spec: podSpec({ cpu: '1' }, { topologySpreadConstraints: [spread] }),
      },
      volumeClaimTemplates: [
        {
          apiVersion: 'v1',
          kind: 'PersistentVolumeClaim',
          metadata: { name: 'data' },
          spec: {
            storageClassName: 'zonal',
            accessModes: ['ReadWriteOnce'],
            resources: { requests: { storage: '1Gi' } },
          },
        } as never,
      ],
    },
  }
  await cluster.apply(
    {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'zonal' },
      provisioner: 'ebs.csi.aws.com',
      volumeBindingMode: 'WaitForFirstConsumer',
      reclaimPolicy: 'Delete',
    } as never,
    node('a', {}, zone('z1')),
    node('b', {}, zone('z2')),
    node('c', {}, zone('z3')),
    set,
  )
  await cluster.pass(1_000)
  expect(cluster.pods().map((pod) => pod.metadata.name)).toEqual(['db-0'])
  await cluster.settle()
  expect((await cluster.get(kinds.StatefulSet, 'db')).status).toMatchObject({ replicas: 3, readyReplicas: 3 })
  const homes = new Map<string | undefined, string | undefined>(
    cluster.pods().map((pod) => [pod.metadata.name, pod.spec.nodeName]),
  )
  expect(new Set(homes.values())).toEqual(new Set(['a', 'b', 'c']))
  for (const volume of cluster.list(kinds.PersistentVolume)) {
    const [value] = volume.spec.nodeAffinity?.required?.nodeSelectorTerms[0]?.matchExpressions?.[0]?.values ?? []
    const [name] = (volume.spec.claimRef?.name ?? '').split('data-').slice(1)
    expect(value).toBe({ a: 'z1', b: 'z2', c: 'z3' }[homes.get(name) ?? 'a'])
  }
  expect(cluster.list(kinds.VolumeAttachment).map((one) => one.status?.attached)).toEqual([true, true, true])
  await cluster.client.delete(kinds.Pod, { namespace: 'default', name: 'db-1' })
  await cluster.settle()
  expect(new Map(cluster.pods().map((pod) => [pod.metadata.name, pod.spec.nodeName]))).toEqual(homes)
  await cluster.scale('db', 1, kinds.StatefulSet)
  await cluster.settle()
  expect(cluster.pods().map((pod) => pod.metadata.name)).toEqual(['db-0'])
  expect(cluster.list(kinds.VolumeAttachment)).toHaveLength(1)
  await cluster.client.delete(kinds.StatefulSet, { namespace: 'default', name: 'db' })
  await cluster.client.delete(kinds.PersistentVolumeClaim, { namespace: 'default', name: 'data-db-2' })
  await cluster.settle()
  expect(cluster.list(kinds.PersistentVolume)).toHaveLength(2)
})

test('a daemon set covers the nodes it tolerates, also cordoned ones, and rolls one node at a time', async () => {
  await using cluster = await VirtualCluster.start()
  const set: DaemonSet = {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'agent' },
    spec: {
      selector: { matchLabels: { app: 'agent' } },
      template: {
        metadata: { labels: { app: 'agent' } },
        spec: podSpec({ cpu: '100m' }, { tolerations: [{ key: 'pool', operator: 'Equal', value: 'gpu' }] }),
      },
    },
  }
  await cluster.apply(
    node('plain'),
    node('cordoned', {}, { spec: { unschedulable: true } }),
    node('gpu', {}, { spec: { taints: [{ key: 'pool', value: 'gpu', effect: 'NoSchedule' }] } }),
    node('strange', {}, { spec: { taints: [{ key: 'other', effect: 'NoSchedule' }] } }),
    set,
  )
  await cluster.settle()
  expect(cluster.perNode()).toEqual({ plain: 1, cordoned: 1, gpu: 1 })
  expect((await cluster.get(kinds.DaemonSet, 'agent')).status).toMatchObject({
    desiredNumberScheduled: 3,
    currentNumberScheduled: 3,
    numberReady: 3,
    numberAvailable: 3,
    updatedNumberScheduled: 3,
    numberMisscheduled: 0,
  })
  await cluster.patch(kinds.DaemonSet, 'agent', { spec: { template: { metadata: { labels: { v: '2' } } } } })
  await cluster.settle()
  expect(cluster.pods().map((pod) => pod.metadata.labels?.['v'])).toEqual(['2', '2', '2'])
  await cluster.client.delete(kinds.Node, { name: 'plain' })
  await cluster.apply(node('late'))
  await cluster.pass(minutes(1))
  await cluster.settle()
  expect(cluster.perNode()).toEqual({ late: 1, cordoned: 1, gpu: 1 })
})

test('anti-affinity by hostname puts one pod on a node and leaves the rest waiting', async () => {
  await using cluster = await VirtualCluster.start()
  const affinity = {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'web' } } },
      ],
    },
  }
  await cluster.apply(node('a'), node('b'), node('c'), deployment('web', 4, { cpu: '100m' }, { pod: { affinity } }))
  await cluster.settle()
  expect(cluster.perNode()).toEqual({ a: 1, b: 1, c: 1, '(none)': 1 })
  await cluster.pass(11_000)
  const waiting = cluster.pods().find((pod) => !pod.spec.nodeName)
  expect(waiting?.status?.conditions?.find((one) => one.type === 'PodScheduled')?.message).toBe(
    "0/3 nodes are available: 3 node(s) didn't match pod anti-affinity rules.",
  )
})

test('spread keeps zones level, and waits for one that is short of room', async () => {
  await using cluster = await VirtualCluster.start()
  const constraint = {
    maxSkew: 1,
    topologyKey: 'topology.kubernetes.io/zone',
    whenUnsatisfiable: 'DoNotSchedule' as const,
    labelSelector: { matchLabels: { app: 'web' } },
  }
  await cluster.apply(
    node('a', { cpu: '8' }, zone('z1')),
    node('b', { cpu: '8' }, zone('z2')),
    node('c', { cpu: '2' }, zone('z3')),
    deployment('web', 12, { cpu: '1' }, { pod: { topologySpreadConstraints: [constraint] } }),
  )
  await cluster.settle()
  expect(cluster.perNode()).toEqual({ a: 3, b: 3, c: 2, '(none)': 4 })
  await cluster.apply(node('d', { cpu: '8' }, zone('z3')))
  await cluster.settle()
  expect(cluster.perNode()).toEqual({ a: 4, b: 4, c: 2, d: 2 })
})

test('a job counts its completions, retries what fails, and is removed after its time', async () => {
  await using cluster = await VirtualCluster.start()
  const job = (name: string, spec: Partial<Job['spec']>, annotations: Readonly<Record<string, string>> = {}): Job => ({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name },
    spec: { template: { metadata: { annotations }, spec: podSpec({}, { restartPolicy: 'Never' }) }, ...spec },
  })
  await cluster.apply(
    node('a'),
    job('six', { completions: 6, parallelism: 2, ttlSecondsAfterFinished: 600 }),
    job('bad', { backoffLimit: 2 }, { 'sandbox.kerf.sh/exit-code': '1' }),
    job('slow', { activeDeadlineSeconds: 5 }, { 'sandbox.kerf.sh/run-for': '1h' }),
  )
  await cluster.pass(minutes(5))
  expect((await cluster.get(kinds.Job, 'six')).status).toMatchObject({ succeeded: 6, active: 0 })
  expect((await cluster.get(kinds.Job, 'six')).status?.conditions?.map((one) => one.type)).toContain('Complete')
  expect((await cluster.get(kinds.Job, 'bad')).status).toMatchObject({
    failed: 3,
    conditions: [expect.objectContaining({ type: 'Failed', reason: 'BackoffLimitExceeded' })],
  })
  expect((await cluster.get(kinds.Job, 'slow')).status?.conditions).toEqual([
    expect.objectContaining({ type: 'Failed', reason: 'DeadlineExceeded' }),
  ])
  await cluster.pass(minutes(10))
  expect(cluster.list(kinds.Job).map((one) => one.metadata.name)).toEqual(['bad', 'slow'])
})

test('a cron job of a virtual day runs when its time zone says so', async () => {
  await using cluster = await VirtualCluster.start()
  const cronJob: CronJob = {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'report' },
    spec: {
      schedule: '0 */2 * * *',
      timeZone: 'Asia/Kolkata',
      jobTemplate: { spec: { template: { spec: podSpec({}, { restartPolicy: 'Never' }) } } },
    },
  }
  const times: string[] = []
  cluster.cluster.informers.of(kinds.Job).onChange(({ before, after }) => {
    if (before === undefined && after !== undefined) times.push(after.metadata.creationTimestamp?.slice(11, 16) ?? '')
  })
  await cluster.apply(node('a'), cronJob)
  await cluster.pass(minutes(24 * 60))
  expect(times).toEqual(Array.from({ length: 12 }, (_, hour) => `${String(hour * 2).padStart(2, '0')}:30`))
  expect(cluster.list(kinds.Job)).toHaveLength(3)
  expect((await cluster.get(kinds.CronJob, 'report')).status).toMatchObject({
    lastScheduleTime: '2026-01-01T22:30:00Z',
  })
})

test('deleting a deployment takes what it owns along; orphaning leaves it; foreground waits for it', async () => {
  await using cluster = await VirtualCluster.start()
  await cluster.apply(node('a'), deployment('gone', 2, {}), deployment('kept', 2, {}), deployment('last', 2, {}))
  await cluster.settle()
  const remove = async (name: string, propagationPolicy: 'Background' | 'Orphan' | 'Foreground') =>
    await cluster.client.delete(kinds.Deployment, { namespace: 'default', name }, { propagationPolicy })
  await remove('gone', 'Background')
  await remove('kept', 'Orphan')
  await remove('last', 'Foreground')
  expect((await cluster.get(kinds.Deployment, 'last')).metadata.deletionTimestamp).toBeDefined()
  await cluster.settle()
  expect(cluster.list(kinds.Deployment)).toEqual([])
  expect(cluster.list(kinds.ReplicaSet).map((set) => set.metadata.labels?.['app'])).toEqual(['kept'])
  expect(cluster.list(kinds.ReplicaSet)[0]?.metadata.ownerReferences ?? []).toEqual([])
  expect(cluster.pods().map((pod) => pod.metadata.labels?.['app'])).toEqual(['kept', 'kept'])
})

test('custom resources own things, too, also those defined after the start', async () => {
  await using cluster = await VirtualCluster.start()
  const schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
  await cluster.apply({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    ...{
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
      },
    },
  })
  await cluster.settle()
  const widgets: ResourceKind = {
    group: 'example.com',
    version: 'v1',
    kind: 'Widget',
    plural: 'widgets',
    namespaced: true,
  }
  const namespace = 'default'
  const parent = await cluster.client.create(widgets, {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name: 'parent', namespace },
  })
  const owner = { apiVersion: 'example.com/v1', kind: 'Widget', name: 'parent', uid: parent.metadata.uid ?? '' }
  const child = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'child', ownerReferences: [owner] } }
  const stranger = { ...owner, uid: '00000000-0000-0000-0000-000000000000' }
  await cluster.apply(child, { ...child, metadata: { name: 'foundling', ownerReferences: [stranger] } })
  await cluster.pass(1000)
  const names = async () =>
    (await cluster.client.list(kinds.ConfigMap, { namespace })).items.map((object) => object.metadata.name)
  expect(await names()).toEqual(['child'])
  await cluster.client.delete(widgets, { namespace, name: 'parent' }, { propagationPolicy: 'Foreground' })
  await cluster.pass(1000)
  expect(await names()).toEqual([])
  expect((await cluster.client.list(widgets, { namespace })).items).toEqual([])
})

test('a namespace that is deleted takes its contents along', async () => {
  await using cluster = await VirtualCluster.start()
  await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } }, node('a'))
  await cluster.settle()
  expect(cluster.list(kinds.ServiceAccount).map((one) => one.metadata.namespace)).toContain('shop')
  const web = deployment('web', 2, {})
  await cluster.apply({ ...web, metadata: { ...web.metadata, namespace: 'shop' } })
  await cluster.settle()
  await cluster.client.delete(kinds.Namespace, { name: 'shop' })
  await cluster.settle()
  expect(cluster.list(kinds.Namespace).map((one) => one.metadata.name)).not.toContain('shop')
  expect(cluster.pods()).toEqual([])
})

test('the same seed gives the same course, another seed another one', async () => {
  const course = async (seed: number): Promise<string[]> => {
    await using cluster = await VirtualCluster.start({ seed })
    const log: string[] = []
    const kind = [kinds.Pod, kinds.Node, kinds.ReplicaSet, kinds.PodDisruptionBudget] as const
    for (const one of kind) {
      cluster.cluster.informers.of<Pod>(one as never).onChange(({ before, after }) => {
        const object = after ?? before
        log.push(`${cluster.clock.now()} ${JSON.stringify(object)}`)
      })
    }
    await cluster.apply(node('a'), node('b'), deployment('web', 8, { cpu: '500m' }))
    await cluster.settle()
    cluster.cluster.kubelet?.setHealth('a', 'silent')
    await cluster.scale('web', 5)
    await cluster.pass(minutes(10))
    return log
  }
  const first = await course(7)
  expect(await course(7)).toEqual(first)
  expect(await course(8)).not.toEqual(first)
})
