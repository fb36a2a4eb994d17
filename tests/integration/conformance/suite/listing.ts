import { kinds } from '@kerf/apis'
import { beforeAll, describe, expect, test } from 'vitest'
import { type ConformanceTarget, configMap, farAway, ownNamespace, pod, refusal, refused } from '../target.ts'

const namesOf = (list: {
  readonly items: readonly { readonly metadata: { readonly name?: string } }[]
}): readonly string[] => list.items.map(({ metadata }) => metadata.name ?? '')

/** Defines tests of lists, pages and selectors. */
export const listing = (target: ConformanceTarget): void => {
  describe('lists', () => {
    const namespace = ownNamespace(target)
    const other = ownNamespace(target)
    beforeAll(async () => {
      const { client } = target
      for (const [name, labels] of [
        ['c', { app: 'web', tier: 'front' }],
        ['a', { app: 'web', tier: 'back' }],
        ['e', { app: 'db' }],
        ['b', {}],
        ['d', { app: 'web', tier: 'back', old: '' }],
      ] as const) {
        await client().create(kinds.ConfigMap, configMap(namespace, name, {}, { labels }))
      }
      await client().create(kinds.ConfigMap, configMap(other, 'z'))
      await client().create(kinds.Pod, pod(namespace, 'one', { nodeName: farAway(namespace, 'one') }))
      await client().create(kinds.Pod, pod(namespace, 'two', { schedulerName: 'mine', restartPolicy: 'Never' }))
    })
    const mine = (options: object) =>
      target.client().list(kinds.ConfigMap, { namespace, fieldSelector: 'metadata.name!=kube-root-ca.crt', ...options })

    test('are sorted by name and carry kind and resourceVersion', async () => {
      const list = await mine({})
      expect(list).toMatchObject({
        apiVersion: 'v1',
        kind: 'ConfigMapList',
        metadata: { resourceVersion: expect.stringMatching(/^\d+$/) },
      })
      expect(namesOf(list)).toEqual(['a', 'b', 'c', 'd', 'e'])
    })

    test('cover all namespaces if none is named', async () => {
      const list = await target.client().list(kinds.ConfigMap, { fieldSelector: 'metadata.name=z' })
      expect(list.items.map(({ metadata }) => metadata.namespace)).toContain(other)
    })

    test.each([
      ['app=web', 'acd'],
      ['app==web,tier!=back', 'c'],
      ['app!=web', 'be'],
      ['app in (web, db)', 'acde'],
      ['app notin (web)', 'be'],
      ['tier', 'acd'],
      ['!app', 'b'],
      ['app,!tier', 'e'],
      ['old=', 'd'],
      ['app in (web),tier in (back),!old', 'a'],
      ['app=nothing', ''],
    ])('select by labels: %s', async (labelSelector, names) => {
      expect(namesOf(await mine({ labelSelector })).join('')).toBe(names)
    })

    test.each(['app in web', 'a=b=c', '=x', 'app in ()x'])('refuse the label selector %s', async (labelSelector) => {
      expect(await refusal(mine({ labelSelector }))).toEqual(refused(400, 'BadRequest'))
    })

    test.each([
      ['metadata.name=one', 'one'],
      ['metadata.name!=one', 'two'],
      ['spec.nodeName=somewhere', 'one'],
      ['spec.nodeName=', 'two'],
      ['spec.schedulerName=mine', 'two'],
      ['spec.restartPolicy=Never', 'two'],
      ['status.phase=Pending', 'one two'],
      ['status.phase!=Pending', ''],
      ['spec.nodeName=somewhere,status.phase=Running', ''],
      ['status.nominatedNodeName=', 'one two'],
      ['metadata.namespace!=elsewhere', 'one two'],
    ])('select pods by fields: %s', async (fields, names) => {
      const fieldSelector = fields.replace('somewhere', farAway(namespace, 'one'))
      expect(namesOf(await target.client().list(kinds.Pod, { namespace, fieldSelector })).join(' ')).toBe(names)
    })

    test('refuse unknown field selectors', async () => {
      const list = target.client().list(kinds.Pod, { namespace, fieldSelector: 'spec.containers=x' })
      const answer = await refusal(list)
      expect(answer).toEqual(refused(400, 'BadRequest'))
      expect(answer.message).toContain('field label not supported: spec.containers')
    })

    test('are split into consistent pages', async () => {
      const first = await target.client().list(kinds.ConfigMap, { namespace, labelSelector: 'app', limit: 2 })
      expect(namesOf(first)).toEqual(['a', 'c'])
      // If a selector is used, the server does not report how many items remain.
      expect(first.metadata.remainingItemCount).toBeUndefined()
      const names = [...namesOf(first)]
      let token = first.metadata.continue ?? ''
      expect(token).not.toBe('')
      while (token !== '') {
        const page = await target
          .client()
          .list(kinds.ConfigMap, { namespace, labelSelector: 'app', limit: 2, continue: token })
        expect(page.metadata.resourceVersion).toBe(first.metadata.resourceVersion)
        names.push(...namesOf(page))
        token = page.metadata.continue ?? ''
      }
      expect(names).toEqual(['a', 'c', 'd', 'e'])
    })

    test('contain the number of remaining items if no selector is used', async () => {
      const page = await target.client().list(kinds.Pod, { namespace, limit: 1 })
      expect(page.metadata.remainingItemCount).toBe(1)
      expect(namesOf(page)).toEqual(['one'])
    })

    test('show the same resourceVersion on all pages', async () => {
      const { client } = target
      const first = await client().list(kinds.Pod, { namespace: other, limit: 1 })
      expect(first.items).toEqual([])
      await client().create(kinds.ConfigMap, configMap(other, 'm1', {}, { labels: { paged: 'yes' } }))
      await client().create(kinds.ConfigMap, configMap(other, 'm3', {}, { labels: { paged: 'yes' } }))
      const page = await client().list(kinds.ConfigMap, { namespace: other, labelSelector: 'paged', limit: 1 })
      await client().create(kinds.ConfigMap, configMap(other, 'm2', {}, { labels: { paged: 'yes' } }))
      await client().delete(kinds.ConfigMap, { namespace: other, name: 'm3' })
      const rest = await client().list(kinds.ConfigMap, {
        namespace: other,
        labelSelector: 'paged',
        limit: 5,
        continue: page.metadata.continue ?? '',
      })
      expect(namesOf(page)).toEqual(['m1'])
      expect(namesOf(rest)).toEqual(['m3'])
    })

    test('refuse an invalid continue token', async () => {
      const answer = await refusal(target.client().list(kinds.Pod, { namespace, limit: 1, continue: 'bm9uc2Vuc2U' }))
      expect(answer).toEqual(refused(400, 'BadRequest'))
      expect(answer.message).toContain('continue key is not valid')
    })

    test('may come from the cache', async () => {
      const list = await mine({ resourceVersion: '0' })
      expect(list.metadata.resourceVersion).toMatch(/^[1-9]\d*$/)
    })
  })
}
