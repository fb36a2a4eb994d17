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
import { deployment, node, podSpec, Story } from './story.ts'

const minutes = (count: number): number => count * 60_000
const zone = (name: string) => ({ labels: { 'topology.kubernetes.io/zone': name } })

test('a deployment of ten runs on two nodes, and follows its scale', async () => {
  await using story = await Story.start()
  await story.apply(node('a', { cpu: '4' }), node('b', { cpu: '4' }))
  await story.settle()
  await story.apply(deployment('web', 10, { cpu: '500m' }))
  await story.settle()
  expect(story.pods().map((pod) => pod.status?.phase)).toEqual(Array(10).fill('Running'))
  expect(story.perNode()).toEqual({ a: 5, b: 5 })
  const web = await story.get(kinds.Deployment, 'web')
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
  await story.scale('web', 3)
  await story.settle()
  expect(story.pods()).toHaveLength(3)
  await story.scale('web', 0)
  await story.settle()
  expect(story.pods()).toHaveLength(0)
})

test('pods that fit nowhere say why, and run when a node comes that takes them', async () => {
  await using story = await Story.start()
  await story.apply(deployment('big', 1, { cpu: '6' }))
  await story.settle()
  const scheduled = (pod: Pod | undefined) => pod?.status?.conditions?.find((one) => one.type === 'PodScheduled')
  expect(scheduled(story.pods()[0])).toMatchObject({
    status: 'False',
    reason: 'Unschedulable',
    message: 'no nodes available to schedule pods',
  })
  await story.apply(
    node('small', { cpu: '2', pods: '0' }),
    node('tainted', { cpu: '8' }, { spec: { taints: [{ key: 'gpu', effect: 'NoSchedule' }] } }),
    node('cordoned', { cpu: '8' }, { spec: { unschedulable: true } }),
  )
  await story.pass(11_000)
  expect(scheduled(story.pods()[0])?.message).toBe(
    '0/3 nodes are available: 1 Insufficient cpu, 1 Too many pods, 1 node(s) had untolerated taint(s), 1 node(s) were unschedulable.',
  )
  const events = await story.client.list(kinds.Event, { namespace: 'default' })
  expect(events.items.map((event) => event.reason)).toContain('FailedScheduling')
  await story.apply(node('fits', { cpu: '8' }))
  await story.settle()
  expect(story.perNode()).toEqual({ fits: 1 })
})

test('a rolling update keeps its bounds, numbers its revisions and can be undone', async () => {
  await using story = await Story.start()
  await story.apply(node('a', { cpu: '64', pods: '200' }))
  const rolling = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 2, maxUnavailable: 1 } } as const
  await story.apply(deployment('web', 6, { cpu: '100m' }, { spec: { strategy: rolling } }))
  await story.settle()
  const before = await story.get(kinds.Deployment, 'web')
  let [most, fewestReady] = [0, Number.POSITIVE_INFINITY]
  const stop = story.cluster.informers.of(kinds.Pod).onChange(() => {
    const active = story.pods().filter((pod) => pod.metadata.deletionTimestamp === undefined)
    const ready = active.filter((pod) => pod.status?.conditions?.some((c) => c.type === 'Ready' && c.status === 'True'))
    most = Math.max(most, active.length)
    fewestReady = Math.min(fewestReady, ready.length)
  })
  await story.patch(kinds.Deployment, 'web', { spec: { template: { metadata: { annotations: { version: '2' } } } } })
  await story.settle()
  stop()
  expect(most).toBe(8)
  expect(fewestReady).toBe(5)
  expect(story.pods().map((pod) => pod.metadata.annotations?.['version'])).toEqual(Array(6).fill('2'))
  const revision = async () =>
    (await story.get(kinds.Deployment, 'web')).metadata.annotations?.['deployment.kubernetes.io/revision']
  expect(await revision()).toBe('2')
  expect(
    story
      .list(kinds.ReplicaSet)
      .map((set) => set.spec.replicas)
      .sort(),
  ).toEqual([0, 6])
  await story.patch(kinds.Deployment, 'web', {
    spec: { template: { ...before.spec.template, metadata: { annotations: { version: null } } } },
  })
  await story.settle()
  expect(await revision()).toBe('3')
  expect(story.list(kinds.ReplicaSet)).toHaveLength(2)
})

