import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type Connection, fixedCredentials } from '@kerf/runtime'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { DashboardServer } from './dashboard-server.ts'

/** Headers that apply to one connection only (RFC 9110, 7.6.1), and older headers of the same kind. */
const ONE_HOP = {
  'keep-alive': 'timeout=77',
  'proxy-authenticate': 'Basic',
  'proxy-authorization': 'Basic abc',
  te: 'trailers',
  trailer: 'expires',
  upgrade: 'h2c',
}
const FILES = {
  'frontend/index.html': '<html><head></head></html>',
  'frontend/assets/main-12345678.js': 'let packed = false',
  'frontend/plain.css': 'a{}',
  'frontend/main.js': 'let a',
  'frontend/main.js.map': '{}',
  'frontend/favicon.ico': 'ico',
  'frontend/photo.jpg': 'jpg',
  'frontend/logo.svg': '<svg/>',
  'frontend/font.ttf': 'font',
  'frontend/font.woff': 'font',
  'frontend/robots.txt': 'none',
  'frontend/site.webmanifest': '{}',
  'frontend/frame.html': '<p>',
  'frontend/data.json': '{}',
  'frontend/logo.png': 'png',
  'frontend/font.woff2': 'font',
  'frontend/what.ever': 'bytes',
  'frontend/touch-icon.png': 'png',
  'icons/icons.json': JSON.stringify({
    prefix: 'mdi',
    height: 16,
    icons: { real: { body: 'r' } },
    aliases: {
      a: { parent: 'b' },
      b: { parent: 'a' },
      gone: { parent: 'nope' },
      far: { parent: 'nearer' },
      nearer: { parent: 'near' },
      near: { parent: 'real' },
    },
  }),
}

let directory = ''
let api: Server
let server: DashboardServer
let status = 200
let invalidated = 0
const seen: IncomingHttpHeaders[] = []
const asked: { readonly path: string; readonly isAborted: boolean }[] = []

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'kerf-dashboard-'))
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    writeFileSync(join(directory, path), text)
  }
  writeFileSync(join(directory, 'frontend/assets/main-12345678.js.gz'), gzipSync('let packed = true'))
  api = createServer((incoming, response) => {
    seen.push(incoming.headers)
    response.writeHead(status, { ...ONE_HOP, connection: 'close', warning: '299 - "old"' })
    response.end('{}')
  })
  await new Promise<void>((resolve) => {
    api.listen(0, '127.0.0.1', resolve)
  })
  const to = (credentials: Connection['credentials']): Connection => ({
    server: `http://127.0.0.1:${(api.address() as AddressInfo).port}`,
    tls: {},
    credentials,
    origin: 'the kubeconfig of a test',
  })
  const fixed = fixedCredentials({ authorization: 'Bearer a' })
  server = await DashboardServer.start({
    files: { frontend: join(directory, 'frontend'), plugin: join(directory, 'none'), icons: join(directory, 'icons') },
    clusters: [
      {
        name: 'Own',
        connection: to({
          current: () => fixed.current(),
          invalidate: () => {
            invalidated += 1
          },
        }),
        controller: {
          metrics: () => Promise.resolve('kerf_up 1\n'),
          answer: (path, signal) => {
            asked.push({ path, isAborted: signal.aborted })
            return Promise.resolve(path === '/simulate' ? { nodes: 3 } : undefined)
          },
        },
      },
      {
        name: '://',
        connection: to({ current: () => Promise.reject(new Error('the plugin failed')), invalidate: () => undefined }),
      },
    ],
  })
})
afterAll(async () => {
  await server.close()
  await new Promise<void>((resolve) => {
    api.close(() => resolve())
    api.closeAllConnections()
  })
  rmSync(directory, { recursive: true, force: true })
})

beforeEach(() => {
  status = 200
  invalidated = 0
  seen.length = 0
  asked.length = 0
})

const get = (path: string, init: RequestInit = {}): Promise<Response> => fetch(new URL(path, server.url), init)
const answerMessage = async (answer: Response): Promise<string> =>
  ((await answer.json()) as { message: string }).message

