import { kinds, type Node, type Pod } from '@kerf/apis'
import { pod as buildPod } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { PrometheusMetrics } from '../metrics/prometheus-metrics.ts'
import { json, node, type Responder, rejection, served } from '../testing/http-fixture.ts'
import { requireKinds } from './require-kinds.ts'

const pod: Pod = buildPod('cart', { namespace: 'shop', spec: { containers: [] } })
const ref = { namespace: 'shop', name: 'cart' }
const ok: Responder = (_request, response) => json(response, node('a'))

describe('the client’s calls', () => {
  test('are measured by verb, kind and subresource', async () => {
    const metrics = new PrometheusMetrics()
    const { client } = await served(
      ({ url }, response) => {
        if (url.includes('watch')) response.end()
        else json(response, { metadata: {}, items: [] })
      },
      { metrics },
    )
    await client.get(kinds.Pod, ref)
    await client.list(kinds.Pod)
    for await (const _event of client.watch(kinds.Pod, {})) throw new Error('no event was sent')
    await client.create(kinds.Pod, pod)
    await client.update(kinds.Pod, pod, { subresource: 'status' })
    await client.patch(kinds.Pod, ref, { type: 'merge', body: {} })
    await client.delete(kinds.Pod, ref)
    await client.evict(ref)
    await client.bind(ref, 'node-1')
    await client.raw('/version')
    const text = await metrics.text()
    const counted = [...text.matchAll(/duration_seconds_count\{verb="(\w+)".*kind="(\w*)",subresource="(\w*)"\} (\d)/g)]
    expect(counted.map(([, ...labels]) => labels.join(' ')).sort()).toEqual([
      'create Pod  1',
      'create Pod binding 1',
      'create Pod eviction 1',
      'delete Pod  1',
      'get   1',
      'get Pod  1',
      'list Pod  1',
      'patch Pod  1',
      'update Pod status 1',
      'watch Pod  1',
    ])
  })

  test('add the kind to an object that came from a list without it', async () => {
    const { client, seen } = await served(ok)
    const { apiVersion: _apiVersion, kind: _kind, ...bare } = node('a')
    await client.update(kinds.Node, bare as Node)
    await client.create(kinds.Node, { ...node('a'), apiVersion: 'v2', kind: 'Other' } as unknown as Node)
    expect(seen.map(({ body }) => body)).toEqual([node('a'), { ...node('a'), apiVersion: 'v2', kind: 'Other' }])
  })

  test('send what the API documents for evictions, bindings and deletions', async () => {
    const { client, seen } = await served(ok)
    await client.evict(ref)
    await client.bind(ref, 'node-1')
    await client.delete(kinds.Pod, ref, { propagationPolicy: 'Foreground' })
    const options = { apiVersion: 'v1', kind: 'DeleteOptions' }
    expect(seen.map(({ body }) => body)).toEqual([
      {
        apiVersion: 'policy/v1',
        kind: 'Eviction',
        metadata: { name: 'cart', namespace: 'shop' },
        deleteOptions: options,
      },
      {
        apiVersion: 'v1',
        kind: 'Binding',
        metadata: { name: 'cart', namespace: 'shop' },
        target: { apiVersion: 'v1', kind: 'Node', name: 'node-1' },
      },
      { ...options, propagationPolicy: 'Foreground' },
    ])
  })

  test('create a subresource under its object’s path', async () => {
    const { client, seen } = await served(ok)
    await client.create(kinds.Pod, pod, { subresource: 'eviction' })
    await client.create(kinds.Pod, { ...pod, metadata: { namespace: 'shop', generateName: 'cart-' } })
    expect(seen.map(({ url }) => url)).toEqual([
      '/api/v1/namespaces/shop/pods/cart/eviction',
      '/api/v1/namespaces/shop/pods',
    ])
  })

  test('take over fields from other managers only with force', async () => {
    const { client, seen } = await served(ok)
    await client.patch(kinds.Node, { name: 'a' }, { type: 'apply', body: {} }, { fieldManager: 'me' })
    expect(seen[0]?.url).toBe('/api/v1/nodes/a?fieldManager=me&force=false')
  })

  test('fail if the response is not JSON, and name the request', async () => {
    const { client, server } = await served((_request, response) => response.end('<html>'))
    expect(client.server).toBe(server)
    expect(await rejection(client.list(kinds.Node, { labelSelector: 'secret=x' }))).toMatchObject({
      code: 0,
      reason: 'MalformedAnswer',
      message: `${server} answered GET /api/v1/nodes with something that is not JSON`,
    })
  })
})