test('recreate stops everything before it starts the new template; pausing holds a roll-out back', async () => {
  await using story = await Story.start()
  await story.apply(node('a', { cpu: '64' }), deployment('db', 3, {}, { spec: { strategy: { type: 'Recreate' } } }))
  await story.settle()
  let most = 0
  const stop = story.cluster.informers.of(kinds.Pod).onChange(() => {
    most = Math.max(most, story.pods().length)
  })
  await story.patch(kinds.Deployment, 'db', { spec: { paused: true } })
  await story.patch(kinds.Deployment, 'db', { spec: { template: { metadata: { annotations: { v: '2' } } } } })
  await story.settle()
  expect(story.pods().map((pod) => pod.metadata.annotations?.['v'])).toEqual([undefined, undefined, undefined])
  await story.patch(kinds.Deployment, 'db', { spec: { paused: false } })
  await story.settle()
  stop()
  expect(most).toBe(3)
  expect(story.pods().map((pod) => pod.metadata.annotations?.['v'])).toEqual(['2', '2', '2'])
})

test('a roll-out that makes no headway is declared stuck after its deadline', async () => {
  await using story = await Story.start()
  await story.apply(
    node('a', { cpu: '1' }),
    deployment('web', 2, { cpu: '600m' }, { spec: { progressDeadlineSeconds: 60 } }),
  )
  await story.pass(minutes(2))
  const { status } = await story.get(kinds.Deployment, 'web')
  expect(status?.conditions?.find((one) => one.type === 'Progressing')).toMatchObject({
    status: 'False',
    reason: 'ProgressDeadlineExceeded',
  })
})

test('evictions respect a budget, and a drained node ends empty', async () => {
  await using story = await Story.start()
  await story.apply(node('a', { cpu: '8' }))
  await story.apply(deployment('web', 4, { cpu: '1' }))
  await story.apply({
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'web' },
    spec: { maxUnavailable: '25%', selector: { matchLabels: { app: 'web' } } },
  } as never)
  await story.settle()
  expect((await story.get(kinds.PodDisruptionBudget, 'web')).status).toMatchObject({
    expectedPods: 4,
    currentHealthy: 4,
    desiredHealthy: 3,
    disruptionsAllowed: 1,
    observedGeneration: 1,
  })
  await story.apply(node('b', { cpu: '8' }))
  await story.patch(kinds.Node, 'a', { spec: { unschedulable: true } })
  let refused = 0
  for (let round = 0; round < 20 && (story.perNode()['a'] ?? 0) > 0; round++) {
    for (const pod of story.pods().filter((one) => one.spec.nodeName === 'a')) {
      try {
        await story.client.evict({ namespace: 'default', name: pod.metadata.name ?? '' })
      } catch (error) {
        if (!isTooManyRequests(error)) throw error
        refused++
      }
    }
    await story.pass(5000)
    const healthy = (await story.get(kinds.PodDisruptionBudget, 'web')).status?.currentHealthy ?? 0
    expect(healthy).toBeGreaterThanOrEqual(3)
  }
  expect(refused).toBeGreaterThan(0)
  await story.settle()
  expect(story.perNode()).toEqual({ b: 4 })
})

