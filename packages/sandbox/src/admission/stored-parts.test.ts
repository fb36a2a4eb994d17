import { type KubeObject, kinds, type ResourceKind } from '@kerf/apis'
import { type KubeClient, SeededRandom, VirtualClock } from '@kerf/runtime'
import { beforeEach, expect, test } from 'vitest'
import { SandboxApi } from '../api/sandbox-api.ts'

interface Widget extends KubeObject {
  readonly spec: Readonly<Record<string, unknown>>
  readonly status?: Readonly<Record<string, unknown>>
}

const widgets: ResourceKind<Widget> = {
  group: 'test.kerf.sh',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  namespaced: false,
}
const ref = { name: 'one' }

/** Returns a CRD whose spec has these fields. */
const crd = (fields: object, rules: readonly object[] = []): KubeObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.test.kerf.sh' },
  ...{
    spec: {
      group: widgets.group,
      scope: 'Cluster',
      names: { kind: widgets.kind, plural: widgets.plural, singular: 'widget', listKind: 'WidgetList' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                spec: { type: 'object', properties: fields, 'x-kubernetes-validations': rules },
                status: { type: 'object', properties: { seen: { type: 'integer' } } },
              },
            },
          },
        },
      ],
    },
  },
})

let client: KubeClient

const define = async (fields: object, rules?: readonly object[]): Promise<void> => {
  const wanted = crd(fields, rules) as never
  const name = { name: 'widgets.test.kerf.sh' }
  await client.patch(kinds.CustomResourceDefinition, name, { type: 'apply', body: wanted }, { fieldManager: 'test' })
}
const make = (spec: Widget['spec']): Promise<Widget> =>
  client.create(widgets, { apiVersion: 'test.kerf.sh/v1', kind: 'Widget', metadata: ref, spec })
const see = (seen: unknown): Promise<Widget> =>
  client.patch(widgets, ref, { type: 'merge', body: { status: { seen } } }, { subresource: 'status' })
const label = (value: string): Promise<Widget> =>
  client.patch(widgets, ref, { type: 'merge', body: { metadata: { labels: { value } } } })

beforeEach(() => {
  client = new SandboxApi({ clock: new VirtualClock(), random: new SeededRandom(1) }).client()
})

test('versions of an object share the fields that a patch does not change', async () => {
  await define({ size: { type: 'integer' } })
  const made = await make({ size: 1 })
  const seen = await see(1)
  const labelled = await label('a')
  expect(seen.spec).toBe(made.spec)
  expect(labelled.spec).toBe(made.spec)
  expect(labelled.status).toBe(seen.status)
  expect(labelled).toMatchObject({ metadata: { labels: { value: 'a' } }, spec: { size: 1 }, status: { seen: 1 } })
})

test('a top-level field that a patch changes is pruned and validated, and the others stay as stored', async () => {
  await define({ size: { type: 'integer' } })
  await make({ size: 1 })
  await see(1)
  const patched = await client.patch(widgets, ref, { type: 'merge', body: { spec: { size: 2, other: 3 } } })
  expect(patched).toMatchObject({ spec: { size: 2 }, status: { seen: 1 } })
  expect(patched.spec).not.toHaveProperty('other')
  await expect(see('twice')).rejects.toThrow('status.seen in body must be of type integer')
})

test('stored fields are validated again after the CRD has changed', async () => {
  await define({ size: { type: 'integer' }, old: { type: 'string' } })
  await make({ size: 1, old: 'x' })
  await see(1)
  await define({ size: { type: 'integer' }, colour: { type: 'string', default: 'red' } })
  expect((await label('a')).spec).toEqual({ size: 1, colour: 'red' })
})

test('a transition rule is checked on every write, even if nothing changes', async () => {
  await define({ size: { type: 'integer' } }, [{ rule: 'self.size > oldSelf.size', message: 'must grow' }])
  await make({ size: 1 })
  for (const value of ['a', 'b']) await expect(label(value)).rejects.toThrow('must grow')
  const body = { spec: { size: 2 } }
  await expect(client.patch(widgets, ref, { type: 'merge', body })).resolves.toMatchObject(body)
})
