import { SeededRandom, SystemClock } from '@kerf/runtime'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SandboxApi } from '../api/sandbox-api.ts'
import { parseResourcePath } from '../resources/resource-path.ts'
import { negotiate, wantsAggregated } from './negotiation.ts'
import { decodeProtobuf } from './protobuf.ts'
import { SandboxServer } from './sandbox-server.ts'

test.each([
  ['/api/v1/pods', { group: '', version: 'v1', plural: 'pods' }],
  ['/api/v1/namespaces', { group: '', version: 'v1', plural: 'namespaces' }],
  ['/api/v1/namespaces/a', { group: '', version: 'v1', plural: 'namespaces', name: 'a' }],
  [
    '/api/v1/namespaces/a/finalize',
    { group: '', version: 'v1', plural: 'namespaces', name: 'a', subresource: 'finalize' },
  ],
  [
    '/api/v1/namespaces/a/pods/b/log',
    { group: '', version: 'v1', plural: 'pods', namespace: 'a', name: 'b', subresource: 'log' },
  ],
  [
    '/apis/karpenter.sh/v1/nodepools/x/status',
    { group: 'karpenter.sh', version: 'v1', plural: 'nodepools', name: 'x', subresource: 'status' },
  ],
  [
    '/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Anode',
    { group: 'rbac.authorization.k8s.io', version: 'v1', plural: 'clusterroles', name: 'system:node' },
  ],
  ['/apis/apps/v1', undefined],
  ['/version', undefined],
])('%s addresses %j', (path, expected) => expect(parseResourcePath(path)).toEqual(expected))

test.each([
  [undefined, 'object'],
  ['*/*', 'object'],
  ['application/json', 'object'],
  ['application/json;as=Table;v=v1;g=meta.k8s.io,application/json', 'table'],
  ['application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json', 'object'],
  ['application/vnd.kubernetes.protobuf,application/json', 'object'],
  ['application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io', 'partial'],
  ['application/vnd.kubernetes.protobuf', undefined],
])('Accept: %s selects the form %s', (accept, form) => expect(negotiate(accept)).toBe(form))

test('aggregated discovery requires an Accept header with its stable version', () => {
  expect(wantsAggregated('application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json')).toBe(
    true,
  )
  expect(wantsAggregated('application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList')).toBe(false)
  expect(wantsAggregated('application/json')).toBe(false)
})

describe('protobuf', () => {
  const field = (tag: number, content: Buffer | string): Buffer => {
    const bytes = Buffer.from(content)
    return Buffer.concat([Buffer.from([(tag << 3) | 2, bytes.length]), bytes])
  }
  const envelope = (apiVersion: string, kind: string, raw: Buffer): Buffer =>
    Buffer.concat([
      Buffer.from('k8s\0'),
      field(1, Buffer.concat([field(1, apiVersion), field(2, kind)])),
      field(2, raw),
    ])

  test('decodes maps, pointers, inlined structures and quantities, and omits zero values', () => {
    const limits = field(1, Buffer.concat([field(1, 'cpu'), field(2, field(1, '2'))]))
    const container = Buffer.concat([field(1, 'main'), field(2, ''), field(8, limits), Buffer.from([16 * 8, 1, 0])])
    const volume = Buffer.concat([field(1, 'v'), field(2, field(2, ''))])
    const spec = Buffer.concat([field(1, volume), field(2, container), Buffer.from([4 * 8, 0]), field(10, '')])
    const metadata = field(11, Buffer.concat([field(1, 'app'), field(2, 'x')]))
    expect(
      decodeProtobuf(envelope('v1', 'Pod', Buffer.concat([field(1, metadata), field(2, spec), field(3, '')]))),
    ).toEqual({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { labels: { app: 'x' } },
      spec: {
        volumes: [{ name: 'v', emptyDir: {} }],
        containers: [{ name: 'main', resources: { limits: { cpu: '2' } } }],
        terminationGracePeriodSeconds: 0,
      },
    })
  })

  test.each([
    ['other bytes', Buffer.from('{"a":1}')],
    ['a message that is cut off', envelope('v1', 'Pod', Buffer.from([10, 99]))],
  ])('refuses %s', (_, body) => expect(() => decodeProtobuf(body)).toThrow('the protobuf body cannot be read'))
})