describe('closing the client', () => {
  test('ends calls and watches that are in progress', async () => {
    let isAsked = (): void => {}
    const { client } = await served(({ url }, response) => {
      if (url.includes('watch')) response.writeHead(200).flushHeaders()
      isAsked()
    })
    const both = new Promise<void>((resolve) => {
      let asked = 0
      isAsked = () => {
        if (++asked === 2) resolve()
      }
    })
    const watching = (async () => {
      for await (const _event of client.watch(kinds.Node, {})) throw new Error('no event was sent')
    })()
    const failures = Promise.all([rejection(client.create(kinds.Node, node('a'))), rejection(watching)])
    await both
    await client.close()
    for (const failure of await failures) expect(failure).toMatchObject({ code: 0, reason: 'Unreachable' })
  })
})

describe('the pages of a list', () => {
  test('are not listed in one request if the server refuses them for a reason other than expiry', async () => {
    const { client, seen } = await served(({ url }, response) => {
      if (url.includes('continue')) json(response, { kind: 'Status', code: 500 }, 500)
      else json(response, { metadata: { continue: 'more' }, items: [node('a')] })
    })
    expect(await rejection(client.list(kinds.Node))).toMatchObject({ code: 500 })
    expect(seen).toHaveLength(2)
  })

  test('fail with the expiry if the caller continues a list, because only the caller knows where the list began', async () => {
    const { client, seen } = await served(({ url }, response) => {
      if (url.includes('continue=second')) json(response, { kind: 'Status', code: 410, reason: 'Expired' }, 410)
      else json(response, { metadata: { continue: 'second' }, items: [node('a')] })
    })
    expect(await rejection(client.list(kinds.Node, { continue: 'first' }))).toMatchObject({ code: 410 })
    expect(seen).toHaveLength(2)
  })

  test('are a single page if a resource version is requested', async () => {
    const { client, seen } = await served(({ url }, response) =>
      json(response, { metadata: url.includes('continue') ? {} : { continue: 'more' }, items: [] }),
    )
    await client.list(kinds.Node, { resourceVersion: '0' })
    expect(seen.map(({ url }) => url)).toEqual(['/api/v1/nodes?resourceVersion=0'])
  })
})

describe('required kinds', () => {
  const serving = (answer: unknown) => served((_request, response) => json(response, answer))

  test('are looked up by group, including the core group, and one missing kind is reported', async () => {
    const { client, seen } = await serving({ resources: [{ name: 'pods' }, null, 'nodes', { name: 'replicasets' }] })
    await requireKinds(client, [kinds.Pod, kinds.ReplicaSet])
    expect(seen.map(({ url }) => url)).toEqual(['/api/v1', '/apis/apps/v1'])
    expect(await rejection(requireKinds(client, [kinds.Pod, kinds.Deployment]))).toMatchObject({
      code: 'MissingCrds',
      parameters: { names: ['deployments.apps'] },
    })
  })

  test.each([[null], [{}], [{ resources: 'pods' }]])('are missing if the server answers %j', async (answer) => {
    const { client } = await serving(answer)
    expect(await rejection(requireKinds(client, [kinds.Deployment]))).toMatchObject({ code: 'MissingCrds' })
  })

  test('are not reported as missing if the server does not say which kinds it serves', async () => {
    const { client } = await served((_request, response) => json(response, { kind: 'Status', code: 403 }, 403))
    expect(await rejection(requireKinds(client, [kinds.Deployment]))).toMatchObject({ code: 403 })
  })
})
