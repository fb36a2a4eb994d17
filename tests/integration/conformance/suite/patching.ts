import { type Container, kinds, type Pod } from '@kerf/apis'
import { describe, expect, test } from 'vitest'
import { type ConformanceTarget, configMap, ownNamespace, pod, refusal, refused } from '../target.ts'
import { deployment } from './objects.ts'

/** A container with fields that Kerf itself never reads. */
type FullContainer = Container & {
  readonly args?: readonly string[]
  readonly env?: readonly { readonly name: string; readonly value?: string }[]
}

/** Defines tests of the three classic patch formats. */
export const patching = (target: ConformanceTarget): void => {
  describe('patches', () => {
    const namespace = ownNamespace(target)
    const patchMap = (name: string, patch: Parameters<ReturnType<ConformanceTarget['client']>['patch']>[2]) =>
      target.client().patch(kinds.ConfigMap, { namespace, name }, patch)
    const makeMap = (name: string, data: Readonly<Record<string, string>>) =>
      target.client().create(kinds.ConfigMap, configMap(namespace, name, data, { labels: { keep: 'me' } }))

    describe('JSON patch', () => {
      test('adds, replaces, removes, moves, copies and tests', async () => {
        await makeMap('json', { a: '1', b: '2' })
        const patched = await patchMap('json', {
          type: 'json',
          body: [
            { op: 'test', path: '/data/a', value: '1' },
            { op: 'replace', path: '/data/a', value: '10' },
            { op: 'add', path: '/data/c~1d', value: '3' },
            { op: 'copy', from: '/data/a', path: '/data/e' },
            { op: 'move', from: '/data/b', path: '/data/f' },
            { op: 'remove', path: '/metadata/labels/keep' },
          ],
        }).catch((error: unknown) => error)
        // Keys of a ConfigMap must not contain a slash, so the whole patch is refused.
        expect(patched).toMatchObject({ code: 422, reason: 'Invalid' })
        const again = await patchMap('json', {
          type: 'json',
          body: [
            { op: 'test', path: '/data/a', value: '1' },
            { op: 'replace', path: '/data/a', value: '10' },
            { op: 'add', path: '/data/c', value: '3' },
            { op: 'copy', from: '/data/a', path: '/data/e' },
            { op: 'move', from: '/data/b', path: '/data/f' },
            { op: 'remove', path: '/metadata/labels/keep' },
          ],
        })
        expect(again.data).toEqual({ a: '10', c: '3', e: '10', f: '2' })
        expect(again.metadata.labels).toBeUndefined()
      })

      test.each([
        ['a test that fails', [{ op: 'test', path: '/data/a', value: 'other' }]],
        ['a removal of nothing', [{ op: 'remove', path: '/data/none' }]],
      ])('refuses %s', async (_, body) => {
        await makeMap(`json-${body[0]?.op}`, { a: '1' }).catch(() => undefined)
        expect(await refusal(patchMap(`json-${body[0]?.op}`, { type: 'json', body }))).toEqual(refused(422, 'Invalid'))
      })
    })

    test('JSON patch adds a missing value on replace', async () => {
      await makeMap('json-new', { a: '1' })
      const patched = await patchMap('json-new', {
        type: 'json',
        body: [{ op: 'replace', path: '/data/b', value: '2' }],
      })
      expect(patched.data).toEqual({ a: '1', b: '2' })
    })

    describe('merge patch', () => {
      test('sets given fields, removes null fields, and keeps the others', async () => {
        await makeMap('merge', { a: '1', b: '2' })
        const patched = await patchMap('merge', {
          type: 'merge',
          body: { data: { a: null, c: '3' }, metadata: { annotations: { x: 'y' } } },
        })
        expect(patched.data).toEqual({ b: '2', c: '3' })
        expect(patched.metadata).toMatchObject({ labels: { keep: 'me' }, annotations: { x: 'y' } })
      })

      test('replaces lists as a whole', async () => {
        await target.client().create(kinds.Deployment, deployment(namespace, 'merge'))
        const patched = await target.client().patch(
          kinds.Deployment,
          { namespace, name: 'merge' },
          {
            type: 'merge',
            body: { spec: { template: { spec: { containers: [{ name: 'other', image: 'b' }] } } } },
          },
        )
        expect(patched.spec.template.spec.containers.map(({ name }) => name)).toEqual(['other'])
      })

      test('with a resourceVersion requires that the object still has it', async () => {
        const first = await makeMap('locked', { a: '1' })
        const { resourceVersion } = first.metadata
        const second = await patchMap('locked', {
          type: 'merge',
          body: { metadata: { resourceVersion }, data: { a: '2' } },
        })
        expect(second.data).toEqual({ a: '2' })
        const answer = await refusal(
          patchMap('locked', { type: 'merge', body: { metadata: { resourceVersion }, data: { a: '3' } } }),
        )
        expect(answer).toEqual(refused(409, 'Conflict'))
      })

      test('without changes keeps the resourceVersion', async () => {
        const made = await makeMap('idle', { a: '1' })
        const patched = await patchMap('idle', { type: 'merge', body: { data: { a: '1' } } })
        expect(patched.metadata.resourceVersion).toBe(made.metadata.resourceVersion)
      })

      test('of a missing object is not found', async () => {
        expect(await refusal(patchMap('nobody', { type: 'merge', body: {} }))).toEqual(refused(404, 'NotFound'))
      })

      test('cannot rename', async () => {
        await makeMap('named', {})
        expect(await refusal(patchMap('named', { type: 'merge', body: { metadata: { name: 'renamed' } } }))).toEqual(
          refused(400, 'BadRequest'),
        )
      })
    })

    describe('strategic merge patch', () => {
      const ref = (name: string) => ({ namespace, name })
      const makePod = (name: string, spec: Partial<Pod['spec']> = {}) =>
        target.client().create(kinds.Pod, pod(namespace, name, spec))
      const template = async (name: string, spec: object) => {
        const { client } = target
        const base = deployment(namespace, name)
        const containers = [
          {
            name: 'main',
            image: 'a',
            ports: [{ containerPort: 80, name: 'http' }],
            env: [
              { name: 'A', value: '1' },
              { name: 'B', value: '2' },
            ],
            args: ['x', 'y'],
          },
          { name: 'side', image: 'b' },
        ]
        const withContainers = {
          ...base,
          spec: {
            ...base.spec,
            template: {
              ...base.spec.template,
              spec: { containers, tolerations: [{ key: 'one', operator: 'Exists' as const }] },
            },
          },
        }
        await client().create(kinds.Deployment, withContainers)
        const patched = await client().patch(kinds.Deployment, ref(name), {
          type: 'strategic',
          body: { spec: { template: { spec } } },
        })
        return patched.spec.template.spec as Omit<Pod['spec'], 'containers'> & {
          readonly containers: readonly FullContainer[]
        }
      }

      test('merges containers by name', async () => {
        const { containers } = await template('by-name', {
          containers: [
            { name: 'side', image: 'c' },
            { name: 'new', image: 'd' },
          ],
        })
        expect(containers.map(({ name, image }) => `${name}:${image}`).sort()).toEqual(['main:a', 'new:d', 'side:c'])
        expect(containers.find(({ name }) => name === 'main')?.args).toEqual(['x', 'y'])
      })

      test('deletes an element with $patch: delete', async () => {
        const { containers } = await template('delete', { containers: [{ name: 'side', $patch: 'delete' }] })
        expect(containers.map(({ name }) => name)).toEqual(['main'])
      })

      test('replaces a list with $patch: replace', async () => {
        const { containers } = await template('replace', {
          containers: [{ $patch: 'replace' }, { name: 'only', image: 'z' }],
        })
        expect(containers.map(({ name }) => name)).toEqual(['only'])
      })

      test('orders a list with $setElementOrder', async () => {
        const { containers } = await template('order', {
          '$setElementOrder/containers': [{ name: 'side' }, { name: 'main' }],
          containers: [{ name: 'main', image: 'm' }],
        })
        expect(containers.map(({ name, image }) => `${name}:${image}`)).toEqual(['side:b', 'main:m'])
      })

      test('merges env by name and ports by number', async () => {
        const { containers } = await template('inner', {
          containers: [
            {
              name: 'main',
              env: [
                { name: 'B', value: '20' },
                { name: 'C', value: '3' },
                { name: 'A', $patch: 'delete' },
              ],
              ports: [{ containerPort: 80, hostPort: 8080 }],
            },
          ],
        })
        const main = containers.find(({ name }) => name === 'main')
        expect(main?.env).toEqual(
          expect.arrayContaining([
            { name: 'B', value: '20' },
            { name: 'C', value: '3' },
          ]),
        )
        expect(main?.env).toHaveLength(2)
        expect(main?.ports).toMatchObject([{ containerPort: 80, hostPort: 8080, name: 'http' }])
      })

      test('replaces lists that have no key', async () => {
        const spec = await template('atomic', {
          tolerations: [{ key: 'two', operator: 'Exists' }],
          containers: [{ name: 'main', args: ['z'] }],
        })
        expect(spec.tolerations?.map(({ key }) => key)).toEqual(['two'])
        expect(spec.containers.find(({ name }) => name === 'main')?.args).toEqual(['z'])
      })

      test('adds and removes finalizers', async () => {
        const { client } = target
        await makePod('finalized')
        const body = (metadata: object) => ({ type: 'strategic', body: { metadata } }) as const
        await client().patch(kinds.Pod, ref('finalized'), body({ finalizers: ['example.com/a'] }))
        const both = await client().patch(kinds.Pod, ref('finalized'), body({ finalizers: ['example.com/b'] }))
        expect([...(both.metadata.finalizers ?? [])].sort()).toEqual(['example.com/a', 'example.com/b'])
        const one = await client().patch(
          kinds.Pod,
          ref('finalized'),
          body({ '$deleteFromPrimitiveList/finalizers': ['example.com/a'] }),
        )
        expect(one.metadata.finalizers).toEqual(['example.com/b'])
        await client().patch(kinds.Pod, ref('finalized'), body({ finalizers: null }))
      })

      test('removes a field with null and a map with $patch: replace', async () => {
        await makeMap('strategic', { a: '1', b: '2' })
        const removed = await patchMap('strategic', { type: 'strategic', body: { data: { a: null } } })
        expect(removed.data).toEqual({ b: '2' })
        const replaced = await patchMap('strategic', {
          type: 'strategic',
          body: { data: { $patch: 'replace', z: '9' } },
        })
        expect(replaced.data).toEqual({ z: '9' })
      })

      test('merges pod conditions by type', async () => {
        const { client } = target
        await makePod('conditions')
        const set = (type: string, status: string) =>
          client().patch(
            kinds.Pod,
            ref('conditions'),
            { type: 'strategic', body: { status: { conditions: [{ type, status }] } } },
            { subresource: 'status' },
          )
        await set('example.com/One', 'True')
        const both = await set('example.com/Two', 'False')
        expect(both.status?.conditions?.map(({ type, status }) => `${type}=${status}`)).toEqual(
          expect.arrayContaining(['example.com/One=True', 'example.com/Two=False']),
        )
        const changed = await set('example.com/One', 'False')
        expect(changed.status?.conditions?.find(({ type }) => type === 'example.com/One')?.status).toBe('False')
      })

      test('replaces node taints, which have no key', async () => {
        const { client } = target
        const name = `${namespace}-taints`
        await client().create(kinds.Node, {
          apiVersion: 'v1',
          kind: 'Node',
          metadata: { name },
          spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] },
        })
        const patched = await client().patch(
          kinds.Node,
          { name },
          { type: 'strategic', body: { spec: { taints: [{ key: 'b', effect: 'NoExecute' }] } } },
        )
        expect(patched.spec.taints?.map(({ key }) => key)).toEqual(['b'])
        await client().delete(kinds.Node, { name })
      })
    })
  })
}