test('if Kerf runs in this process, the page queries it by the cluster’s name in the address', async () => {
  expect(await (await get('')).text()).toContain('window.kerfControllers=["own"]')
  const metrics = await get('controllers/own/metrics')
  expect([metrics.status, await metrics.text()]).toEqual([200, 'kerf_up 1\n'])
  expect(metrics.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  expect(metrics.headers.get('cache-control')).toBe('no-store')
  const answer = await get('controllers/own/simulate')
  expect([answer.status, await answer.json()]).toEqual([200, { nodes: 3 }])
  expect(asked).toEqual([{ path: '/simulate', isAborted: false }])
  const unanswered = await get('controllers/own/other')
  expect([unanswered.status, await answerMessage(unanswered)]).toEqual([404, 'the controller does not serve this path'])
  const other = await get('controllers/cluster/metrics')
  expect([other.status, await answerMessage(other)]).toEqual([404, 'no controller of cluster is served here'])
})

test('a context name without valid characters becomes "cluster", and the frontend gets the source of its clusters', async () => {
  const config = await get('config')
  expect(config.headers.get('cache-control')).toBe('no-store')
  expect(config.headers.get('content-type')).toBe('application/json; charset=utf-8')
  const entry = (name: string) => ({
    name,
    server: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+/),
    auth_type: '',
    meta_data: { source: 'kubeconfig', origin: { kubeconfig: 'the kubeconfig of a test' }, clusterID: name },
  })
  expect(await config.json()).toEqual({
    clusters: [entry('own'), entry('cluster')],
    isDynamicClusterEnabled: false,
    allowKubeconfigChanges: false,
  })
})

test('a refusal is a Kubernetes Status that caches do not store', async () => {
  const answer = await get('clusters/own/me')
  expect([answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
    'application/json',
    'no-store',
  ])
  expect(await answer.json()).toEqual({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'not known',
    code: 404,
  })
})

test('every file has a content type, and only files with a hash in their name are cached permanently', async () => {
  for (const [path, type] of [
    ['plain.css', 'text/css; charset=utf-8'],
    ['main.js', 'text/javascript; charset=utf-8'],
    ['main.js.map', 'application/json; charset=utf-8'],
    ['favicon.ico', 'image/x-icon'],
    ['photo.jpg', 'image/jpeg'],
    ['logo.svg', 'image/svg+xml'],
    ['font.ttf', 'font/ttf'],
    ['font.woff', 'font/woff'],
    ['robots.txt', 'text/plain; charset=utf-8'],
    ['site.webmanifest', 'application/manifest+json'],
    ['frame.html', 'text/html; charset=utf-8'],
    ['data.json', 'application/json; charset=utf-8'],
    ['logo.png', 'image/png'],
    ['font.woff2', 'font/woff2'],
    ['what.ever', 'application/octet-stream'],
    ['touch-icon.png', 'image/png'],
  ] as const) {
    const answer = await get(path)
    expect([path, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
      path,
      type,
      'no-cache',
    ])
    await answer.text()
  }
})

test('clients that accept compression get the compressed file', async () => {
  const ask = async (encoding: string) => {
    const answer = await get('assets/main-12345678.js', { headers: { 'accept-encoding': encoding } })
    return [await answer.text(), answer.headers.get('content-encoding')]
  }
  expect(await ask('gzip')).toEqual(['let packed = true', 'gzip'])
  expect(await ask('identity')).toEqual(['let packed = false', null])
  const head = await get('plain.css', { method: 'HEAD' })
  expect([head.status, await head.text(), head.headers.get('content-length')]).toEqual([200, '', '3'])
})

test('an icon alias without a target is not found, and an alias of itself does not cause an endless loop', async () => {
  const answer = await get('icons/mdi.json?icons=gone,a')
  expect(answer.headers.get('cache-control')).toBe('max-age=86400')
  expect(await answer.json()).toEqual({ prefix: 'mdi', height: 16, icons: {}, aliases: {}, not_found: ['gone', 'a'] })
})

