import { kinds, type Pod } from '@kerf/apis'
import { isTooManyRequests } from '@kerf/runtime'
import { pod as buildPod } from '@kerf/testing'
import { expect, test } from 'vitest'
import { deployment, node, podSpec, VirtualCluster } from '../testing/virtual-cluster.ts'

const minutes = (count: number): number => count * 60_000
const zone = (name: string) => ({ labels: { 'topology.kubernetes.io/zone': name } })

test('a deployment of ten pods runs on two nodes and follows its scale', async () => {
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

test('unschedulable pods report the reason, and run when a suitable node is added', async () => {
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

test('evictions respect a budget, and draining empties a node', async () => {
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
        await cluster.client.evict({ namespace: 'default', name: pod.metadata.name })
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

test('a silent node is tainted, its pods leave after their toleration, and return after it recovers', async () => {
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

test('the pods of a deleted node are replaced, and its dependents are garbage-collected', async () => {
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

test('pods stop within their grace period, and not before their stop delay', async () => {
  await using cluster = await VirtualCluster.start()
  const pod = (name: string, annotations: Readonly<Record<string, string>>, grace: number): Pod =>
    buildPod(name, { annotations, spec: podSpec({}, { terminationGracePeriodSeconds: grace }) })
  await cluster.apply(node('a'), pod('quick', {}, 30), pod('slow', { 'sandbox.kerf.sh/stop-after': 'never' }, 30))
  await cluster.settle()
  for (const name of ['quick', 'slow']) await cluster.client.delete(kinds.Pod, { namespace: 'default', name })
  await cluster.pass(5_000)
  expect(cluster.pods().map((one) => one.metadata.name)).toEqual(['slow'])
  await cluster.pass(26_000)
  expect(cluster.pods()).toEqual([])
})

test('anti-affinity by hostname puts one pod on each node, and the other pods wait', async () => {
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

test('a spread constraint keeps zones balanced, and pods wait if a zone is full', async () => {
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

test('the same seed gives the same run, and another seed gives a different one', async () => {
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
