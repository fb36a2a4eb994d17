import { kinds } from '@kerf/apis'
import { expect, test } from 'vitest'
import { deployment, node, VirtualCluster } from '../../testing/virtual-cluster.ts'

const minutes = (count: number): number => count * 60_000

test('a rolling update respects its limits, numbers its revisions and can be undone', async () => {
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

test('Recreate stops all pods before it starts the new template, and pausing delays a rollout', async () => {
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

test('a rollout without progress fails after its deadline', async () => {
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