test('the response for an alias of an alias contains every icon that it refers to', async () => {
  expect(await (await get('icons/mdi.json?icons=far,near,')).json()).toEqual({
    prefix: 'mdi',
    height: 16,
    icons: { real: { body: 'r' } },
    aliases: { far: { parent: 'nearer' }, nearer: { parent: 'near' }, near: { parent: 'real' } },
    not_found: [],
  })
  expect(await (await get('icons/mdi.json')).json()).toMatchObject({ icons: {}, not_found: [] })
})

test('without a plugin the frontend gets an empty list', async () => {
  expect(await (await get('plugins')).json()).toEqual([])
  // `%ff` is a percent escape that is not valid UTF-8.
  for (const file of ['main.js', '%ff']) {
    const missing = await get(`plugins/kerf/${file}`)
    expect([missing.status, await answerMessage(missing)]).toEqual([404, 'no such file in the plugin'])
  }
})

test('the page allows content of every kind from this server only', async () => {
  const { headers } = await get('')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  const policy = headers.get('content-security-policy') ?? ''
  const rules = Object.fromEntries(policy.split('; ').map((rule) => [rule.split(' ')[0], rule]))
  expect(rules).toEqual({
    'default-src': "default-src 'self'",
    'script-src': "script-src 'self' 'unsafe-inline' 'unsafe-eval'",
    'style-src': "style-src 'self' 'unsafe-inline'",
    'img-src': "img-src 'self' data: blob:",
    'font-src': "font-src 'self' data:",
    'worker-src': "worker-src 'self' blob:",
    'connect-src': "connect-src 'self'",
    'frame-ancestors': "frame-ancestors 'none'",
    'base-uri': "base-uri 'self'",
  })
})

test('headers for one connection are not forwarded in either direction', async () => {
  // Node's client accepts these headers on a request without a body.
  const sent = { te: ONE_HOP.te, 'proxy-authorization': ONE_HOP['proxy-authorization'] }
  const answer = await new Promise<IncomingHttpHeaders>((resolve, reject) => {
    const call = request(
      new URL('clusters/own/api', server.url),
      { headers: { ...sent, accept: 'a/b' } },
      (incoming) => {
        incoming.resume().on('end', () => resolve(incoming.headers))
      },
    )
    call.on('error', reject)
    call.end()
  })
  expect(seen.at(-1)?.accept).toBe('a/b')
  expect(Object.keys(seen.at(-1) ?? {}).filter((name) => name in sent)).toEqual([])
  expect(answer.warning).toBe('299 - "old"')
  // The dashboard sets its own keep-alive on the connection to the browser.
  expect(Object.keys(answer).filter((name) => name in ONE_HOP && name !== 'keep-alive')).toEqual([])
  expect(answer.connection).toBe('keep-alive')
  expect(answer['keep-alive']).not.toBe(ONE_HOP['keep-alive'])
})

test('credentials that the API server refuses are read again, and unreadable credentials cause a clear error', async () => {
  await (await get('clusters/own/api')).text()
  expect(invalidated).toBe(0)
  status = 401
  expect((await get('clusters/own/api')).status).toBe(401)
  expect(invalidated).toBe(1)
  const unread = await get('clusters/cluster/api')
  expect([unread.status, await answerMessage(unread)]).toEqual([
    502,
    'no credentials for the kubeconfig of a test: the plugin failed',
  ])
})

test('an IPv6 address in the URL has brackets', async () => {
  const files = { frontend: join(directory, 'frontend'), plugin: directory, icons: directory }
  const other = await DashboardServer.start({ files, clusters: [], address: '::1' })
  try {
    expect(new URL(other.url).hostname).toBe('[::1]')
    expect((await fetch(`${other.url}config`)).status).toBe(200)
  } finally {
    await other.close()
  }
})

test('a closed server responds to no request, and its port is free', async () => {
  const files = { frontend: join(directory, 'frontend'), plugin: directory, icons: directory }
  const first = await DashboardServer.start({ files, clusters: [] })
  expect((await fetch(`${first.url}config`)).status).toBe(200)
  await first.close()
  await expect(fetch(`${first.url}config`)).rejects.toThrow()
  const second = await DashboardServer.start({ files, clusters: [], port: Number(new URL(first.url).port) })
  await second.close()
})
