import { kinds, type Pod } from '@kerf/apis'
import { pod as buildPod } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { bearer, type Credentials } from '../connection/credentials.ts'
import { explainApiError } from '../errors/explain-api-error.ts'
import { isNotFound } from '../kube-client/api-error.ts'
import { PrometheusMetrics } from '../metrics/prometheus-metrics.ts'
import { HastyClock } from '../testing/hasty-clock.ts'
import { fixtureClient, json, node, rejection, served, unusedPort } from '../testing/http-fixture.ts'
import { requireKinds } from './require-kinds.ts'

describe('requests', () => {
  test('use the paths and bodies of the API', async () => {
    const { client, seen } = await served((_request, response) => json(response, node('a')))
    const pod: Pod = buildPod('p', { namespace: 'shop', spec: { containers: [] } })
    const ref = { namespace: 'shop', name: 'p' }
    await client.get(kinds.Node, { name: 'a' })
    await client.create(kinds.Pod, pod, { dryRun: true })
    await client.update(kinds.Pod, pod, { subresource: 'status' })
    await client.patch(kinds.Deployment, ref, { type: 'apply', body: { spec: {} }, force: true })
    await client.patch(kinds.Pod, ref, { type: 'merge', body: { a: 1 } })
    await client.patch(
      kinds.Pod,
      ref,
      { type: 'strategic', body: { a: 1 } },
      { subresource: 'status', fieldManager: 'me' },
    )
    await client.patch(kinds.Pod, ref, { type: 'json', body: [{ op: 'remove', path: '/a' }] })
    await client.delete(kinds.Pod, ref, { gracePeriodSeconds: 0, preconditions: { uid: 'u' } })
    await client.evict(ref, { gracePeriodSeconds: 5 })
    await client.bind(ref, 'node-1')
    const shown = seen.map(({ method, url, headers }) => `${method} ${url} ${headers['content-type'] ?? ''}`.trim())
    expect(shown).toMatchInlineSnapshot(`
      [
        "GET /api/v1/nodes/a",
        "POST /api/v1/namespaces/shop/pods?dryRun=All application/json",
        "PUT /api/v1/namespaces/shop/pods/p/status application/json",
        "PATCH /apis/apps/v1/namespaces/shop/deployments/p?fieldManager=karpenter&force=true application/apply-patch+yaml",
        "PATCH /api/v1/namespaces/shop/pods/p application/merge-patch+json",
        "PATCH /api/v1/namespaces/shop/pods/p/status?fieldManager=me application/strategic-merge-patch+json",
        "PATCH /api/v1/namespaces/shop/pods/p application/json-patch+json",
        "DELETE /api/v1/namespaces/shop/pods/p application/json",
        "POST /api/v1/namespaces/shop/pods/p/eviction application/json",
        "POST /api/v1/namespaces/shop/pods/p/binding application/json",
      ]
    `)
    expect(seen[3]?.body).toEqual({ apiVersion: 'apps/v1', kind: 'Deployment', spec: {} })
    expect(seen[4]?.body).toEqual({ a: 1 })
    expect(seen[7]?.body).toEqual({
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      gracePeriodSeconds: 0,
      preconditions: { uid: 'u' },
    })
    expect(seen[8]?.body).toMatchObject({
      kind: 'Eviction',
      apiVersion: 'policy/v1',
      deleteOptions: { gracePeriodSeconds: 5 },
    })
    expect(seen[9]?.body).toMatchObject({ kind: 'Binding', target: { kind: 'Node', name: 'node-1' } })
    expect(seen[0]?.headers['user-agent']).toBe('karpenter')
  })

  test('are not sent for a namespaced object without a namespace', async () => {
    const { client, seen } = await served((_request, response) => json(response, {}))
    const failure = await rejection(client.delete(kinds.Pod, { name: 'p' }))
    expect(failure).toMatchObject({ code: 400, message: 'a Pod is named with its namespace' })
    expect(seen).toEqual([])
  })

  test('list all pages without a limit, and a single page with one', async () => {
    const { client, seen } = await served(({ url }, response) => {
      const token = new URL(url, 'http://x').searchParams.get('continue')
      const metadata = { resourceVersion: '7', ...(token === null && { continue: 'more' }) }
      json(response, { kind: 'NodeList', apiVersion: 'v1', metadata, items: [node(token === null ? 'a' : 'b')] })
    })
    const all = await client.list(kinds.Node, { labelSelector: 'app in (a,b)' })
    expect(all.items.map((item) => item.metadata.name)).toEqual(['a', 'b'])
    expect(seen[0]?.url).toBe('/api/v1/nodes?limit=500&labelSelector=app+in+%28a%2Cb%29')
    const page = await client.list(kinds.Node, { limit: 1 })
    expect(page.metadata.continue).toBe('more')
  })

  test('list without pages if the snapshot expires between two pages', async () => {
    const { client, seen } = await served(({ url }, response) => {
      const query = new URL(url, 'http://x').searchParams
      const metadata = { resourceVersion: '7', ...(query.has('limit') && { continue: 'more' }) }
      if (query.has('continue')) json(response, { kind: 'Status', code: 410, reason: 'Expired' }, 410)
      else json(response, { kind: 'NodeList', apiVersion: 'v1', metadata, items: [node('a'), node('b')] })
    })
    expect((await client.list(kinds.Node)).items).toHaveLength(2)
    expect(seen.map(({ url }) => url)).toEqual([
      '/api/v1/nodes?limit=500',
      '/api/v1/nodes?limit=500&continue=more',
      '/api/v1/nodes',
    ])
  })

  test('are sent at the limited rate, in order', async () => {
    const clock = new HastyClock()
    const { client } = await served((_request, response) => json(response, node('a')), {
      clock,
      rate: { qps: 10, burst: 2 },
    })
    for (let call = 0; call < 4; call++) await client.get(kinds.Node, { name: 'a' })
    expect(clock.waits.map(Math.round)).toEqual([100, 100])
  })

  test('are counted by code, and measured by subject', async () => {
    const metrics = new PrometheusMetrics()
    const { client } = await served((_request, response) => json(response, { kind: 'Status', code: 404 }, 404), {
      metrics,
    })
    await rejection(client.get(kinds.Lease, { namespace: 'x', name: 'y' }))
    const text = await metrics.text()
    expect(text).toContain('client_go_request_total{code="404",method="GET"} 1')
    expect(text).toContain(
      'client_go_request_duration_seconds_count{verb="get",group="coordination.k8s.io",version="v1",kind="Lease",subresource=""} 1',
    )
  })

  test('return parsed JSON or plain text for raw paths', async () => {
    const { client } = await served(({ url }, response) => {
      if (url === '/version') json(response, { gitVersion: 'v1.36.3' })
      else response.end('ok')
    })
    expect(await client.raw('/version')).toEqual({ gitVersion: 'v1.36.3' })
    expect(await client.raw('/readyz')).toBe('ok')
  })

  test('reject with the signal’s reason when aborted', async () => {
    const stop = new AbortController()
    const { client } = await served(() => stop.abort(new Error('changed my mind')))
    await expect(client.get(kinds.Node, { name: 'a' }, { signal: stop.signal })).rejects.toThrow('changed my mind')
  })
})

