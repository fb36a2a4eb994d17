import { kinds } from '@kerf/apis'
import { ApiError } from '@kerf/runtime'
import { describe, expect, test } from 'vitest'
import { type ConfigMap, type ConformanceTarget, configMap, ownNamespace, refusal, refused } from '../target.ts'

/** Defines tests of server-side apply: which manager owns which field. */
export const applying = (target: ConformanceTarget): void => {
  describe('server-side apply', () => {
    const namespace = ownNamespace(target)
    const apply = (
      name: string,
      manager: string,
      data: Readonly<Record<string, string>>,
      options: { force?: boolean; dryRun?: boolean; metadata?: object } = {},
    ): Promise<ConfigMap> =>
      target.client().patch(
        kinds.ConfigMap,
        { namespace, name },
        {
          type: 'apply',
          body: {
            apiVersion: 'v1',
            kind: 'ConfigMap',
            metadata: { name, namespace, ...options.metadata },
            ...(Object.keys(data).length === 0 ? {} : { data }),
          },
          ...(options.force === undefined ? {} : { force: options.force }),
        },
        { fieldManager: manager, ...(options.dryRun === undefined ? {} : { dryRun: options.dryRun }) },
      )
    const ownersOf = (object: ConfigMap): Readonly<Record<string, readonly string[]>> =>
      Object.fromEntries(
        (object.metadata.managedFields ?? []).map(({ manager, operation, fieldsV1 }) => [
          `${manager}/${operation}`,
          // A dot stands for the map itself.
          Object.keys((fieldsV1?.['f:data'] ?? {}) as object)
            .filter((key) => key !== '.')
            .sort(),
        ]),
      )

    test('creates a missing object and records the owner', async () => {
      const made = await apply('made', 'one', { a: '1' })
      expect(made.data).toEqual({ a: '1' })
      expect(made.metadata.uid).toBeTruthy()
      expect(ownersOf(made)).toEqual({ 'one/Apply': ['f:a'] })
      expect(made.metadata.managedFields?.[0]).toMatchObject({
        apiVersion: 'v1',
        fieldsType: 'FieldsV1',
        operation: 'Apply',
        time: expect.any(String),
      })
    })

    test('changes nothing if the same configuration is applied again', async () => {
      const first = await apply('same', 'one', { a: '1' })
      const second = await apply('same', 'one', { a: '1' })
      expect(second.metadata.resourceVersion).toBe(first.metadata.resourceVersion)
    })

    test('removes fields that its manager omits and no other manager owns', async () => {
      await apply('shrinks', 'one', { a: '1', b: '2' })
      await apply('shrinks', 'two', { b: '2', c: '3' })
      const shrunk = await apply('shrinks', 'one', {})
      expect(shrunk.data).toEqual({ b: '2', c: '3' })
      expect(ownersOf(shrunk)).toMatchObject({ 'two/Apply': ['f:b', 'f:c'] })
    })

    test('refuses to change a field of another manager, and changes it with force', async () => {
      await apply('fought', 'one', { a: '1', b: '1' })
      const failed = await apply('fought', 'two', { a: '2' }).catch((error: unknown) => error)
      expect(failed).toBeInstanceOf(ApiError)
      expect(failed).toMatchObject({
        code: 409,
        reason: 'Conflict',
        message: 'Apply failed with 1 conflict: conflict with "one": .data.a',
        details: { causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "one"', field: '.data.a' }] },
      })
      const forced = await apply('fought', 'two', { a: '2' }, { force: true })
      expect(forced.data).toEqual({ a: '2', b: '1' })
      expect(ownersOf(forced)).toEqual({ 'one/Apply': ['f:b'], 'two/Apply': ['f:a'] })
    })

    test('names every conflict', async () => {
      await apply('many', 'one', { a: '1', b: '1' })
      const answer = await refusal(apply('many', 'two', { a: '2', b: '2' }))
      expect(answer.message).toMatch(/^Apply failed with 2 conflicts: conflicts with "one":/)
      expect([...answer.fields].sort()).toEqual(['.data.a', '.data.b'])
    })

    test('allows managers to share a field if they set the same value', async () => {
      await apply('shared', 'one', { a: '1' })
      const both = await apply('shared', 'two', { a: '1' })
      expect(ownersOf(both)).toEqual({ 'one/Apply': ['f:a'], 'two/Apply': ['f:a'] })
    })

    test('treats fields that others set by update as owned by them', async () => {
      const { client } = target
      await apply('updated', 'one', { a: '1', b: '1' })
      const patched = await client().patch(
        kinds.ConfigMap,
        { namespace, name: 'updated' },
        { type: 'merge', body: { data: { a: '2' } } },
        { fieldManager: 'editor' },
      )
      expect(ownersOf(patched)).toEqual({ 'one/Apply': ['f:b'], 'editor/Update': ['f:a'] })
      const answer = await refusal(apply('updated', 'one', { a: '1', b: '1' }))
      expect(answer).toEqual(refused(409, 'Conflict'))
      expect(answer.message).toContain('conflict with "editor" using v1: .data.a')
    })

    test('changes nothing in a dry run', async () => {
      const first = await apply('dry', 'one', { a: '1' })
      const tried = await apply('dry', 'one', { a: '2' }, { dryRun: true })
      expect(tried.data).toEqual({ a: '2' })
      expect(await target.client().get(kinds.ConfigMap, { namespace, name: 'dry' })).toEqual(first)
    })

    test('refuses the uid or resourceVersion of another object as a conflict', async () => {
      await apply('pinned', 'one', { a: '1' })
      const answer = await refusal(apply('pinned', 'one', { a: '2' }, { metadata: { resourceVersion: '1' } }))
      expect(answer).toEqual(refused(409, 'Conflict'))
    })

    test('must not contain managedFields', async () => {
      const answer = await refusal(
        apply(
          'greedy',
          'one',
          {},
          {
            metadata: {
              managedFields: [
                { manager: 'x', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {} },
              ],
            },
          },
        ),
      )
      expect(answer).toEqual(refused(400, 'BadRequest'))
      expect(answer.message).toContain('managedFields must be nil')
    })

    test('merges lists by their keys', async () => {
      const { client } = target
      const base = (containers: readonly object[]) => ({
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { namespace, name: 'keyed' },
        spec: {
          replicas: 0,
          selector: { matchLabels: { app: 'keyed' } },
          template: { metadata: { labels: { app: 'keyed' } }, spec: { containers } },
        },
      })
      const send = (manager: string, body: object, force = false) =>
        client().patch(
          kinds.Deployment,
          { namespace, name: 'keyed' },
          { type: 'apply', body, force },
          { fieldManager: manager },
        )
      await send('one', base([{ name: 'main', image: 'a', env: [{ name: 'A', value: '1' }] }]))
      const both = await send('two', {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { namespace, name: 'keyed' },
        spec: {
          template: {
            spec: {
              containers: [
                { name: 'main', env: [{ name: 'B', value: '2' }] },
                { name: 'side', image: 'b' },
              ],
            },
          },
        },
      })
      expect(both.spec.template.spec.containers).toMatchObject([
        {
          name: 'main',
          image: 'a',
          env: [
            { name: 'A', value: '1' },
            { name: 'B', value: '2' },
          ],
        },
        { name: 'side', image: 'b' },
      ])
      const left = await send('two', {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { namespace, name: 'keyed' },
      })
      expect(left.spec.template.spec.containers).toMatchObject([
        { name: 'main', image: 'a', env: [{ name: 'A', value: '1' }] },
      ])
      expect(left.spec.template.spec.containers).toHaveLength(1)
      await client().delete(kinds.Deployment, { namespace, name: 'keyed' })
    })

    test('merges sets such as finalizers', async () => {
      await apply('set', 'one', {}, { metadata: { finalizers: ['example.com/one'] } })
      const both = await apply('set', 'two', {}, { metadata: { finalizers: ['example.com/two'] } })
      expect(both.metadata.finalizers).toEqual(['example.com/one', 'example.com/two'])
      const left = await apply('set', 'one', {})
      expect(left.metadata.finalizers).toEqual(['example.com/two'])
      await apply('set', 'two', {})
    })

    test('keeps status and spec apart', async () => {
      const { client } = target
      const created = await client().create(kinds.Node, {
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name: `${namespace}-apply` },
        spec: {},
      })
      const ref = { name: created.metadata.name }
      const body = { apiVersion: 'v1', kind: 'Node', metadata: ref, status: { capacity: { cpu: '4' } } }
      const patched = await client().patch(
        kinds.Node,
        ref,
        { type: 'apply', body },
        { fieldManager: 'kubelet', subresource: 'status' },
      )
      expect(patched.status?.capacity).toEqual({ cpu: '4' })
      expect(patched.metadata.managedFields?.find(({ manager }) => manager === 'kubelet')).toMatchObject({
        subresource: 'status',
        operation: 'Apply',
      })
      await client().delete(kinds.Node, ref)
    })

    test('distinguishes managers by operation and subresource', async () => {
      const created = await target
        .client()
        .create(kinds.ConfigMap, configMap(namespace, 'written', { a: '1' }), { fieldManager: 'creator' })
      expect(ownersOf(created)).toEqual({ 'creator/Update': ['f:a'] })
      const updated = await target
        .client()
        .update(kinds.ConfigMap, { ...created, data: { a: '1', b: '2' } }, { fieldManager: 'updater' })
      expect(ownersOf(updated)).toEqual({ 'creator/Update': ['f:a'], 'updater/Update': ['f:b'] })
    })
  })
}
