import { type KubeObject, kinds } from '@kerf/apis'
import { describe, expect, test } from 'vitest'
import { type ConformanceTarget, configMap, ownNamespace, pod, refusal, refused, uniqueName } from '../target.ts'

/** Defines tests of creating, reading and replacing whole objects. */
export const objects = (target: ConformanceTarget): void => {
  describe('objects', () => {
    const namespace = ownNamespace(target)

    test('a new object gets uid, resourceVersion and creationTimestamp', async () => {
      const created = await target.client().create(kinds.ConfigMap, configMap(namespace, 'born', { a: '1' }))
      expect(created).toMatchObject({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        data: { a: '1' },
        metadata: {
          name: 'born',
          namespace,
          uid: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
          resourceVersion: expect.stringMatching(/^[1-9][0-9]*$/),
          creationTimestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
        },
      })
      expect(await target.client().get(kinds.ConfigMap, { namespace, name: 'born' })).toEqual(created)
    })

    test('fields that only the server sets are ignored in requests', async () => {
      const created = await target.client().create(
        kinds.ConfigMap,
        configMap(
          namespace,
          'modest',
          {},
          {
            uid: '00000000-0000-0000-0000-000000000001',
            creationTimestamp: '2001-01-01T00:00:00Z',
            deletionTimestamp: '2001-01-01T00:00:00Z',
          },
        ),
      )
      expect(created.metadata.uid).not.toBe('00000000-0000-0000-0000-000000000001')
      expect(created.metadata.creationTimestamp).not.toBe('2001-01-01T00:00:00Z')
      expect(created.metadata.deletionTimestamp).toBeUndefined()
    })

    test('a name cannot be used twice', async () => {
      await target.client().create(kinds.ConfigMap, configMap(namespace, 'taken'))
      const answer = await refusal(target.client().create(kinds.ConfigMap, configMap(namespace, 'taken')))
      expect(answer).toMatchObject({ code: 409, reason: 'AlreadyExists', message: 'configmaps "taken" already exists' })
    })

    test('a missing object is not found, and the error names its plural and group', async () => {
      const { client } = target
      const noMap = await refusal(client().get(kinds.ConfigMap, { namespace, name: 'nobody' }))
      expect(noMap).toMatchObject({ code: 404, reason: 'NotFound', message: 'configmaps "nobody" not found' })
      const noDeployment = await refusal(client().get(kinds.Deployment, { namespace, name: 'nobody' }))
      expect(noDeployment).toMatchObject({
        code: 404,
        reason: 'NotFound',
        message: 'deployments.apps "nobody" not found',
      })
    })

    test('generateName adds five characters and keeps the name within 63', async () => {
      const made = async (generateName: string): Promise<string> => {
        const created = await target.client().create(kinds.ConfigMap, {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { namespace, generateName },
        })
        expect(created.metadata.generateName).toBe(generateName)
        return created.metadata.name
      }
      const [first, second] = [await made('web-'), await made('web-')]
      expect(first).toMatch(/^web-[bcdfghjklmnpqrstvwxz2456789]{5}$/)
      expect(second).not.toBe(first)
      expect(await made('x'.repeat(80))).toMatch(/^x{58}[bcdfghjklmnpqrstvwxz2456789]{5}$/)
    })

    test('an object needs a valid name', async () => {
      const nameless = await refusal(
        target.client().create(kinds.ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace } }),
      )
      expect(nameless).toMatchObject({ code: 422, reason: 'Invalid', fields: ['metadata.name'] })
      expect(nameless.message).toContain('name or generateName is required')
      const loud = await refusal(target.client().create(kinds.ConfigMap, configMap(namespace, 'LOUD')))
      expect(loud).toMatchObject({ code: 422, reason: 'Invalid', fields: ['metadata.name'] })
    })

    test.each([
      ['a label key with two slashes', { labels: { 'a/b/c': 'x' } }, 'metadata.labels'],
      ['a label value with a space', { labels: { a: 'x y' } }, 'metadata.labels'],
      ['an annotation key in Chinese', { annotations: { 名: 'x' } }, 'metadata.annotations'],
      ['a finalizer without a slash', { finalizers: ['plain'] }, 'metadata.finalizers[0]'],
      [
        'two controllers',
        {
          ownerReferences: ['one', 'two'].map((name) => ({
            apiVersion: 'v1',
            kind: 'ConfigMap',
            name,
            uid: name,
            controller: true,
          })),
        },
        'metadata.ownerReferences',
      ],
      [
        'an owner without a uid',
        { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: '' }] },
        'metadata.ownerReferences.uid',
      ],
    ])('refuses %s', async (_, metadata, field) => {
      const kind = 'finalizers' in metadata ? kinds.Pod : kinds.ConfigMap
      const object =
        'finalizers' in metadata
          ? pod(namespace, uniqueName('bad'), {}, metadata)
          : configMap(namespace, uniqueName('bad'), {}, metadata)
      const answer = await refusal(target.client().create<KubeObject>(kind, object))
      expect(answer).toMatchObject({ code: 422, reason: 'Invalid' })
      expect(answer.fields).toContain(field)
    })

    test('a namespaced object needs its namespace', async () => {
      const answer = await refusal(target.client().create(kinds.ConfigMap, configMap('no-such-namespace', 'a')))
      expect(answer).toMatchObject({
        code: 404,
        reason: 'NotFound',
        message: 'namespaces "no-such-namespace" not found',
      })
    })

    test('a new object must not have a resourceVersion', async () => {
      const answer = await refusal(
        target.client().create(kinds.ConfigMap, configMap(namespace, 'old', {}, { resourceVersion: '5' })),
      )
      expect(answer.message).toContain('resourceVersion should not be set on objects to be created')
    })

    test('replacing requires the resourceVersion that was read', async () => {
      const { client } = target
      const first = await client().create(kinds.ConfigMap, configMap(namespace, 'raced', { a: '1' }))
      const second = await client().update(kinds.ConfigMap, { ...first, data: { a: '2' } })
      expect(Number(second.metadata.resourceVersion)).toBeGreaterThan(Number(first.metadata.resourceVersion))
      expect(second.metadata.uid).toBe(first.metadata.uid)
      const answer = await refusal(client().update(kinds.ConfigMap, { ...first, data: { a: '3' } }))
      expect(answer).toMatchObject({
        code: 409,
        reason: 'Conflict',
        message:
          'Operation cannot be fulfilled on configmaps "raced": the object has been modified; please apply your changes to the latest version and try again',
      })
      expect((await client().get(kinds.ConfigMap, { namespace, name: 'raced' })).data).toEqual({ a: '2' })
    })

    test('replacing without a resourceVersion overwrites any version', async () => {
      await target.client().create(kinds.ConfigMap, configMap(namespace, 'blunt', { a: '1' }))
      const updated = await target.client().update(kinds.ConfigMap, configMap(namespace, 'blunt', { b: '2' }))
      expect(updated.data).toEqual({ b: '2' })
    })

    test('an update without changes keeps the resourceVersion', async () => {
      const created = await target.client().create(kinds.ConfigMap, configMap(namespace, 'calm', { a: '1' }))
      const again = await target.client().update(kinds.ConfigMap, created)
      expect(again.metadata.resourceVersion).toBe(created.metadata.resourceVersion)
    })

    test('replacing an object with another uid is a conflict', async () => {
      const created = await target.client().create(kinds.ConfigMap, configMap(namespace, 'reborn'))
      const impostor = { ...created, metadata: { ...created.metadata, uid: '00000000-0000-0000-0000-000000000002' } }
      const answer = await refusal(target.client().update(kinds.ConfigMap, impostor))
      expect(answer).toEqual(refused(409, 'Conflict'))
      expect(answer.message).toContain('Precondition failed: UID in precondition')
    })

    test.each(['merge', 'strategic', 'json', 'apply'] as const)(
      'a %s patch for an object with another uid is invalid',
      async (type) => {
        const uid = '00000000-0000-0000-0000-000000000006'
        const name = `born-${type}`
        await target.client().create(kinds.ConfigMap, configMap(namespace, name, { a: '1' }))
        const whole = { metadata: { name, uid }, data: { a: '2' } }
        const patches = {
          merge: { type: 'merge', body: whole },
          strategic: { type: 'strategic', body: whole },
          json: { type: 'json', body: [{ op: 'replace', path: '/metadata/uid', value: uid }] },
          apply: { type: 'apply', body: { apiVersion: 'v1', kind: 'ConfigMap', ...whole }, force: true },
        } as const
        const answer = await refusal(
          target.client().patch(kinds.ConfigMap, { namespace, name }, patches[type], { fieldManager: 'conformance' }),
        )
        expect(answer).toEqual(refused(422, 'Invalid'))
        expect(answer.message).toBe(
          `ConfigMap "${name}" is invalid: metadata.uid: Invalid value: "${uid}": field is immutable`,
        )
        // The API server validates metadata twice: once for all kinds, and once for this kind. Each time it names the field.
        expect(answer.fields).toEqual(['metadata.uid', 'metadata.uid'])
      },
    )

    test('replacing a missing object is not found', async () => {
      const answer = await refusal(target.client().update(kinds.ConfigMap, configMap(namespace, 'ghost')))
      expect(answer).toEqual(refused(404, 'NotFound'))
    })

    test('the generation counts changes of the spec only', async () => {
      const { client } = target
      const ref = { namespace, name: 'counted' }
      const created = await client().create(kinds.Deployment, deployment(namespace, 'counted'))
      expect(created.metadata.generation).toBe(1)
      const labelled = await client().patch(kinds.Deployment, ref, {
        type: 'merge',
        body: { metadata: { labels: { a: 'b' } } },
      })
      expect(labelled.metadata.generation).toBe(1)
      const paused = await client().patch(kinds.Deployment, ref, {
        type: 'merge',
        body: { spec: { minReadySeconds: 3 } },
      })
      expect(paused.metadata.generation).toBe(2)
      await client().delete(kinds.Deployment, ref)
    })

    test('a dry run does everything except storing the object', async () => {
      const { client } = target
      const imagined = await client().create(kinds.ConfigMap, configMap(namespace, 'imagined'), { dryRun: true })
      expect(imagined.metadata.uid).toMatch(/^[0-9a-f-]{36}$/)
      expect(await refusal(client().get(kinds.ConfigMap, { namespace, name: 'imagined' }))).toEqual(
        refused(404, 'NotFound'),
      )
      const real = await client().create(kinds.ConfigMap, configMap(namespace, 'kept', { a: '1' }))
      const tried = await client().update(kinds.ConfigMap, { ...real, data: { a: '2' } }, { dryRun: true })
      expect(tried.data).toEqual({ a: '2' })
      expect(await client().get(kinds.ConfigMap, { namespace, name: 'kept' })).toEqual(real)
    })
  })
}

/** Returns a Deployment with no replicas by default, so that controllers do nothing with it. */
export const deployment = (namespace: string, name: string, replicas = 0) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { namespace, name },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: pod(namespace, name).spec },
  },
})
