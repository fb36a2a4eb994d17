import { describe, expect, test } from 'vitest'
import { callHttp, type HttpAccess, type HttpCall } from '../plain-http.ts'
import { type ConformanceTarget, configMap, eventually, ownNamespace, targetMinor } from '../target.ts'
import { ownWidgets } from './widget-kind.ts'

/** Defines tests that need HTTP: status codes, media types, discovery. */
export const protocol = (target: ConformanceTarget, http: () => HttpAccess): void => {
  describe('protocol', () => {
    const namespace = ownNamespace(target)
    const widgets = ownWidgets(target)
    const call = (options: HttpCall) => callHttp(http(), options)
    const maps = `/api/v1/namespaces/${namespace}/configmaps`
    describe('status codes', () => {
      test('201 for new objects, 200 for existing ones', async () => {
        const body = configMap(namespace, 'codes', { a: '1' })
        expect((await call({ method: 'POST', path: maps, body })).status).toBe(201)
        expect((await call({ method: 'PUT', path: `${maps}/codes`, body })).status).toBe(200)
        const deleted = await call({ method: 'DELETE', path: `${maps}/codes` })
        expect(deleted).toMatchObject({
          status: 200,
          body: {
            kind: 'Status',
            status: 'Success',
            details: { name: 'codes', kind: 'configmaps', uid: expect.any(String) },
          },
        })
      })

      test('apply returns 201 when it creates an object', async () => {
        const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'applied' } }
        const apply = (query: string) =>
          call({
            method: 'PATCH',
            path: `${maps}/applied${query}`,
            body,
            headers: { 'content-type': 'application/apply-patch+yaml' },
          })
        expect((await apply('?fieldManager=x')).status).toBe(201)
        expect((await apply('?fieldManager=x')).status).toBe(200)
        const anonymous = await apply('')
        expect(anonymous.status).toBe(422)
        expect(JSON.stringify(anonymous.body)).toContain('fieldManager')
      })

      test('apply reads YAML', async () => {
        const body = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: yaml\ndata:\n  a: "1"\n'
        const answer = await call({
          method: 'PATCH',
          path: `${maps}/yaml?fieldManager=x`,
          body,
          headers: { 'content-type': 'application/apply-patch+yaml' },
        })
        expect(answer).toMatchObject({ status: 201, body: { data: { a: '1' } } })
      })

      test.each<[string, HttpCall, number]>([
        ['a path that does not exist', { path: '/api/v1/nonsense' }, 404],
        ['a group that does not exist', { path: '/apis/nonsense.example/v1/things' }, 404],
        [
          'a method that a collection does not have',
          {
            method: 'PATCH',
            path: '/api/v1/nodes',
            body: {},
            headers: { 'content-type': 'application/merge-patch+json' },
          },
          405,
        ],
        ['a body that is no JSON', { method: 'POST', path: maps, body: '{"oops' }, 400],
        [
          'a body of another kind',
          { method: 'POST', path: maps, body: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x' } } },
          400,
        ],
        ['a body of another namespace', { method: 'POST', path: maps, body: configMap('default', 'x') }, 400],
        ['a body of another name', { method: 'PUT', path: `${maps}/a`, body: configMap(namespace, 'b') }, 400],
        [
          'a patch of no known type',
          { method: 'PATCH', path: `${maps}/a`, body: {}, headers: { 'content-type': 'text/plain' } },
          415,
        ],
        ['an answer in no known type', { path: maps, headers: { accept: 'image/png' } }, 406],
        ['a limit that is no number', { path: `${maps}?limit=many` }, 400],
        [
          'a dry run of another kind',
          { method: 'POST', path: `${maps}?dryRun=Some`, body: configMap(namespace, 'dry') },
          422,
        ],
      ])('%s', async (_, request, code) => {
        const answer = await call(request)
        expect(answer.status).toBe(code)
        if (code !== 404 || request.path.includes(namespace))
          expect(answer.body).toMatchObject({ kind: 'Status', status: 'Failure', code })
      })

      test('unknown users are refused', async () => {
        const access = http()
        if (access.token === undefined) return
        const answer = await callHttp({ ...access, token: 'stranger' }, { path: maps })
        expect(answer).toMatchObject({ status: 401, body: { kind: 'Status', reason: 'Unauthorized' } })
      })

      test('unknown fields are dropped, reported in a warning, or refused, depending on the request', async () => {
        const body = { ...configMap(namespace, 'fields'), nonsense: 1 }
        const strict = await call({ method: 'POST', path: `${maps}?fieldValidation=Strict`, body })
        expect(strict).toMatchObject({
          status: 400,
          body: { message: expect.stringContaining('unknown field "nonsense"') },
        })
        const warned = await call({ method: 'POST', path: `${maps}?fieldValidation=Warn&dryRun=All`, body })
        expect(warned.status).toBe(201)
        expect(warned.headers['warning']).toContain('unknown field \\"nonsense\\"')
        const ignored = await call({ method: 'POST', path: `${maps}?fieldValidation=Ignore`, body })
        expect(ignored.status).toBe(201)
        expect(ignored.body).not.toHaveProperty('nonsense')
      })

      test('a collection can be deleted', async () => {
        for (const name of ['all-1', 'all-2', 'all-3']) {
          await call({
            method: 'POST',
            path: maps,
            body: configMap(namespace, name, {}, { labels: { all: name === 'all-3' ? 'no' : 'yes' } }),
          })
        }
        expect((await call({ method: 'DELETE', path: `${maps}?labelSelector=all%3Dyes` })).status).toBe(200)
        const { body } = await call({ path: `${maps}?labelSelector=all` })
        expect(body).toMatchObject({ items: [{ metadata: { name: 'all-3' } }] })
      })
    })

    describe('discovery', () => {
      test('names groups, versions and resources', async () => {
        const { body: groups } = await call({ path: '/apis' })
        const names = (groups as { groups: readonly { name: string }[] }).groups.map(({ name }) => name)
        expect(names).toEqual(
          expect.arrayContaining([
            'apps',
            'batch',
            'policy',
            'storage.k8s.io',
            'scheduling.k8s.io',
            'apiextensions.k8s.io',
            'coordination.k8s.io',
            widgets.group,
          ]),
        )
        const { body: core } = await call({ path: '/api/v1' })
        expect(core).toMatchObject({
          kind: 'APIResourceList',
          groupVersion: 'v1',
          resources: expect.arrayContaining([
            expect.objectContaining({
              name: 'pods',
              singularName: 'pod',
              namespaced: true,
              kind: 'Pod',
              shortNames: ['po'],
              verbs: expect.arrayContaining([
                'get',
                'list',
                'watch',
                'create',
                'update',
                'patch',
                'delete',
                'deletecollection',
              ]),
            }),
            expect.objectContaining({ name: 'pods/eviction', group: 'policy', version: 'v1', kind: 'Eviction' }),
            expect.objectContaining({ name: 'nodes', namespaced: false, shortNames: ['no'] }),
          ]),
        })
      })

      test('also exists in aggregated form', async () => {
        const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json'
        const { body } = await call({ path: '/apis', headers: { accept } })
        expect(body).toMatchObject({ kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2' })
        const { items } = body as {
          items: readonly {
            metadata: { name: string }
            versions: readonly { version: string; resources: readonly { resource: string }[] }[]
          }[]
        }
        const apps = items.find(({ metadata }) => metadata.name === 'apps')
        expect(apps?.versions[0]?.resources.map(({ resource }) => resource)).toEqual(
          expect.arrayContaining(['deployments', 'replicasets', 'statefulsets', 'daemonsets']),
        )
        const { body: core } = await call({ path: '/api', headers: { accept } })
        expect(core).toMatchObject({ kind: 'APIGroupDiscoveryList', items: [{ versions: [{ version: 'v1' }] }] })
      })

      test('returns the version', async () => {
        expect((await call({ path: '/version' })).body).toMatchObject({
          major: '1',
          minor: String(targetMinor(target)),
          gitVersion: expect.stringMatching(new RegExp(`^v1\\.${targetMinor(target)}\\.`)),
        })
      })

      test.each(['/healthz', '/livez', '/readyz'])('%s returns ok', async (path) => {
        expect(await call({ path })).toMatchObject({ status: 200, body: 'ok' })
      })

      test('describes schemas as OpenAPI v3', async () => {
        const { body: index } = await call({ path: '/openapi/v3' })
        const { paths } = index as { paths: Readonly<Record<string, { serverRelativeURL: string }>> }
        expect(Object.keys(paths)).toEqual(expect.arrayContaining(['api/v1', 'apis/apps/v1']))
        const { body: apps } = await call({ path: paths['apis/apps/v1']?.serverRelativeURL ?? '' })
        expect(apps).toMatchObject({
          openapi: '3.0.0',
          components: {
            schemas: {
              'io.k8s.api.apps.v1.Deployment': {
                type: 'object',
                'x-kubernetes-group-version-kind': [{ group: 'apps', kind: 'Deployment', version: 'v1' }],
              },
            },
          },
        })
        await eventually(target, async () => {
          const { body } = await call({ path: `/openapi/v3/apis/${widgets.group}/v1` })
          expect(JSON.stringify(body)).toContain('"colour"')
        })
      })
    })
  })
}
