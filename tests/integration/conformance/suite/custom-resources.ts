import { type KubeObject, kinds, type ResourceKind } from '@kerf/apis'
import { ApiError } from '@kerf/runtime'
import { describe, expect, test } from 'vitest'
import { type ConformanceTarget, eventually, ownNamespace, record, refusal, refused, uniqueName } from '../target.ts'
import { GROUP, ownWidgets, type Widget, widgetDefinition } from './widget-kind.ts'

/** Defines tests of custom resource definitions and the objects of their kinds. */
export const customResources = (target: ConformanceTarget): void => {
  describe('custom resources', () => {
    const namespace = ownNamespace(target)
    const widgets = ownWidgets(target)
    const widget = (name: string, spec: object, over: object = {}): Widget => ({
      apiVersion: `${GROUP}/v1`,
      kind: widgets.kind,
      metadata: { namespace, name },
      spec: { size: 1, ...spec },
      ...over,
    })
    const create = (name: string, spec: object = {}, over: object = {}) =>
      target.client().create(widgets, widget(name, spec, over))
    const patch = (name: string, body: object, subresource?: string) =>
      target
        .client()
        .patch(widgets, { namespace, name }, { type: 'merge', body }, subresource === undefined ? {} : { subresource })

    test('the definition reports that it is served', async () => {
      const crd = await target.client().get(kinds.CustomResourceDefinition, { name: `${widgets.plural}.${GROUP}` })
      expect(crd).toMatchObject({
        spec: { names: { listKind: `${widgets.kind}List` }, conversion: { strategy: 'None' } },
        status: {
          acceptedNames: { plural: widgets.plural },
          storedVersions: ['v1'],
          conditions: expect.arrayContaining([
            expect.objectContaining({ type: 'NamesAccepted', status: 'True' }),
            expect.objectContaining({ type: 'Established', status: 'True' }),
          ]),
        },
      })
      expect(await target.client().raw(`/apis/${GROUP}/v1`)).toMatchObject({
        kind: 'APIResourceList',
        groupVersion: `${GROUP}/v1`,
        resources: expect.arrayContaining([
          expect.objectContaining({
            name: widgets.plural,
            kind: widgets.kind,
            namespaced: true,
            singularName: widgets.kind.toLowerCase(),
          }),
          expect.objectContaining({ name: `${widgets.plural}/status`, kind: widgets.kind }),
          expect.objectContaining({ name: `${widgets.plural}/scale`, group: 'autoscaling', kind: 'Scale' }),
        ]),
      })
    })

    test('get defaults, including defaults within defaults and within list elements', async () => {
      const created = await create('defaulted', { parts: [{ name: 'a' }, { name: 'b', weight: 5 }] })
      expect(created).toMatchObject({
        metadata: { generation: 1 },
        spec: {
          size: 1,
          colour: 'red',
          inner: { deep: true },
          parts: [
            { name: 'a', weight: 1 },
            { name: 'b', weight: 5 },
          ],
        },
      })
    })

    test('lose fields that are not in the schema, except fields that the schema preserves', async () => {
      const created = await create(
        'pruned',
        { unknown: 1, free: { any: { thing: [1, 2] } }, inner: { deep: false, other: 1 } },
        { extra: true },
      )
      expect(created.spec).toEqual({ size: 1, colour: 'red', free: { any: { thing: [1, 2] } }, inner: { deep: false } })
      expect('extra' in created).toBe(false)
    })

    test.each<[string, object, string]>([
      ['a missing required field', { size: undefined }, 'spec.size'],
      ['a number below the minimum', { size: 0 }, 'spec.size'],
      ['a number above the maximum', { size: 11 }, 'spec.size'],
      ['a text where a number belongs', { size: 'one' }, 'spec.size'],
      ['a fraction where a whole number belongs', { size: 1.5 }, 'spec.size'],
      ['a value outside the enumeration', { colour: 'pink' }, 'spec.colour'],
      ['a text that misses the pattern', { code: 'abc' }, 'spec.code'],
      ['a text that is too long', { code: 'ABCD' }, 'spec.code'],
      ['a list where an amount belongs', { amount: [] }, 'spec.amount'],
      ['a time that is none', { since: 'yesterday' }, 'spec.since'],
      ['too many properties', { labels: { a: '', b: '', c: '', d: '' } }, 'spec.labels'],
      ['a property that is too long', { labels: { a: '123456' } }, 'spec.labels.a'],
      ['too many items', { tags: ['a', 'b', 'c', 'd'] }, 'spec.tags'],
      ['an element twice in a set', { tags: ['a', 'a'] }, 'spec.tags[1]'],
      ['a key twice in a map list', { parts: [{ name: 'a' }, { name: 'a' }] }, 'spec.parts[1]'],
      ['a list element without its key', { parts: [{ weight: 1 }] }, 'spec.parts[0].name'],
      ['a rule broken, at the rule’s field', { from: 2, to: 1 }, 'spec.from'],
      ['a rule broken that speaks for itself', { size: 9 }, 'spec'],
    ])('refuse %s', async (_, spec, field) => {
      const answer = await refusal(create(uniqueName('bad'), spec))
      expect(answer).toEqual(refused(422, 'Invalid'))
      expect(answer.fields.join(' ')).toContain(field)
    })

    test('return the message of a rule', async () => {
      expect((await refusal(create('spoken', { from: 2, to: 1 }))).message).toContain('from must not be above to')
      expect((await refusal(create('spoken', { size: 9 }))).message).toContain('nine must be blue')
    })

    test('accept objects that satisfy the rules', async () => {
      const created = await create('allowed', {
        size: 9,
        colour: 'blue',
        amount: '50%',
        ratio: 0.5,
        since: '2026-01-01T00:00:00Z',
        tags: ['b', 'a'],
        from: 1,
        to: 1,
      })
      expect(created.spec).toMatchObject({ amount: '50%', tags: ['b', 'a'] })
      expect((await create('whole', { amount: 3 })).spec).toMatchObject({ amount: 3 })
    })

    test('apply rules about changes', async () => {
      await create('moved', { origin: 'here' })
      const answer = await refusal(patch('moved', { spec: { origin: 'there' } }))
      expect(answer).toEqual(refused(422, 'Invalid'))
      expect(answer.message).toContain('origin is fixed')
      expect((await patch('moved', { spec: { size: 2 } })).spec).toMatchObject({ origin: 'here', size: 2 })
      // A rule that refers to the old value applies only if there is one. The field may therefore be removed and then added.
      expect((await patch('moved', { spec: { origin: null } })).spec?.['origin']).toBeUndefined()
      expect((await patch('moved', { spec: { origin: 'anywhere' } })).spec).toMatchObject({ origin: 'anywhere' })
    })

    test('may keep an unchanged value that has become invalid', async () => {
      const created = await create('ratchet', { size: 2 })
      expect((await patch('ratchet', { metadata: { labels: { a: 'b' } } })).metadata.generation).toBe(
        created.metadata.generation,
      )
    })

    test('have a status subresource', async () => {
      const created = await create('status', {}, { status: { phase: 'New' } })
      expect(created.status).toBeUndefined()
      const reported = await patch(
        'status',
        { spec: { size: 5 }, status: { phase: 'New', replicas: 3, unknown: 1 } },
        'status',
      )
      expect(reported.status).toEqual({ phase: 'New', replicas: 3 })
      expect(reported.spec).toMatchObject({ size: 1 })
      expect(reported.metadata.generation).toBe(1)
      const changed = await patch('status', { spec: { size: 5 }, status: { phase: 'Old' } })
      expect(changed.status).toEqual({ phase: 'New', replicas: 3 })
      expect(changed.metadata.generation).toBe(2)
      expect(await refusal(patch('status', { status: { phase: 'Ancient' } }, 'status'))).toEqual(
        refused(422, 'Invalid'),
      )
    })

    test('scale through their scale subresource', async () => {
      await create('scaled', { replicas: 2 })
      await patch('scaled', { status: { replicas: 1, selector: 'a=b' } }, 'status')
      const path = `/apis/${GROUP}/v1/namespaces/${namespace}/${widgets.plural}/scaled/scale`
      expect(await target.client().raw(path)).toMatchObject({
        kind: 'Scale',
        spec: { replicas: 2 },
        status: { replicas: 1, selector: 'a=b' },
      })
      await patch('scaled', { spec: { replicas: 7 } }, 'scale')
      expect((await target.client().get(widgets, { namespace, name: 'scaled' })).spec).toMatchObject({ replicas: 7 })
    })

    test('can be replaced only with a resourceVersion', async () => {
      const created = await create('versioned')
      const { resourceVersion: _, ...metadata } = created.metadata
      const answer = await refusal(target.client().update(widgets, { ...created, metadata }))
      expect(answer).toEqual(refused(422, 'Invalid'))
      expect(answer.message).toContain('metadata.resourceVersion: Invalid value: 0: must be specified for an update')
      const updated = await target.client().update(widgets, { ...created, spec: { size: 3 } })
      expect(updated.spec).toEqual({ size: 3, colour: 'red', inner: { deep: true } })
    })

    test('refuse strategic merge patches', async () => {
      await create('plain')
      const answer = await refusal(
        target
          .client()
          .patch(widgets, { namespace, name: 'plain' }, { type: 'strategic', body: { spec: { size: 2 } } }),
      )
      expect(answer).toEqual(refused(415, 'UnsupportedMediaType'))
    })

    test('merge lists by their keys when they are applied', async () => {
      const apply = (manager: string, parts: readonly object[]) =>
        target.client().patch(
          widgets,
          { namespace, name: 'applied' },
          {
            type: 'apply',
            body: {
              apiVersion: `${GROUP}/v1`,
              kind: widgets.kind,
              metadata: { name: 'applied', namespace },
              spec: { size: 1, parts },
            },
          },
          { fieldManager: manager },
        )
      await apply('one', [{ name: 'a', weight: 2 }])
      const both = await apply('two', [{ name: 'b', weight: 3 }])
      expect(both.spec?.['parts']).toEqual([
        { name: 'a', weight: 2 },
        { name: 'b', weight: 3 },
      ])
      expect((await apply('one', [])).spec?.['parts']).toEqual([{ name: 'b', weight: 3 }])
    })

    test('can be selected by fields that the definition names', async () => {
      await create('green', { colour: 'green' })
      const list = await target.client().list(widgets, { namespace, fieldSelector: 'spec.colour=green' })
      expect(list.items.map(({ metadata }) => metadata.name)).toEqual(['green'])
      expect(list.kind).toBe(`${widgets.kind}List`)
      expect(await refusal(target.client().list(widgets, { namespace, fieldSelector: 'spec.size=1' }))).toEqual(
        refused(400, 'BadRequest'),
      )
    })

    test('a watch from an expired version ends with 410 Expired', async () => {
      const recording = record((signal) => target.client().watch(widgets, { namespace, resourceVersion: '1', signal }))
      await eventually(target, async () => expect(recording.end).toBeDefined())
      expect(recording.end?.error).toBeInstanceOf(ApiError)
      expect(recording.end?.error).toMatchObject({
        code: 410,
        reason: 'Expired',
        message: expect.stringContaining('too old resource version'),
      })
    })
  })

  describe('custom resource definitions', () => {
    test.each<[string, (crd: ReturnType<typeof widgetDefinition>) => object]>([
      ['whose name is not plural and group', (crd) => ({ ...crd, metadata: { name: `other.${GROUP}` } })],
      [
        'without a stored version',
        (crd) => ({ ...crd, spec: { ...crd.spec, versions: [{ ...crd.spec.versions[0], storage: false }] } }),
      ],
      [
        'without a schema',
        (crd) => ({ ...crd, spec: { ...crd.spec, versions: [{ name: 'v1', served: true, storage: true }] } }),
      ],
      [
        'with a rule that does not compile',
        (crd) => ({
          ...crd,
          spec: {
            ...crd.spec,
            versions: [
              {
                name: 'v1',
                served: true,
                storage: true,
                schema: {
                  openAPIV3Schema: { type: 'object', 'x-kubernetes-validations': [{ rule: 'self.nope > 1' }] },
                },
              },
            ],
          },
        }),
      ],
      [
        'with a default that its schema refuses',
        (crd) => ({
          ...crd,
          spec: {
            ...crd.spec,
            versions: [
              {
                name: 'v1',
                served: true,
                storage: true,
                schema: { openAPIV3Schema: { type: 'object', properties: { a: { type: 'integer', default: 'x' } } } },
              },
            ],
          },
        }),
      ],
      ['of no scope', (crd) => ({ ...crd, spec: { ...crd.spec, scope: 'Everywhere' } })],
    ])('are refused %s', async (_, change) => {
      const plural = uniqueName('gadgets').replaceAll('-', '')
      const object = change(widgetDefinition(plural, `G${plural}`)) as KubeObject & {
        readonly spec: Readonly<Record<string, unknown>>
      }
      expect(await refusal(target.client().create(kinds.CustomResourceDefinition, object))).toEqual(
        refused(422, 'Invalid'),
      )
    })

    test('delete their objects when they are deleted', async () => {
      const { client } = target
      const plural = uniqueName('gadgets').replaceAll('-', '')
      const kind: ResourceKind<Widget> = { group: GROUP, version: 'v1', kind: `G${plural}`, plural, namespaced: true }
      const name = `${plural}.${GROUP}`
      await client().create(kinds.CustomResourceDefinition, widgetDefinition(plural, kind.kind))
      await eventually(target, async () => {
        await client().list(kind)
      })
      await client().create(kind, {
        apiVersion: `${GROUP}/v1`,
        kind: kind.kind,
        metadata: { namespace: 'default', name: 'held', finalizers: ['example.com/hold', 'no-slash.example.com'] },
        spec: { size: 1 },
      })
      await client().delete(kinds.CustomResourceDefinition, { name })
      await eventually(target, async () =>
        expect(
          (await client().get(kind, { namespace: 'default', name: 'held' })).metadata.deletionTimestamp,
        ).toBeTruthy(),
      )
      await client().patch(
        kind,
        { namespace: 'default', name: 'held' },
        { type: 'merge', body: { metadata: { finalizers: null } } },
      )
      await eventually(target, async () =>
        expect(await refusal(client().get(kinds.CustomResourceDefinition, { name }))).toEqual(refused(404, 'NotFound')),
      )
      await eventually(target, async () => expect((await refusal(client().list(kind))).code).toBe(404))
    })
  })
}
