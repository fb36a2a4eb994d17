import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import type { Connection } from '@kerf/runtime'
import { fixedCredentials } from '@kerf/runtime'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DashboardServer } from './dashboard-server.ts'

let directory = ''
let api: Server
let server: DashboardServer
const upgraded: Duplex[] = []
const seen: { method: string; url: string; headers: IncomingHttpHeaders; body: string }[] = []

const connectionTo = (url: string): Connection => ({
  server: url,
  tls: {},
  credentials: fixedCredentials({ authorization: 'Bearer of-the-kubeconfig' }),
  origin: 'a test',
})

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'kerf-dashboard-'))
  const file = (path: string, text: string): void => {
    mkdirSync(join(directory, path, '..'), { recursive: true })
    writeFileSync(join(directory, path), text)
  }
  file('frontend/index.html', '<html><head></head><script src="./assets/main-12345678.js"></script></html>')
  file('frontend/assets/main-12345678.js', 'let a')
  file('plugin/main.js', 'plugin')
  file('plugin/package.json', '{}')
  file(
    'icons/icons.json',
    '{"prefix":"mdi","width":24,"icons":{"bell":{"body":"b"},"cog":{"body":"c"}},"aliases":{"gear":{"parent":"cog"}}}',
  )
  file('secret.txt', 'secret')
  api = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += String(chunk)
    })
    request.on('end', () => {
      seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body })
      response.writeHead(201, { 'content-type': 'application/json', 'set-cookie': 'a=b' })
      response.end('{"answer":42}')
    })
  })
  api.on('upgrade', (request, socket) => {
    upgraded.push(socket)
    seen.push({ method: 'UPGRADE', url: request.url ?? '', headers: request.headers, body: '' })
    socket.write(
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-protocol: base64.binary.k8s.io\r\n\r\n',
    )
    socket.pipe(socket)
  })
  await new Promise<void>((resolve) => {
    api.listen(0, '127.0.0.1', resolve)
  })
  const url = `http://127.0.0.1:${(api.address() as AddressInfo).port}`
  server = await DashboardServer.start({
    files: {
      frontend: join(directory, 'frontend'),
      plugin: join(directory, 'plugin'),
      icons: join(directory, 'icons'),
    },
    clusters: [
      { name: 'arn:example:k8s:x/Production', connection: connectionTo(`${url}/prefix`) },
      { name: 'gone', connection: connectionTo('http://127.0.0.1:9') },
    ],
  })
})
afterAll(async () => {
  await server.close()
  await new Promise<void>((resolve) => {
    api.close(() => resolve())
    api.closeAllConnections()
    // The HTTP server does not close a socket after an upgrade.
    for (const socket of upgraded.splice(0)) socket.destroy()
  })
  rmSync(directory, { recursive: true, force: true })
})

const get = (path: string, init: RequestInit = {}): Promise<Response> => fetch(new URL(path, server.url), init)
const origin = (): string => new URL(server.url).origin