test('a node that falls silent is tainted, its pods leave after their toleration, and come back to it healed', async () => {
  await using story = await Story.start()
  await story.apply(node('a', { cpu: '4' }), node('b', { cpu: '4' }))
  await story.settle()
  await story.apply(deployment('web', 4, { cpu: '1' }))
  await story.settle()
  expect(story.perNode()).toEqual({ a: 2, b: 2 })
  story.cluster.kubelet?.setHealth('a', 'silent')
  await story.pass(30_000)
  const ready = async () =>
    (await story.get(kinds.Node, 'a')).status?.conditions?.find((one) => one.type === 'Ready')?.status
  expect(await ready()).toBe('True')
  await story.pass(15_000)
  expect(await ready()).toBe('Unknown')
  expect((await story.get(kinds.Node, 'a')).spec.taints).toEqual([
    expect.objectContaining({ key: 'node.kubernetes.io/unreachable', effect: 'NoSchedule' }),
    expect.objectContaining({ key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' }),
  ])
  expect(story.pods().filter((pod) => pod.metadata.deletionTimestamp !== undefined)).toEqual([])
  await story.pass(minutes(5))
  await story.settle()
  const living = story.pods().filter((pod) => pod.metadata.deletionTimestamp === undefined)
  expect(living.map((pod) => pod.spec.nodeName)).toEqual(['b', 'b', 'b', 'b'])
  story.cluster.kubelet?.setHealth('a', 'healthy')
  await story.settle()
  expect(await ready()).toBe('True')
  expect((await story.get(kinds.Node, 'a')).spec.taints ?? []).toEqual([])
  expect(story.pods()).toHaveLength(4)
})

test('the pods of a node that vanishes are replaced, and what belonged to it is collected', async () => {
  await using story = await Story.start()
  await story.apply(node('a'), node('b'))
  await story.settle()
  await story.apply(deployment('web', 4, { cpu: '1' }))
  await story.settle()
  await story.client.delete(kinds.Node, { name: 'a' })
  await story.pass(minutes(1))
  await story.settle()
  expect(story.perNode()).toEqual({ b: 4 })
  expect(story.list(kinds.CSINode).map((one) => one.metadata.name)).toEqual(['b'])
  expect(story.list(kinds.Lease).map((one) => one.metadata.name)).toEqual(['b'])
})

test('pods stop within their grace period, and no sooner than they say', async () => {
  await using story = await Story.start()
  const pod = (name: string, annotations: Readonly<Record<string, string>>, grace: number): Pod => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, annotations },
    spec: podSpec({}, { terminationGracePeriodSeconds: grace }),
  })
  await story.apply(node('a'), pod('quick', {}, 30), pod('slow', { 'sandbox.kerf.sh/stop-after': 'never' }, 30))
  await story.settle()
  for (const name of ['quick', 'slow']) await story.client.delete(kinds.Pod, { namespace: 'default', name })
  await story.pass(5_000)
  expect(story.pods().map((one) => one.metadata.name)).toEqual(['slow'])
  await story.pass(26_000)
  expect(story.pods()).toEqual([])
})

test('a stateful set comes up in order, each pod in the zone of its volume, and stays there', async () => {
  await using story = await Story.start()
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
  await story.apply(
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
  await story.pass(1_000)
  expect(story.pods().map((pod) => pod.metadata.name)).toEqual(['db-0'])
  await story.settle()
  expect((await story.get(kinds.StatefulSet, 'db')).status).toMatchObject({ replicas: 3, readyReplicas: 3 })
  const homes = new Map<string | undefined, string | undefined>(
    story.pods().map((pod) => [pod.metadata.name, pod.spec.nodeName]),
  )
  expect(new Set(homes.values())).toEqual(new Set(['a', 'b', 'c']))
  for (const volume of story.list(kinds.PersistentVolume)) {
    const [value] = volume.spec.nodeAffinity?.required?.nodeSelectorTerms[0]?.matchExpressions?.[0]?.values ?? []
    const [name] = (volume.spec.claimRef?.name ?? '').split('data-').slice(1)
    expect(value).toBe({ a: 'z1', b: 'z2', c: 'z3' }[homes.get(name) ?? 'a'])
  }
  expect(story.list(kinds.VolumeAttachment).map((one) => one.status?.attached)).toEqual([true, true, true])
  await story.client.delete(kinds.Pod, { namespace: 'default', name: 'db-1' })
  await story.settle()
  expect(new Map(story.pods().map((pod) => [pod.metadata.name, pod.spec.nodeName]))).toEqual(homes)
  await story.scale('db', 1, kinds.StatefulSet)
  await story.settle()
  expect(story.pods().map((pod) => pod.metadata.name)).toEqual(['db-0'])
  expect(story.list(kinds.VolumeAttachment)).toHaveLength(1)
  await story.client.delete(kinds.StatefulSet, { namespace: 'default', name: 'db' })
  await story.client.delete(kinds.PersistentVolumeClaim, { namespace: 'default', name: 'data-db-2' })
  await story.settle()
  expect(story.list(kinds.PersistentVolume)).toHaveLength(2)
})

test('a daemon set covers the nodes it tolerates, also cordoned ones, and rolls one node at a time', async () => {
  await using story = await Story.start()
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
  await story.apply(
    node('plain'),
    node('cordoned', {}, { spec: { unschedulable: true } }),
    node('gpu', {}, { spec: { taints: [{ key: 'pool', value: 'gpu', effect: 'NoSchedule' }] } }),
    node('strange', {}, { spec: { taints: [{ key: 'other', effect: 'NoSchedule' }] } }),
    set,
  )
  await story.settle()
  expect(story.perNode()).toEqual({ plain: 1, cordoned: 1, gpu: 1 })
  expect((await story.get(kinds.DaemonSet, 'agent')).status).toMatchObject({
    desiredNumberScheduled: 3,
    currentNumberScheduled: 3,
    numberReady: 3,
    numberAvailable: 3,
    updatedNumberScheduled: 3,
    numberMisscheduled: 0,
  })
  await story.patch(kinds.DaemonSet, 'agent', { spec: { template: { metadata: { labels: { v: '2' } } } } })
  await story.settle()
  expect(story.pods().map((pod) => pod.metadata.labels?.['v'])).toEqual(['2', '2', '2'])
  await story.client.delete(kinds.Node, { name: 'plain' })
  await story.apply(node('late'))
  await story.pass(minutes(1))
  await story.settle()
  expect(story.perNode()).toEqual({ late: 1, cordoned: 1, gpu: 1 })
})

test('anti-affinity by hostname puts one pod on a node and leaves the rest waiting', async () => {
  await using story = await Story.start()
  const affinity = {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'web' } } },
      ],
    },
  }
  await story.apply(node('a'), node('b'), node('c'), deployment('web', 4, { cpu: '100m' }, { pod: { affinity } }))
  await story.settle()
  expect(story.perNode()).toEqual({ a: 1, b: 1, c: 1, '(none)': 1 })
  await story.pass(11_000)
  const waiting = story.pods().find((pod) => !pod.spec.nodeName)
  expect(waiting?.status?.conditions?.find((one) => one.type === 'PodScheduled')?.message).toBe(
    "0/3 nodes are available: 3 node(s) didn't match pod anti-affinity rules.",
  )
})

