import { kinds } from '@kerf/apis'
import { describe, expect, test } from 'vitest'
import { type ConformanceTarget, configMap, farAway, node, ownNamespace, pod, refusal, refused } from '../target.ts'

const SECOND = 1000

/** Defines tests of finalizers, preconditions, and the grace period of pods. */
export const deleting = (target: ConformanceTarget): void => {
  describe('deletion', () => {
    const namespace = ownNamespace(target)
    const ref = (name: string) => ({ namespace, name })
    const isGone = async (name: string) =>
      expect(await refusal(target.client().get(kinds.ConfigMap, ref(name)))).toEqual(refused(404, 'NotFound'))

    test('of a plain object is immediate', async () => {
      await target.client().create(kinds.ConfigMap, configMap(namespace, 'plain'))
      await target.client().delete(kinds.ConfigMap, ref('plain'))
      await isGone('plain')
      expect(await refusal(target.client().delete(kinds.ConfigMap, ref('plain')))).toEqual(refused(404, 'NotFound'))
    })

    test('waits for finalizers', async () => {
      const { client } = target
      const finalizers = ['example.com/a', 'example.com/b']
      const created = await client().create(kinds.ConfigMap, configMap(namespace, 'held', {}, { finalizers }))
      await client().delete(kinds.ConfigMap, ref('held'))
      const held = await client().get(kinds.ConfigMap, ref('held'))
      expect(held.metadata).toMatchObject({
        finalizers,
        deletionGracePeriodSeconds: 0,
        deletionTimestamp: expect.stringMatching(/Z$/),
      })
      expect(held.metadata.resourceVersion).not.toBe(created.metadata.resourceVersion)
      await client().delete(kinds.ConfigMap, ref('held'))
      expect((await client().get(kinds.ConfigMap, ref('held'))).metadata.deletionTimestamp).toBe(
        held.metadata.deletionTimestamp,
      )
      const one = await client().patch(kinds.ConfigMap, ref('held'), {
        type: 'merge',
        body: { metadata: { finalizers: ['example.com/b'] } },
      })
      expect(one.metadata.deletionTimestamp).toBeTruthy()
      await client().patch(kinds.ConfigMap, ref('held'), { type: 'merge', body: { metadata: { finalizers: null } } })
      await isGone('held')
    })

    test('permits neither new finalizers nor a cancellation of the deletion', async () => {
      const { client } = target
      await client().create(kinds.ConfigMap, configMap(namespace, 'final', {}, { finalizers: ['example.com/a'] }))
      await client().delete(kinds.ConfigMap, ref('final'))
      const more = client().patch(kinds.ConfigMap, ref('final'), {
        type: 'json',
        body: [{ op: 'add', path: '/metadata/finalizers/-', value: 'example.com/b' }],
      })
      const answer = await refusal(more)
      expect(answer).toEqual(refused(422, 'Invalid'))
      expect(answer.message).toContain('no new finalizers can be added if the object is being deleted')
      const back = await client().patch(kinds.ConfigMap, ref('final'), {
        type: 'merge',
        body: { metadata: { deletionTimestamp: null }, data: { still: 'editable' } },
      })
      expect(back.metadata.deletionTimestamp).toBeTruthy()
      expect(back.data).toEqual({ still: 'editable' })
      await client().patch(kinds.ConfigMap, ref('final'), { type: 'merge', body: { metadata: { finalizers: [] } } })
      await isGone('final')
    })

    test('increases the generation of objects that have one', async () => {
      const { client } = target
      const created = await client().create(kinds.PodDisruptionBudget, {
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: { namespace, name: 'counted', finalizers: ['example.com/a'] },
        spec: { minAvailable: 1, selector: { matchLabels: { a: 'b' } } },
      })
      expect(created.metadata.generation).toBe(1)
      await client().delete(kinds.PodDisruptionBudget, ref('counted'))
      expect((await client().get(kinds.PodDisruptionBudget, ref('counted'))).metadata.generation).toBe(2)
      await client().patch(kinds.PodDisruptionBudget, ref('counted'), {
        type: 'merge',
        body: { metadata: { finalizers: null } },
      })
    })

    test('can require a uid or a resourceVersion', async () => {
      const { client } = target
      const created = await client().create(kinds.ConfigMap, configMap(namespace, 'tied'))
      const wrongUid = client().delete(kinds.ConfigMap, ref('tied'), {
        preconditions: { uid: '00000000-0000-0000-0000-000000000003' },
      })
      const answer = await refusal(wrongUid)
      expect(answer).toEqual(refused(409, 'Conflict'))
      expect(answer.message).toContain('the UID in the precondition')
      const wrongVersion = client().delete(kinds.ConfigMap, ref('tied'), { preconditions: { resourceVersion: '1' } })
      expect(await refusal(wrongVersion)).toEqual(refused(409, 'Conflict'))
      const { uid = '', resourceVersion = '' } = created.metadata
      await client().delete(kinds.ConfigMap, ref('tied'), { preconditions: { uid, resourceVersion } })
      await isGone('tied')
    })

    describe('of pods', () => {
      const get = (name: string) => target.client().get(kinds.Pod, ref(name))
      const gone = async (name: string) => expect(await refusal(get(name))).toEqual(refused(404, 'NotFound'))

      test('is immediate before they are bound', async () => {
        await target.client().create(kinds.Pod, pod(namespace, 'free'))
        await target.client().delete(kinds.Pod, ref('free'))
        await gone('free')
      })

      test('gives a bound pod its grace period, and ends when the kubelet confirms it', async () => {
        const { client } = target
        await client().create(kinds.Pod, pod(namespace, 'bound', { nodeName: farAway(namespace, 'bound') }))
        const before = Date.now()
        await client().delete(kinds.Pod, ref('bound'))
        const { metadata } = await get('bound')
        expect(metadata.deletionGracePeriodSeconds).toBe(30)
        const created = Date.parse(metadata.creationTimestamp ?? '')
        const ends = Date.parse(metadata.deletionTimestamp ?? '')
        // In virtual time, the clock of this machine has no meaning, so the test also uses the creation time of the pod.
        expect(ends).toBeGreaterThanOrEqual(Math.min(before, created) + 28 * SECOND)
        await client().delete(kinds.Pod, ref('bound'), { gracePeriodSeconds: 0 })
        await gone('bound')
      })

      test('uses the pod’s grace period unless the call overrides it', async () => {
        const { client } = target
        await client().create(
          kinds.Pod,
          pod(namespace, 'patient', { nodeName: farAway(namespace, 'patient'), terminationGracePeriodSeconds: 77 }),
        )
        await client().delete(kinds.Pod, ref('patient'))
        expect((await get('patient')).metadata.deletionGracePeriodSeconds).toBe(77)
        await client().delete(kinds.Pod, ref('patient'), { gracePeriodSeconds: 5 })
        expect((await get('patient')).metadata.deletionGracePeriodSeconds).toBe(5)
        await client().delete(kinds.Pod, ref('patient'), { gracePeriodSeconds: 50 })
        expect((await get('patient')).metadata.deletionGracePeriodSeconds).toBe(5)
        await client().delete(kinds.Pod, ref('patient'), { gracePeriodSeconds: 0 })
        await gone('patient')
      })

      test('is immediate after they have ended', async () => {
        const { client } = target
        await client().create(
          kinds.Pod,
          pod(namespace, 'ended', { nodeName: farAway(namespace, 'ended'), restartPolicy: 'Never' }),
        )
        await client().patch(
          kinds.Pod,
          ref('ended'),
          { type: 'merge', body: { status: { phase: 'Succeeded' } } },
          { subresource: 'status' },
        )
        await client().delete(kinds.Pod, ref('ended'))
        await gone('ended')
      })

      test('waits for finalizers after the grace period', async () => {
        const { client } = target
        await client().create(
          kinds.Pod,
          pod(namespace, 'both', { nodeName: farAway(namespace, 'both') }, { finalizers: ['example.com/a'] }),
        )
        await client().delete(kinds.Pod, ref('both'))
        await client().delete(kinds.Pod, ref('both'), { gracePeriodSeconds: 0 })
        expect((await get('both')).metadata).toMatchObject({
          deletionGracePeriodSeconds: 0,
          finalizers: ['example.com/a'],
        })
        await client().patch(kinds.Pod, ref('both'), { type: 'merge', body: { metadata: { finalizers: null } } })
        await gone('both')
      })
    })

    test('of nodes is immediate', async () => {
      const name = `${namespace}-node`
      await target.client().create(kinds.Node, node(name))
      await target.client().delete(kinds.Node, { name })
      expect(await refusal(target.client().get(kinds.Node, { name }))).toEqual(refused(404, 'NotFound'))
    })
  })
}