describe('the dashboard’s server', () => {
  test('shows nothing without the token', async () => {
    for (const path of [
      '/',
      '/config',
      '/x/config',
      '/clusters/gone/api',
      `${new URL(server.url).pathname.slice(0, -2)}/config`,
    ]) {
      expect((await fetch(origin() + path)).status).toBe(404)
    }
  })

  test('every route returns the page, which contains its base path and loads nothing from other servers', async () => {
    for (const path of ['', 'c/gone/nodes', 'index.html']) {
      const answer = await get(path)
      const text = await answer.text()
      const base = new URL(server.url).pathname.slice(0, -1)
      expect(text).toContain(`window.headlampBaseUrl="${base}"`)
      expect(text).toContain(`src="${base}/assets/main-12345678.js"`)
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'self'")
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    }
  })

  test('serves files, lets browsers cache hashed files permanently, and serves nothing outside their directory', async () => {
    const script = await get('assets/main-12345678.js')
    expect(await script.text()).toBe('let a')
    expect(script.headers.get('cache-control')).toContain('immutable')
    expect((await get('assets/nothing.js')).status).toBe(404)
    for (const path of ['..%2fsecret.txt', 'plugins/kerf/..%2f..%2fsecret.txt', 'plugins/kerf/%00']) {
      expect(await (await get(path)).text()).not.toContain('secret')
    }
  })

  test('returns its clusters, its plugin and its icons', async () => {
    const config = (await (await get('config')).json()) as { clusters: { name: string; auth_type: string }[] }
    expect(config.clusters.map(({ name, auth_type }) => [name, auth_type])).toEqual([
      ['arn-example-k8s-x-production', ''],
      ['gone', ''],
    ])
    expect(await (await get('plugins')).json()).toEqual([{ path: 'plugins/kerf', type: 'shipped', name: 'kerf' }])
    expect(await (await get('plugins/kerf/main.js')).text()).toBe('plugin')
    expect(await (await get('icons/mdi.json?icons=gear,bell,nope')).json()).toEqual({
      prefix: 'mdi',
      width: 24,
      icons: { cog: { body: 'c' }, bell: { body: 'b' } },
      aliases: { gear: { parent: 'cog' } },
      not_found: ['nope'],
    })
    expect((await get('icons/fa.json?icons=a')).status).toBe(404)
    expect((await get('config', { method: 'POST' })).status).toBe(405)
  })

  test('the path after a cluster’s name is optional, and the query is forwarded', async () => {
    for (const [asked, path] of [
      ['', '/'],
      ['?limit=1', '/?limit=1'],
      ['/?limit=1', '/?limit=1'],
    ]) {
      await (await get(`clusters/arn-example-k8s-x-production${asked}`)).text()
      expect(seen.at(-1)?.url).toBe(`/prefix${path}`)
    }
    const page = await fetch(server.url.slice(0, -1))
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  })

  test('forwards calls as the kubeconfig’s user', async () => {
    const answer = await get('clusters/arn-example-k8s-x-production/api/v1/pods?limit=1', {
      method: 'PATCH',
      body: '{"a":1}',
      headers: {
        'content-type': 'application/merge-patch+json',
        authorization: 'Bearer of-the-browser',
        cookie: 'c=d',
      },
    })
    expect(answer.status).toBe(201)
    expect(answer.headers.get('set-cookie')).toBeNull()
    expect(await answer.json()).toEqual({ answer: 42 })
    const call = seen.at(-1)
    expect([call?.method, call?.url, call?.body]).toEqual(['PATCH', '/prefix/api/v1/pods?limit=1', '{"a":1}'])
    expect(call?.headers.authorization).toBe('Bearer of-the-kubeconfig')
    expect(call?.headers['content-type']).toBe('application/merge-patch+json')
    expect(call?.headers.cookie).toBeUndefined()
  })

  test('a request to an unreachable or unknown cluster gets a clear error', async () => {
    const away = await get('clusters/gone/api/v1/pods')
    expect([away.status, await away.json()]).toMatchObject([
      502,
      { kind: 'Status', message: 'cannot reach the API server http://127.0.0.1:9: connection refused' },
    ])
    expect((await get('clusters/other/api')).status).toBe(404)
  })

  test('forwards a WebSocket without the browser’s tokens and with an origin', async () => {
    const address = `${server.url.replace('http', 'ws')}clusters/arn-example-k8s-x-production/api/v1/pods?watch=1`
    const echoed = await new Promise<string>((resolve, reject) => {
      const call = request(address.replace('ws', 'http'), {
        headers: {
          connection: 'Upgrade',
          upgrade: 'websocket',
          'sec-websocket-version': '13',
          'sec-websocket-key': 'MTIzNDU2Nzg5MDEyMzQ1Ng==',
          'sec-websocket-protocol': 'base64.binary.k8s.io, base64url.bearer.authorization.k8s.io.abc',
        },
      })
      call.on('error', reject)
      call.on('upgrade', (_answer, socket) => {
        socket.write('hello')
        socket.once('data', (data) => {
          resolve(String(data))
          socket.destroy()
        })
      })
      call.end()
    })
    expect(echoed).toBe('hello')
    const call = seen.at(-1)
    expect(call?.url).toBe('/prefix/api/v1/pods?watch=1')
    expect(call?.headers['sec-websocket-protocol']).toBe('base64.binary.k8s.io')
    expect(call?.headers.authorization).toBe('Bearer of-the-kubeconfig')
    expect(call?.headers.origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  })
})
