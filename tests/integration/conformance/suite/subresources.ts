import { kinds, type Pod } from '@kerf/apis'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  type ConformanceTarget,
  eventually,
  farAway,
  makeReady,
  node,
  ownNamespace,
  pod,
  refusal,
  refused,
  targetMinor,
} from '../target.ts'
import { deployment } from './objects.ts'

/** Defines tests of status, scale, binding and eviction. */
export const subresources = (target: ConformanceTarget): void => {
  describe('subresources', () => {
    const namespace = ownNamespace(target)
    const ref = (name: string) => ({ namespace, name })

    describe('status', () => {
      test('is written separately from the rest of the object', async () => {
        const { client } = target
        const name = `${namespace}-status`
        // The update contains no resourceVersion, because controllers may change a new node at the same time.
        const created = await client().create(kinds.Node, { ...node(name), status: { capacity: { cpu: '1' } } })
        const viaMain = await client().update(kinds.Node, {
          ...created,
          metadata: { name, labels: { a: 'b' } },
          status: { capacity: { cpu: '9' } },
        })
        expect(viaMain.metadata.labels?.['a']).toBe('b')
        expect(viaMain.status?.capacity).toEqual({ cpu: '1' })
        const viaStatus = await client().update(
          kinds.Node,
          {
            ...viaMain,
            metadata: { name },
            spec: { ...viaMain.spec, unschedulable: true },
            status: { ...viaMain.status, capacity: { cpu: '2' } },
          },
          { subresource: 'status' },
        )
        expect(viaStatus.status?.capacity).toEqual({ cpu: '2' })
        expect(viaStatus.spec.unschedulable).toBeUndefined()
        await client().delete(kinds.Node, { name })
      })

      test('of a new pod is set by the server', async () => {
        const created = await target
          .client()
          .create(kinds.Pod, { ...pod(namespace, 'fresh'), status: { phase: 'Running' } })
        expect(created.status).toMatchObject({ phase: 'Pending', qosClass: 'BestEffort' })
      })
    })

    describe('scale', () => {
      const path = (name: string) => `/apis/apps/v1/namespaces/${namespace}/deployments/${name}/scale`
      test('shows and sets the replicas', async () => {
        const { client } = target
        await client().create(kinds.Deployment, {
          ...deployment(namespace, 'scaled'),
          spec: { ...deployment(namespace, 'scaled').spec, paused: true },
        })
        expect(await client().raw(path('scaled'))).toMatchObject({
          apiVersion: 'autoscaling/v1',
          kind: 'Scale',
          metadata: { name: 'scaled', namespace },
          spec: {},
          status: { replicas: 0, selector: 'app=scaled' },
        })
        await client().patch(
          kinds.Deployment,
          ref('scaled'),
          { type: 'merge', body: { spec: { replicas: 3 } } },
          { subresource: 'scale' },
        )
        const scaled = await client().get(kinds.Deployment, ref('scaled'))
        expect(scaled.spec.replicas).toBe(3)
        expect(scaled.metadata.generation).toBe(2)
        await client().delete(kinds.Deployment, ref('scaled'))
      })

      test('refuses negative numbers', async () => {
        const { client } = target
        await client().create(kinds.Deployment, deployment(namespace, 'negative'))
        const answer = await refusal(
          client().patch(
            kinds.Deployment,
            ref('negative'),
            { type: 'merge', body: { spec: { replicas: -1 } } },
            { subresource: 'scale' },
          ),
        )
        expect(answer).toEqual(refused(422, 'Invalid'))
        expect(answer.fields).toEqual(['spec.replicas'])
        await client().delete(kinds.Deployment, ref('negative'))
      })
    })

    describe('binding', () => {
      test('binds a pod to a node, only once', async () => {
        const { client } = target
        const node = farAway(namespace, 'loose')
        await client().create(kinds.Pod, pod(namespace, 'loose', { schedulerName: 'nobody' }))
        await client().bind(ref('loose'), node)
        const bound = await client().get(kinds.Pod, ref('loose'))
        expect(bound.spec.nodeName).toBe(node)
        expect(bound.status?.conditions).toEqual([expect.objectContaining({ type: 'PodScheduled', status: 'True' })])
        const again = await refusal(client().bind(ref('loose'), 'node-b'))
        expect(again).toEqual(refused(409, 'Conflict'))
        expect(again.message).toContain(`pod loose is already assigned to node "${node}"`)
      })

      test('requires that the pod exists', async () => {
        expect(await refusal(target.client().bind(ref('nobody'), 'node-a'))).toEqual(refused(404, 'NotFound'))
      })

      test('refuses pods with scheduling gates', async () => {
        const { client } = target
        await client().create(kinds.Pod, pod(namespace, 'gated', { schedulingGates: [{ name: 'example.com/wait' }] }))
        const gated = await client().get(kinds.Pod, ref('gated'))
        expect(gated.status?.conditions).toEqual([
          expect.objectContaining({ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }),
        ])
        expect(await refusal(client().bind(ref('gated'), 'node-a'))).toEqual(refused(409, 'Conflict'))
      })

      test('by an update is forbidden', async () => {
        const { client } = target
        const created = await client().create(kinds.Pod, pod(namespace, 'stubborn'))
        const answer = await refusal(
          client().update(kinds.Pod, {
            ...created,
            metadata: ref('stubborn'),
            spec: { ...created.spec, nodeName: 'node-a' },
          }),
        )
        expect(answer).toEqual(refused(422, 'Invalid'))
        expect(answer.message).toContain('pod updates may not change fields other than')
      })
    })

    describe('eviction', () => {
      const evictable = async (name: string, labels: Readonly<Record<string, string>>): Promise<Pod> => {
        const created = await target
          .client()
          .create(kinds.Pod, pod(namespace, name, { nodeName: farAway(namespace, name) }, { labels }))
        await makeReady(target.client(), created)
        return created
      }
      const budget = (name: string, app: string, spec: object) =>
        target.client().create(kinds.PodDisruptionBudget, {
          apiVersion: 'policy/v1',
          kind: 'PodDisruptionBudget',
          metadata: { namespace, name },
          spec: { selector: { matchLabels: { app } }, ...spec },
        })
      const allowed = (name: string, count: number) =>
        eventually(target, async () => {
          const { status, metadata } = await target.client().get(kinds.PodDisruptionBudget, ref(name))
          expect(status).toMatchObject({ disruptionsAllowed: count, observedGeneration: metadata.generation })
          return status
        })
      const deletionOf = async (name: string) =>
        (await target.client().get(kinds.Pod, ref(name))).metadata.deletionTimestamp

      test('deletes gracefully if no budget prevents it', async () => {
        await evictable('evicted', { app: 'none' })
        await target.client().evict(ref('evicted'))
        const evicted = await target.client().get(kinds.Pod, ref('evicted'))
        expect(evicted.metadata.deletionGracePeriodSeconds).toBe(30)
        expect(evicted.status?.conditions).toEqual(
          expect.arrayContaining([
            expect.objectContaining({ type: 'DisruptionTarget', status: 'True', reason: 'EvictionByEvictionAPI' }),
          ]),
        )
        expect(await refusal(target.client().evict(ref('nobody')))).toEqual(refused(404, 'NotFound'))
      })

      test('uses up the budget, and is then refused with 429', async () => {
        for (const name of ['pdb-1', 'pdb-2', 'pdb-3']) await evictable(name, { app: 'guarded' })
        await budget('guard', 'guarded', { minAvailable: 2 })
        expect(await allowed('guard', 1)).toMatchObject({ currentHealthy: 3, desiredHealthy: 2, expectedPods: 3 })
        await target.client().evict(ref('pdb-1'))
        expect(await deletionOf('pdb-1')).toBeTruthy()
        const answer = await refusal(target.client().evict(ref('pdb-2')))
        expect(answer).toMatchObject({ code: 429, reason: 'TooManyRequests' })
        expect(answer.message).toBe("Cannot evict pod as it would violate the pod's disruption budget.")
        expect(await deletionOf('pdb-2')).toBeUndefined()
        await eventually(target, async () => expect(await allowed('guard', 0)).toMatchObject({ currentHealthy: 2 }))
      })

      test('names the budget in its refusal', async () => {
        await evictable('sole', { app: 'sole' })
        await budget('keep-sole', 'sole', { maxUnavailable: 0 })
        await allowed('keep-sole', 0)
        const failed = await target
          .client()
          .evict(ref('sole'))
          .catch((error: unknown) => error)
        expect(failed).toMatchObject({
          code: 429,
          details: {
            causes: [
              {
                reason: 'DisruptionBudget',
                message:
                  targetMinor(target) < 35
                    ? 'The disruption budget keep-sole needs 0 healthy pods and has 1 currently'
                    : 'The disruption budget keep-sole does not allow evicting pods currently',
              },
            ],
          },
        })
      })

      test('computes percentages of the desired replicas, rounded up', async () => {
        const { client } = target
        await client().create(kinds.Deployment, deployment(namespace, 'percent', 3))
        await eventually(target, async () => {
          const { items } = await client().list(kinds.Pod, { namespace, labelSelector: 'app=percent' })
          expect(items).toHaveLength(3)
          for (const each of items) await makeReady(client(), each)
        })
        await budget('percent', 'percent', { minAvailable: '50%' })
        expect(await allowed('percent', 1)).toMatchObject({ desiredHealthy: 2, expectedPods: 3, currentHealthy: 3 })
        await client().delete(kinds.Deployment, ref('percent'))
      })

      test('permits the eviction of pods that never ran', async () => {
        await budget('strict', 'unready', { maxUnavailable: 0 })
        await target
          .client()
          .create(
            kinds.Pod,
            pod(namespace, 'never-ran', { nodeName: farAway(namespace, 'never-ran') }, { labels: { app: 'unready' } }),
          )
        await allowed('strict', 0)
        await target.client().evict(ref('never-ran'))
        expect(await deletionOf('never-ran')).toBeTruthy()
      })

      test('of an unready pod requires enough healthy pods, unless the budget always allows it', async () => {
        const { client } = target
        const created = await client().create(
          kinds.Pod,
          pod(namespace, 'sick', { nodeName: farAway(namespace, 'sick') }, { labels: { app: 'sick' } }),
        )
        await makeReady(client(), created)
        await client().patch(
          kinds.Pod,
          ref('sick'),
          { type: 'strategic', body: { status: { conditions: [{ type: 'Ready', status: 'False' }] } } },
          { subresource: 'status' },
        )
        await budget('sick', 'sick', { minAvailable: 1 })
        await allowed('sick', 0)
        expect(await refusal(client().evict(ref('sick')))).toEqual(refused(429, 'TooManyRequests'))
        await client().patch(kinds.PodDisruptionBudget, ref('sick'), {
          type: 'merge',
          body: { spec: { unhealthyPodEvictionPolicy: 'AlwaysAllow' } },
        })
        await allowed('sick', 0)
        await client().evict(ref('sick'))
        expect(await deletionOf('sick')).toBeTruthy()
      })

      test('is always refused if two budgets select the pod', async () => {
        await evictable('contested', { app: 'contested' })
        await budget('contested-1', 'contested', { minAvailable: 0 })
        await budget('contested-2', 'contested', { minAvailable: 0 })
        await allowed('contested-2', 1)
        const answer = await refusal(target.client().evict(ref('contested')))
        expect(answer.code).toBe(500)
        expect(answer.message).toBe(
          'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
        )
      })

      test('checks preconditions', async () => {
        await evictable('exact', { app: 'exact' })
        const answer = await refusal(
          target.client().evict(ref('exact'), { preconditions: { uid: '00000000-0000-0000-0000-000000000004' } }),
        )
        expect(answer).toEqual(refused(409, 'Conflict'))
        expect(await deletionOf('exact')).toBeUndefined()
      })
    })

    describe('of pods that do not exist yet', () => {
      beforeAll(async () => {
        await target.client().create(kinds.Pod, pod(namespace, 'conditioned'))
      })
      test('the scheduler reports its result as a patch of the pod’s status', async () => {
        const conditions = [
          { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/0 nodes are available' },
        ]
        const patched = await target
          .client()
          .patch(
            kinds.Pod,
            ref('conditioned'),
            { type: 'strategic', body: { status: { conditions } } },
            { subresource: 'status' },
          )
        expect(patched.status?.conditions).toEqual(
          expect.arrayContaining([expect.objectContaining({ type: 'PodScheduled', reason: 'Unschedulable' })]),
        )
      })
    })
  })
}