test('spread keeps zones level, and waits for one that is short of room', async () => {
  await using story = await Story.start()
  const constraint = {
    maxSkew: 1,
    topologyKey: 'topology.kubernetes.io/zone',
    whenUnsatisfiable: 'DoNotSchedule' as const,
    labelSelector: { matchLabels: { app: 'web' } },
  }
  await story.apply(
    node('a', { cpu: '8' }, zone('z1')),
    node('b', { cpu: '8' }, zone('z2')),
    node('c', { cpu: '2' }, zone('z3')),
    deployment('web', 12, { cpu: '1' }, { pod: { topologySpreadConstraints: [constraint] } }),
  )
  await story.settle()
  expect(story.perNode()).toEqual({ a: 3, b: 3, c: 2, '(none)': 4 })
  await story.apply(node('d', { cpu: '8' }, zone('z3')))
  await story.settle()
  expect(story.perNode()).toEqual({ a: 4, b: 4, c: 2, d: 2 })
})

test('a job counts its completions, retries what fails, and is removed after its time', async () => {
  await using story = await Story.start()
  const job = (name: string, spec: Partial<Job['spec']>, annotations: Readonly<Record<string, string>> = {}): Job => ({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name },
    spec: { template: { metadata: { annotations }, spec: podSpec({}, { restartPolicy: 'Never' }) }, ...spec },
  })
  await story.apply(
    node('a'),
    job('six', { completions: 6, parallelism: 2, ttlSecondsAfterFinished: 600 }),
    job('bad', { backoffLimit: 2 }, { 'sandbox.kerf.sh/exit-code': '1' }),
    job('slow', { activeDeadlineSeconds: 5 }, { 'sandbox.kerf.sh/run-for': '1h' }),
  )
  await story.pass(minutes(5))
  expect((await story.get(kinds.Job, 'six')).status).toMatchObject({ succeeded: 6, active: 0 })
  expect((await story.get(kinds.Job, 'six')).status?.conditions?.map((one) => one.type)).toContain('Complete')
  expect((await story.get(kinds.Job, 'bad')).status).toMatchObject({
    failed: 3,
    conditions: [expect.objectContaining({ type: 'Failed', reason: 'BackoffLimitExceeded' })],
  })
  expect((await story.get(kinds.Job, 'slow')).status?.conditions).toEqual([
    expect.objectContaining({ type: 'Failed', reason: 'DeadlineExceeded' }),
  ])
  await story.pass(minutes(10))
  expect(story.list(kinds.Job).map((one) => one.metadata.name)).toEqual(['bad', 'slow'])
})