describe('the server', () => {
  const api = new SandboxApi({ clock: new SystemClock(), random: new SeededRandom(7) })
  let server: SandboxServer
  beforeAll(async () => {
    server = await SandboxServer.start(api)
  })
  afterAll(() => server.close())
  const get = (path: string, headers: Record<string, string> = { authorization: `Bearer ${server.token}` }) =>
    fetch(`${server.url}${path}`, { headers })

  test('accepts the token in the header or the address, and refuses other clients', async () => {
    expect((await get('/api/v1/nodes')).status).toBe(200)
    expect((await get(`/${server.token}/api/v1/nodes`, {})).status).toBe(200)
    expect(await (await get('/api/v1/nodes', {})).json()).toMatchObject({
      kind: 'Status',
      code: 401,
      reason: 'Unauthorized',
    })
    expect((await get('/readyz', {})).status).toBe(200)
    expect(server.kubeconfig()).toContain(`server: ${server.url}/${server.token}`)
  })

  test('generates its own token, independent of the seed', async () => {
    const twin = await SandboxServer.start(new SandboxApi({ clock: new SystemClock(), random: new SeededRandom(7) }))
    await twin.close()
    expect(twin.token).toMatch(/^[\w-]{43}$/)
    expect(twin.token).not.toBe(server.token)
  })

  test('names the port that is in use', async () => {
    const port = Number(new URL(server.url).port)
    await expect(SandboxServer.start(api, { port })).rejects.toMatchObject({ code: 'PortInUse' })
  })

  test('refuses requests whose response could only be protobuf', async () => {
    expect(
      (
        await get('/api/v1/nodes', {
          authorization: `Bearer ${server.token}`,
          accept: 'application/vnd.kubernetes.protobuf',
        })
      ).status,
    ).toBe(406)
  })

  test('serves watches over WebSocket, with the token as a subprotocol', async () => {
    const bearer = `base64url.bearer.authorization.k8s.io.${Buffer.from(server.token).toString('base64url')}`
    const socket = new WebSocket(
      `${server.url.replace('http', 'ws')}/api/v1/namespaces?watch=1&fieldSelector=metadata.name%3Ddefault`,
      [bearer, 'base64.binary.k8s.io'],
    )
    const message = await new Promise<string>((resolve, reject) => {
      socket.onmessage = ({ data }) => resolve(String(data))
      socket.onerror = () => reject(new Error('the socket failed'))
    })
    expect(JSON.parse(message)).toMatchObject({
      type: 'ADDED',
      object: { kind: 'Namespace', metadata: { name: 'default' } },
    })
    socket.close()
    const stranger = new WebSocket(`${server.url.replace('http', 'ws')}/api/v1/namespaces?watch=1`)
    expect(
      await new Promise((resolve) => {
        stranger.onerror = () => resolve('refused')
      }),
    ).toBe('refused')
  })

  test('stopping the server ends its streams, and later requests fail', async () => {
    const other = await SandboxServer.start(api)
    const headers = { authorization: `Bearer ${other.token}` }
    const response = await fetch(`${other.url}/api/v1/nodes?watch=1`, { headers })
    let isOpen = true
    const ended = response
      .text()
      .catch(() => 'cut')
      .finally(() => {
        isOpen = false
      })
    expect((await fetch(`${other.url}/api/v1/nodes`, { headers })).status).toBe(200)
    expect(isOpen).toBe(true)
    await other.close()
    await ended
    await expect(fetch(`${other.url}/readyz`)).rejects.toThrow()
  })
})
