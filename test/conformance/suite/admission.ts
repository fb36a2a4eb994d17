import { kinds } from '@kerf/apis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ConformanceTarget, ownNamespace, pod, refusal, refused, uniqueName } from '../target.ts'

/** What admission takes from other objects: priorities and overheads. */
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

    test('come from the class', async () => {
      const created = await target.client().create(kinds.Pod, pod(namespace, 'high', { priorityClassName: high }))
      expect(created.spec).toMatchObject({ priority: 1000, preemptionPolicy: 'Never' })
    })

    test('need an existing class', async () => {
      const answer = await refusal(
        target.client().create(kinds.Pod, pod(namespace, 'lost', { priorityClassName: 'no-such-class' })),
      )
      expect(answer).toEqual(refused(403, 'Forbidden'))
      expect(answer.message).toContain('no PriorityClass with name no-such-class was found')
    })

    test('agree with the number given', async () => {
      const answer = await refusal(
        target.client().create(kinds.Pod, pod(namespace, 'liar', { priorityClassName: high, priority: 5 })),
      )
      expect(answer).toEqual(refused(403, 'Forbidden'))
    })

    test('know the system’s classes', async () => {
      const created = await target
        .client()
        .create(kinds.Pod, pod('kube-system', uniqueName('critical'), { priorityClassName: 'system-cluster-critical' }))
      expect(created.spec.priority).toBe(2_000_000_000)
      await target.client().delete(kinds.Pod, { namespace: 'kube-system', name: created.metadata.name })
    })

    test('a class’s value is fixed', async () => {
      const answer = await refusal(
        target.client().patch(kinds.PriorityClass, { name: high }, { type: 'merge', body: { value: 2 } }),
      )
      expect(answer.code).toBe(422)
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
