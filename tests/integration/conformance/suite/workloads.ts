import {
  type DaemonSet,
  type Deployment,
  type Job,
  kinds,
  type Node,
  type Pod,
  type PodDisruptionBudget,
  type PodSpec,
  type StatefulSet,
} from '@kerf/apis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ConformanceTarget, eventually, ownNamespace, uniqueName } from '../target.ts'

const spec = (cpu: string, more: Partial<PodSpec> = {}): PodSpec => ({
  containers: [{ name: 'main', image: 'example.com/app:1', resources: { requests: { cpu } } }],
  terminationGracePeriodSeconds: 0,
  ...more,
})

/** Defines tests of a cluster's controllers and scheduler. The suite sets what kubelets would set. */
export const workloads = (target: ConformanceTarget): void => {
  describe('workloads and the scheduler', () => {
    const namespace = ownNamespace(target)
    const nodes = ['big', 'tainted', 'cordoned'].map(uniqueName)
    const [big = '', tainted = '', cordoned = ''] = nodes

    const register = async (name: string, cpu: string, more: Partial<Node['spec']> = {}): Promise<void> => {
      const client = target.client()
      const labels = { 'kubernetes.io/hostname': name }
      await client.create(kinds.Node, { apiVersion: 'v1', kind: 'Node', metadata: { name, labels }, spec: more })
      const lastHeartbeatTime = (await client.get(kinds.Node, { name })).metadata.creationTimestamp
      const resources = { cpu, memory: '16Gi', pods: '110' }
      const ready = { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'ready', lastHeartbeatTime }
      const status = { capacity: resources, allocatable: resources, conditions: [ready] }
      await client.patch(kinds.Node, { name }, { type: 'strategic', body: { status } }, { subresource: 'status' })
    }

    const pods = async (app: string): Promise<readonly Pod[]> =>
      (await target.client().list(kinds.Pod, { namespace, labelSelector: `app=${app}` })).items

    const markReady = async (pod: Pod): Promise<void> => {
      const condition = { type: 'Ready', status: 'True', lastTransitionTime: pod.metadata.creationTimestamp }
      const body = { status: { phase: 'Running', conditions: [condition] } }
      const ref = { namespace, name: pod.metadata.name ?? '' }
      await target.client().patch(kinds.Pod, ref, { type: 'strategic', body }, { subresource: 'status' })
    }

    const deployment = (name: string, replicas: number, pod: PodSpec): Deployment => ({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { namespace, name },
      spec: {
        replicas,
        selector: { matchLabels: { app: name } },
        template: { metadata: { labels: { app: name } }, spec: pod },
      },
    })

    beforeAll(async () => {
      for (const { metadata } of (await target.client().list(kinds.Node)).items) {
        await target.client().delete(kinds.Node, { name: metadata.name ?? '' })
      }
      await register(big, '4')
      await register(tainted, '8', { taints: [{ key: 'gpu', effect: 'NoSchedule' }] })
      await register(cordoned, '8', { unschedulable: true })
      await eventually(target, async () => {
        const { spec } = await target.client().get(kinds.Node, { name: big })
        expect(spec.taints ?? []).toEqual([])
      })
    })

    afterAll(async () => {
      for (const name of nodes) await target.client().delete(kinds.Node, { name })
    })

    test('the scheduler sets the reason on an unschedulable pod', async () => {
      await target.client().create(kinds.Deployment, deployment('huge', 1, spec('6')))
      await eventually(target, async () => {
        const [pod] = await pods('huge')
        const condition = pod?.status?.conditions?.find((one) => one.type === 'PodScheduled')
        expect(condition).toMatchObject({ status: 'False', reason: 'Unschedulable' })
        // Only the first sentence is compared, because the other ones are about preemption.
        expect(
          condition?.message
            ?.split('. ')[0]
            ?.replace(/\.$/, '')
            .replace(/, no new claims to deallocate.*/, ''),
        ).toBe(
          '0/3 nodes are available: 1 Insufficient cpu, 1 node(s) had untolerated taint(s), 1 node(s) were unschedulable',
        )
      })
    })

    test('a deployment creates a ReplicaSet named by the hash of its template, and counts its pods', async () => {
      await target.client().create(kinds.Deployment, deployment('web', 3, spec('100m')))
      await eventually(target, async () => {
        const placed = await pods('web')
        expect(placed.map((pod) => pod.spec.nodeName)).toEqual([big, big, big])
      })
      const [set] = (await target.client().list(kinds.ReplicaSet, { namespace, labelSelector: 'app=web' })).items
      const hash = set?.metadata.labels?.['pod-template-hash']
      expect(set?.metadata.name).toBe(`web-${hash}`)
      expect(set?.spec.selector.matchLabels).toEqual({ app: 'web', 'pod-template-hash': hash })
      expect(set?.metadata.annotations).toMatchObject({
        'deployment.kubernetes.io/revision': '1',
        'deployment.kubernetes.io/desired-replicas': '3',
        'deployment.kubernetes.io/max-replicas': '4',
      })
      const [first, second, third] = await pods('web')
      expect(first?.metadata.ownerReferences).toEqual([
        expect.objectContaining({
          kind: 'ReplicaSet',
          uid: set?.metadata.uid,
          controller: true,
          blockOwnerDeletion: true,
        }),
      ])
      if (first === undefined || second === undefined || third === undefined) return expect.fail('three pods')
      await markReady(first)
      await markReady(second)
      const read = () => target.client().get(kinds.Deployment, { namespace, name: 'web' })
      await eventually(target, async () => {
        expect((await read()).status).toMatchObject({
          observedGeneration: 1,
          replicas: 3,
          updatedReplicas: 3,
          readyReplicas: 2,
          availableReplicas: 2,
          unavailableReplicas: 1,
          conditions: expect.arrayContaining([
            expect.objectContaining({ type: 'Available', status: 'False', reason: 'MinimumReplicasUnavailable' }),
            expect.objectContaining({ type: 'Progressing', status: 'True', reason: 'ReplicaSetUpdated' }),
          ]),
        })
      })
      await markReady(third)
      await eventually(target, async () => {
        expect((await read()).status?.conditions).toEqual(
          expect.arrayContaining([
            expect.objectContaining({ type: 'Available', status: 'True', reason: 'MinimumReplicasAvailable' }),
            expect.objectContaining({ type: 'Progressing', status: 'True', reason: 'NewReplicaSetAvailable' }),
          ]),
        )
      })
    })

    test('a disruption budget counts the pods of that deployment', async () => {
      const budget: PodDisruptionBudget = {
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: { namespace, name: 'web' },
        spec: { maxUnavailable: '50%', selector: { matchLabels: { app: 'web' } } },
      }
      await target.client().create(kinds.PodDisruptionBudget, budget)
      await eventually(target, async () => {
        const { status } = await target.client().get(kinds.PodDisruptionBudget, { namespace, name: 'web' })
        expect(status).toMatchObject({
          expectedPods: 3,
          currentHealthy: 3,
          desiredHealthy: 1,
          disruptionsAllowed: 2,
          observedGeneration: 1,
          conditions: [
            expect.objectContaining({ type: 'DisruptionAllowed', status: 'True', reason: 'SufficientPods' }),
          ],
        })
      })
    })

    test('a new template starts a second ReplicaSet within the surge limit', async () => {
      const body = { spec: { template: { metadata: { annotations: { version: '2' } } } } }
      await target.client().patch(kinds.Deployment, { namespace, name: 'web' }, { type: 'merge', body })
      await eventually(target, async () => {
        const { items } = await target.client().list(kinds.ReplicaSet, { namespace, labelSelector: 'app=web' })
        const sizes = items.map((set) => [
          set.metadata.annotations?.['deployment.kubernetes.io/revision'],
          set.spec.replicas,
        ])
        // With 25 % of three pods, at most one pod more may exist (rounded up), and none fewer (rounded down).
        expect(sizes.sort()).toEqual([
          ['1', 3],
          ['2', 1],
        ])
      })
    })

    test('a stateful set starts its first pod and waits until it is ready', async () => {
      const set: StatefulSet = {
        apiVersion: 'apps/v1',
        kind: 'StatefulSet',
        metadata: { namespace, name: 'db' },
        spec: {
          replicas: 2,
          serviceName: 'db',
          selector: { matchLabels: { app: 'db' } },
          template: { metadata: { labels: { app: 'db' } }, spec: spec('100m') },
        },
      }
      await target.client().create(kinds.StatefulSet, set)
      await eventually(target, async () => {
        expect((await pods('db')).map((pod) => [pod.metadata.name, pod.spec.nodeName])).toEqual([['db-0', big]])
      })
      const [first] = await pods('db')
      expect(first?.metadata.labels).toMatchObject({
        'apps.kubernetes.io/pod-index': '0',
        'statefulset.kubernetes.io/pod-name': 'db-0',
      })
      if (first !== undefined) await markReady(first)
      await eventually(target, async () => {
        expect((await pods('db')).map((pod) => pod.metadata.name)).toEqual(['db-0', 'db-1'])
      })
    })

    test('a daemon set runs its pod on a cordoned node but not on a tainted one, and adds the tolerations of daemons', async () => {
      const set: DaemonSet = {
        apiVersion: 'apps/v1',
        kind: 'DaemonSet',
        metadata: { namespace, name: 'agent' },
        spec: {
          selector: { matchLabels: { app: 'agent' } },
          template: { metadata: { labels: { app: 'agent' } }, spec: spec('100m') },
        },
      }
      await target.client().create(kinds.DaemonSet, set)
      await eventually(target, async () => {
        expect((await pods('agent')).map((pod) => pod.spec.nodeName).sort()).toEqual([big, cordoned].sort())
      })
      const [pod] = await pods('agent')
      expect(pod?.spec.tolerations?.map(({ key, effect }) => `${key?.split('/')[1]}:${effect}`).sort()).toEqual([
        'disk-pressure:NoSchedule',
        'memory-pressure:NoSchedule',
        'not-ready:NoExecute',
        'pid-pressure:NoSchedule',
        'unreachable:NoExecute',
        'unschedulable:NoSchedule',
      ])
      await eventually(target, async () => {
        const { status } = await target.client().get(kinds.DaemonSet, { namespace, name: 'agent' })
        expect(status).toMatchObject({
          desiredNumberScheduled: 2,
          currentNumberScheduled: 2,
          updatedNumberScheduled: 2,
          numberMisscheduled: 0,
          numberReady: 0,
          numberUnavailable: 2,
        })
      })
    })

    test('a job counts successful pods and completes', async () => {
      const job: Job = {
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: { namespace, name: 'once' },
        spec: {
          completions: 2,
          parallelism: 1,
          template: { metadata: { labels: { app: 'once' } }, spec: spec('100m', { restartPolicy: 'Never' }) },
        },
      }
      await target.client().create(kinds.Job, job)
      for (const finished of [0, 1]) {
        await eventually(target, async () => expect(await pods('once')).toHaveLength(finished + 1))
        const running = (await pods('once')).find((pod) => pod.status?.phase !== 'Succeeded')
        expect(running?.metadata.finalizers).toEqual(['batch.kubernetes.io/job-tracking'])
        const ref = { namespace, name: running?.metadata.name ?? '' }
        const body = { status: { phase: 'Succeeded' } }
        await target.client().patch(kinds.Pod, ref, { type: 'merge', body }, { subresource: 'status' })
      }
      await eventually(target, async () => {
        const { status } = await target.client().get(kinds.Job, { namespace, name: 'once' })
        expect(status).toMatchObject({ succeeded: 2 })
        expect(status?.conditions?.map((one) => [one.type, one.status])).toEqual([
          ['SuccessCriteriaMet', 'True'],
          ['Complete', 'True'],
        ])
      })
      expect((await pods('once')).flatMap((pod) => pod.metadata.finalizers ?? [])).toEqual([])
    })

    test('a node with a problem is tainted until the problem ends', async () => {
      const report = async (ready: 'True' | 'False', pressure: 'True' | 'False'): Promise<void> => {
        const conditions = [
          { type: 'Ready', status: ready },
          { type: 'MemoryPressure', status: pressure },
        ]
        const body = { status: { conditions } }
        await target
          .client()
          .patch(kinds.Node, { name: tainted }, { type: 'strategic', body }, { subresource: 'status' })
      }
      const taints = async (): Promise<string[]> => {
        const node = await target.client().get(kinds.Node, { name: tainted })
        return (node.spec.taints ?? []).map(({ key, effect }) => `${key}:${effect}`).sort()
      }
      await report('True', 'True')
      await eventually(target, async () => {
        expect(await taints()).toEqual(['gpu:NoSchedule', 'node.kubernetes.io/memory-pressure:NoSchedule'])
      })
      await report('True', 'False')
      await eventually(target, async () => expect(await taints()).toEqual(['gpu:NoSchedule']))
    })

    test('dependents of a deleted deployment are garbage collected', async () => {
      const ref = { namespace, name: 'web' }
      await target.client().delete(kinds.Deployment, ref, { propagationPolicy: 'Background' })
      await eventually(target, async () => {
        expect(await pods('web')).toEqual([])
        const { items } = await target.client().list(kinds.ReplicaSet, { namespace, labelSelector: 'app=web' })
        expect(items).toEqual([])
      })
    })
  })
}