test('a cron job of a virtual day runs when its time zone says so', async () => {
  await using story = await Story.start()
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
  story.cluster.informers.of(kinds.Job).onChange(({ before, after }) => {
    if (before === undefined && after !== undefined) times.push(after.metadata.creationTimestamp?.slice(11, 16) ?? '')
  })
  await story.apply(node('a'), cronJob)
  await story.pass(minutes(24 * 60))
  expect(times).toEqual(Array.from({ length: 12 }, (_, hour) => `${String(hour * 2).padStart(2, '0')}:30`))
  expect(story.list(kinds.Job)).toHaveLength(3)
  expect((await story.get(kinds.CronJob, 'report')).status).toMatchObject({ lastScheduleTime: '2026-01-01T22:30:00Z' })
})

test('deleting a deployment takes what it owns along; orphaning leaves it; foreground waits for it', async () => {
  await using story = await Story.start()
  await story.apply(node('a'), deployment('gone', 2, {}), deployment('kept', 2, {}), deployment('last', 2, {}))
  await story.settle()
  const remove = async (name: string, propagationPolicy: 'Background' | 'Orphan' | 'Foreground') =>
    await story.client.delete(kinds.Deployment, { namespace: 'default', name }, { propagationPolicy })
  await remove('gone', 'Background')
  await remove('kept', 'Orphan')
  await remove('last', 'Foreground')
  expect((await story.get(kinds.Deployment, 'last')).metadata.deletionTimestamp).toBeDefined()
  await story.settle()
  expect(story.list(kinds.Deployment)).toEqual([])
  expect(story.list(kinds.ReplicaSet).map((set) => set.metadata.labels?.['app'])).toEqual(['kept'])
  expect(story.list(kinds.ReplicaSet)[0]?.metadata.ownerReferences ?? []).toEqual([])
  expect(story.pods().map((pod) => pod.metadata.labels?.['app'])).toEqual(['kept', 'kept'])
})

test('custom resources own things, too, also those defined after the start', async () => {
  await using story = await Story.start()
  const schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
  await story.apply({
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
  await story.settle()
  const widgets: ResourceKind = {
    group: 'example.com',
    version: 'v1',
    kind: 'Widget',
    plural: 'widgets',
    namespaced: true,
  }
  const namespace = 'default'
  const parent = await story.client.create(widgets, {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name: 'parent', namespace },
  })
  const owner = { apiVersion: 'example.com/v1', kind: 'Widget', name: 'parent', uid: parent.metadata.uid ?? '' }
  const child = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'child', ownerReferences: [owner] } }
  const stranger = { ...owner, uid: '00000000-0000-0000-0000-000000000000' }
  await story.apply(child, { ...child, metadata: { name: 'foundling', ownerReferences: [stranger] } })
  await story.pass(1000)
  const names = async () =>
    (await story.client.list(kinds.ConfigMap, { namespace })).items.map((object) => object.metadata.name)
  expect(await names()).toEqual(['child'])
  await story.client.delete(widgets, { namespace, name: 'parent' }, { propagationPolicy: 'Foreground' })
  await story.pass(1000)
  expect(await names()).toEqual([])
  expect((await story.client.list(widgets, { namespace })).items).toEqual([])
})

test('a namespace that is deleted takes its contents along', async () => {
  await using story = await Story.start()
  await story.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } }, node('a'))
  await story.settle()
  expect(story.list(kinds.ServiceAccount).map((one) => one.metadata.namespace)).toContain('shop')
  const web = deployment('web', 2, {})
  await story.apply({ ...web, metadata: { ...web.metadata, namespace: 'shop' } })
  await story.settle()
  await story.client.delete(kinds.Namespace, { name: 'shop' })
  await story.settle()
  expect(story.list(kinds.Namespace).map((one) => one.metadata.name)).not.toContain('shop')
  expect(story.pods()).toEqual([])
})

test('the same seed gives the same course, another seed another one', async () => {
  const course = async (seed: number): Promise<string[]> => {
    await using story = await Story.start({ seed })
    const log: string[] = []
    const kind = [kinds.Pod, kinds.Node, kinds.ReplicaSet, kinds.PodDisruptionBudget] as const
    for (const one of kind) {
      story.cluster.informers.of<Pod>(one as never).onChange(({ before, after }) => {
        const object = after ?? before
        log.push(`${story.clock.now()} ${JSON.stringify(object)}`)
      })
    }
    await story.apply(node('a'), node('b'), deployment('web', 8, { cpu: '500m' }))
    await story.settle()
    story.cluster.kubelet?.setHealth('a', 'silent')
    await story.scale('web', 5)
    await story.pass(minutes(10))
    return log
  }
  const first = await course(7)
  expect(await course(7)).toEqual(first)
  expect(await course(8)).not.toEqual(first)
})