describe('failures', () => {
  test('have the code, reason, details and message of the server', async () => {
    const status = {
      kind: 'Status',
      code: 404,
      reason: 'NotFound',
      message: 'nodes "a" not found',
      details: { name: 'a', kind: 'nodes' },
    }
    const { client } = await served((_request, response) => json(response, status, 404))
    const failure = await rejection(client.get(kinds.Node, { name: 'a' }))
    expect(isNotFound(failure)).toBe(true)
    expect(failure).toMatchObject({
      code: 404,
      reason: 'NotFound',
      message: 'nodes "a" not found',
      details: { name: 'a' },
    })
  })

  test('name the request even if a proxy answered in HTML', async () => {
    const { client } = await served((_request, response) => response.writeHead(502).end('<h1>Bad\n gateway</h1>'))
    const failure = await rejection(client.get(kinds.Node, { name: 'a' }))
    expect(failure).toMatchObject({
      code: 502,
      message: 'GET /api/v1/nodes/a was answered with 502: <h1>Bad gateway</h1>',
    })
  })

  test('name the server if nothing listens there, and have a remedy of the error catalogue', async () => {
    const port = await unusedPort()
    const server = `http://127.0.0.1:${port}`
    const failure = await rejection(fixtureClient({ server }).get(kinds.Node, { name: 'a' }))
    expect(failure).toMatchObject({
      code: 0,
      reason: 'Unreachable',
      message: `cannot reach ${server}: connection refused`,
    })
    expect(explainApiError(failure)).toMatchObject({
      code: 'ApiServerUnreachable',
      exitCode: 1,
      message: `cannot reach the API server ${server}: connection refused; check that the cluster is up and that KUBECONFIG (or --kubeconfig) names the right server`,
    })
  })

  test('because of a lost connection are retried for reads, but not for writes', async () => {
    let cuts = 2
    const { client, seen } = await served((_request, response) => {
      if (cuts-- > 0) response.destroy()
      else json(response, node('a'))
    })
    await client.get(kinds.Node, { name: 'a' })
    expect(seen).toHaveLength(3)
    cuts = 1
    expect(await rejection(client.create(kinds.Node, node('a')))).toMatchObject({ code: 0, reason: 'Unreachable' })
    expect(seen).toHaveLength(4)
    cuts = Number.POSITIVE_INFINITY
    expect(await rejection(client.get(kinds.Node, { name: 'a' }))).toMatchObject({ code: 0, reason: 'Unreachable' })
    expect(seen).toHaveLength(8)
  })

  test('because of an overloaded server are retried after its Retry-After, but not for evictions', async () => {
    const clock = new HastyClock()
    let busy = 1
    const tooMany = { kind: 'Status', code: 429, reason: 'TooManyRequests', message: 'busy' }
    const { client, seen } = await served(
      (_request, response) => {
        if (busy-- > 0) json(response, tooMany, 429, { 'retry-after': '3' })
        else json(response, node('a'))
      },
      { clock },
    )
    await client.create(kinds.Node, node('a'))
    expect(clock.waits).toEqual([3_000])
    busy = 1
    const failure = await rejection(client.evict({ namespace: 'x', name: 'y' }))
    expect(failure).toMatchObject({ code: 429, details: { retryAfterSeconds: 3 } })
    expect(seen).toHaveLength(3)
  })

  test('because of an unavailable server are retried for reads, but not for writes, even with Retry-After', async () => {
    const clock = new HastyClock()
    let away = 1
    const unavailable = { kind: 'Status', code: 503, reason: 'ServiceUnavailable', message: 'starting' }
    const { client, seen } = await served(
      (_request, response) => {
        if (away-- > 0) json(response, unavailable, 503, { 'retry-after': '2' })
        else json(response, node('a'))
      },
      { clock },
    )
    await client.get(kinds.Node, { name: 'a' })
    expect(clock.waits).toEqual([2_000])
    expect(seen).toHaveLength(2)
    away = 1
    expect(await rejection(client.create(kinds.Node, node('a')))).toMatchObject({ code: 503 })
    expect(seen).toHaveLength(3)
  })

  test('because of credentials renew the credentials once', async () => {
    let token = 'old'
    const credentials: Credentials = {
      current: async () => ({ authorization: bearer(token) }),
      invalidate: () => {
        token = 'new'
      },
    }
    const { client, seen } = await served(
      ({ headers }, response) => {
        if (headers.authorization === 'Bearer new') json(response, node('a'))
        else json(response, { kind: 'Status', code: 401, reason: 'Unauthorized', message: 'Unauthorized' }, 401)
      },
      {},
      credentials,
    )
    await client.get(kinds.Node, { name: 'a' })
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer old', 'Bearer new'])
  })

  test('because of credentials are thrown if the renewed credentials are also refused', async () => {
    const { client, seen } = await served((_request, response) => json(response, { kind: 'Status', code: 401 }, 401))
    const failure = await rejection(client.get(kinds.Node, { name: 'a' }))
    expect(seen).toHaveLength(2)
    expect(explainApiError(failure)?.code).toBe('Unauthorized')
  })

  test('because of truncated responses are distinguished from complete responses', async () => {
    const { client } = await served((_request, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('{"kind":')
      setImmediate(() => response.destroy())
    })
    expect(await rejection(client.get(kinds.Node, { name: 'a' }))).toMatchObject({ code: 0, reason: 'Unreachable' })
  })

  test('because of missing kinds name the kinds', async () => {
    const { client } = await served(({ url }, response) => {
      if (url === '/apis/apps/v1') json(response, { resources: [{ name: 'deployments' }] })
      else json(response, { kind: 'Status', code: 404, reason: 'NotFound' }, 404)
    })
    await requireKinds(client, [kinds.Deployment])
    const failure = await rejection(requireKinds(client, [kinds.Deployment, kinds.ReplicaSet, kinds.Lease]))
    expect(failure).toMatchObject({
      code: 'MissingCrds',
      parameters: { names: ['replicasets.apps', 'leases.coordination.k8s.io'] },
    })
  })
})
