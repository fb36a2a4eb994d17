import { kinds, type Pod, type ResourceKind } from '@kerf/apis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ConformanceTarget, ownNamespace, pod, refusal, refused, uniqueName } from '../target.ts'

/** Defines tests of values that admission copies from other objects: priorities and overheads. */
export const admission = (target: ConformanceTarget): void => {
  describe('priorities', () => {
    const namespace = ownNamespace(target)
    const high = uniqueName('high')
    beforeAll(async () => {
      await target.client().create(kinds.PriorityClass, {
        apiVersion: 'scheduling.k8s.io/v1',
        kind: 'PriorityClass',
        metadata: { name: high },
        value: 1000,
        preemptionPolicy: 'Never',
      })
    })
    afterAll(() => target.client().delete(kinds.PriorityClass, { name: high }))

    test('are set from the class', async () => {
      const created = await target.client().create(kinds.Pod, pod(namespace, 'high', { priorityClassName: high }))
      expect(created.spec).toMatchObject({ priority: 1000, preemptionPolicy: 'Never' })
    })

    test('require an existing class', async () => {
      const answer = await refusal(
        target.client().create(kinds.Pod, pod(namespace, 'lost', { priorityClassName: 'no-such-class' })),
      )
      expect(answer).toEqual(refused(403, 'Forbidden'))
      expect(answer.message).toContain('no PriorityClass with name no-such-class was found')
    })

    test('must match a priority that the pod already sets', async () => {
      const answer = await refusal(
        target.client().create(kinds.Pod, pod(namespace, 'liar', { priorityClassName: high, priority: 5 })),
      )
      expect(answer).toEqual(refused(403, 'Forbidden'))
    })

    test('include the built-in classes of Kubernetes', async () => {
      const created = await target
        .client()
        .create(kinds.Pod, pod('kube-system', uniqueName('critical'), { priorityClassName: 'system-cluster-critical' }))
      expect(created.spec.priority).toBe(2_000_000_000)
      await target.client().delete(kinds.Pod, { namespace: 'kube-system', name: created.metadata.name })
    })

    test('the value of a class cannot change', async () => {
      const answer = await refusal(
        target.client().patch(kinds.PriorityClass, { name: high }, { type: 'merge', body: { value: 2 } }),
      )
      expect(answer.code).toBe(422)
    })
  })

  describe('limit ranges', () => {
    const namespace = ownNamespace(target)
    const limitRanges: ResourceKind = {
      ...{ group: '', version: 'v1', kind: 'LimitRange', plural: 'limitranges' },
      namespaced: true,
    }
    const limits = [
      { type: 'Container', min: { cpu: '100m' }, max: { memory: '1Gi' }, maxLimitRequestRatio: { memory: '2' } },
      { type: 'Pod', max: { cpu: '1' } },
      { type: 'PersistentVolumeClaim', min: { storage: '1Gi' }, max: { storage: '2Gi' } },
    ]
    beforeAll(async () => {
      const metadata = { name: 'bounds', namespace }
      await target
        .client()
        .create(limitRanges, { apiVersion: 'v1', kind: 'LimitRange', metadata, ...{ spec: { limits } } })
    })
    const RIGHT = { requests: { cpu: '500m', memory: '512Mi' }, limits: { cpu: '500m', memory: '1Gi' } }
    const container = (name: string, over: object = {}) => ({ name, image: 'a', resources: { ...RIGHT, ...over } })
    const asks = (...containers: readonly object[]) => ({ containers }) as unknown as Partial<Pod['spec']>

    test.each<[string, Partial<Pod['spec']>, string]>([
      [
        'less than the minimum',
        asks(container('a', { requests: { cpu: '50m', memory: '1Gi' } })),
        'minimum cpu usage per Container is 100m, but request is 50m',
      ],
      [
        'more than the maximum',
        asks(container('a', { limits: { cpu: '500m', memory: '1025Mi' }, requests: { cpu: '500m', memory: '1Gi' } })),
        'maximum memory usage per Container is 1Gi, but limit is 1025Mi',
      ],
      [
        'too large a ratio',
        asks(container('a', { requests: { cpu: '500m', memory: '256Mi' } })),
        'memory max limit to request ratio per Container is 2, but provided ratio is 4.000000',
      ],
      [
        'a limit without a request, which asks for the limit',
        asks({
          name: 'a',
          image: 'a',
          resources: { requests: { memory: '1Gi' }, limits: { cpu: '1', memory: '1Gi' } },
        }),
        '',
      ],
      [
        'two containers that are too large together',
        asks(container('a'), container('b', { limits: { cpu: '501m', memory: '1Gi' } })),
        'maximum cpu usage per Pod is 1, but limit is 1001m',
      ],
      [
        'an init container beside a sidecar',
        {
          ...asks(container('a')),
          initContainers: [
            {
              ...container('side', {
                limits: { cpu: '400m', memory: '1Gi' },
                requests: { cpu: '400m', memory: '1Gi' },
              }),
              restartPolicy: 'Always',
            },
            container('init', { limits: { cpu: '700m', memory: '1Gi' } }),
          ],
        } as unknown as Partial<Pod['spec']>,
        'maximum cpu usage per Pod is 1, but limit is 1100m',
      ],
      ['what is in bounds', asks(container('a'), container('b')), ''],
    ])('%s', async (name, spec, message) => {
      const created = target.client().create(kinds.Pod, pod(namespace, uniqueName('limited'), spec))
      if (message === '') {
        await created
        return
      }
      const answer = await refusal(created)
      expect(answer).toEqual(refused(403, 'Forbidden'))
      expect(answer.message, name).toContain(message)
    })

    test('also apply to PersistentVolumeClaims', async () => {
      const claim = (storage: string) =>
        target.client().create(kinds.PersistentVolumeClaim, {
          apiVersion: 'v1',
          kind: 'PersistentVolumeClaim',
          metadata: { name: uniqueName('claim'), namespace },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
        })
      await claim('2Gi')
      expect((await refusal(claim('3Gi'))).message).toContain(
        'maximum storage usage per PersistentVolumeClaim is 2Gi, but request is 3Gi',
      )
      expect((await refusal(claim('1Mi'))).message).toContain(
        'minimum storage usage per PersistentVolumeClaim is 1Gi, but request is 1Mi',
      )
    })
  })

  describe('runtime classes', () => {
    const namespace = ownNamespace(target)
    const name = uniqueName('sandboxed')
    beforeAll(async () => {
      await target.client().create(kinds.RuntimeClass, {
        apiVersion: 'node.k8s.io/v1',
        kind: 'RuntimeClass',
        metadata: { name },
        handler: 'sandboxed',
        overhead: { podFixed: { cpu: '250m', memory: '120Mi' } },
      })
    })
    afterAll(() => target.client().delete(kinds.RuntimeClass, { name }))

    test('add their overhead', async () => {
      const created = await target.client().create(kinds.Pod, pod(namespace, 'sandboxed', { runtimeClassName: name }))
      expect(created.spec.overhead).toEqual({ cpu: '250m', memory: '120Mi' })
    })
  })
}
