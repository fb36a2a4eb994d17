import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { type Connection, fixedCredentials, type HttpLimits } from '@kerf/runtime'
import { expect, onTestFinished, test } from 'vitest'
import { DashboardServer } from './dashboard-server.ts'

const listening = async (server: Server, address = '127.0.0.1'): Promise<string> => {
  server.listen(0, address)
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const host = address.includes(':') ? `[${address}]` : address
  return `http://${host}:${(server.address() as AddressInfo).port}`
}

const dashboardOf = async (
  connection: Partial<Connection> & Pick<Connection, 'server'>,
  limits: Partial<HttpLimits> = {},
): Promise<{ readonly dashboard: DashboardServer; readonly api: URL }> => {
  const directory = mkdtempSync(join(tmpdir(), 'kerf-dashboard-'))
  const dashboard = await DashboardServer.start({
    limits,
    files: { frontend: directory, plugin: directory, icons: directory },
    clusters: [
      { name: 'kerf', connection: { tls: {}, credentials: fixedCredentials({}), origin: 'a test', ...connection } },
    ],
  })
  onTestFinished(async () => {
    await dashboard.close()
    rmSync(directory, { recursive: true, force: true })
  })
  return { dashboard, api: new URL('clusters/kerf/api', dashboard.url) }
}

/** Opens a WebSocket at the HTTP level. Returns the sockets of both ends: the browser's and the API server's. */
const webSocket = async (): Promise<{
  readonly dashboard: DashboardServer
  readonly browser: Socket
  readonly upstream: Duplex
}> => {
  const server = createServer()
  const upgraded = new Promise<Duplex>((resolve) => {
    server.on('upgrade', (_request, socket) => {
      onTestFinished(() => void socket.destroy())
      socket.on('error', () => undefined)
      // An API server also ends the connection when its peer does.
      socket.on('end', () => socket.end())
      socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\n\r\nwelcome')
      resolve(socket)
    })
  })
  const { dashboard, api } = await dashboardOf({ server: await listening(server) })
  const call = request(api, { headers: { connection: 'Upgrade', upgrade: 'websocket' } })
  call.end()
  const [, browser, head] = (await once(call, 'upgrade')) as [unknown, Socket, Buffer]
  onTestFinished(() => void browser.destroy())
  browser.on('error', () => undefined)
  const upstream = await upgraded
  const welcome = head.length > 0 ? head : ((await once(browser, 'data')) as [Buffer])[0]
  expect(String(welcome)).toBe('welcome')
  browser.write('hello')
  expect(String(((await once(upstream, 'data')) as [Buffer])[0])).toBe('hello')
  return { dashboard, browser, upstream }
}

test.each(['POST', 'DELETE'])('a body of unknown length reaches the API server completely: %s', async (method) => {
  const seen: unknown[] = []
  const url = await listening(
    createServer(async (incoming, response) => {
      let text = ''
      for await (const chunk of incoming) text += String(chunk)
      seen.push([incoming.method, incoming.headers['content-length'], text])
      response.end('{}')
    }),
  )
  const { api } = await dashboardOf({ server: url })
  const call = request(api, { method, headers: { 'transfer-encoding': 'chunked' } })
  call.write('{"gracePeriodSeconds"')
  call.end(':0}')
  const [answer] = (await once(call, 'response')) as [IncomingMessage]
  answer.resume()
  expect([answer.statusCode, seen]).toEqual([200, [[method, undefined, '{"gracePeriodSeconds":0}']]])
})

test('requests to the API server go through the kubeconfig’s proxy', async () => {
  const seen: unknown[] = []
  const proxyUrl = await listening(
    createServer((incoming, response) => {
      // RFC 9112, 3.2.2: a request to a proxy contains the absolute URL.
      seen.push(incoming.url)
      response.end('{}')
    }),
  )
  const { api } = await dashboardOf({ server: 'http://cluster.test:8080/base', proxyUrl })
  expect((await fetch(api)).status).toBe(200)
  expect(seen).toEqual(['http://cluster.test:8080/base/api'])
})

test('when the dashboard closes, all connections to the API server close', async () => {
  const server = createServer((_request, response) => response.end('{}'))
  // This is longer than any test, so the server does not close idle connections itself.
  server.keepAliveTimeout = 600_000
  const ended = new Promise<void>((resolve) => {
    server.on('connection', (socket) => socket.on('close', () => resolve()))
  })
  const { dashboard, api } = await dashboardOf({ server: await listening(server) })
  await (await fetch(api)).text()
  await (await fetch(api)).text()
  await dashboard.close()
  await ended
})

test.each(['the browser', 'the API server', 'the dashboard'] as const)(
  'a WebSocket that %s cuts ends on both sides',
  async (who) => {
    const { dashboard, browser, upstream } = await webSocket()
    const ends = [browser, upstream].map((socket) => new Promise((resolve) => socket.on('close', resolve)))
    browser.resume()
    upstream.resume()
    // Resets the connection, as happens when a process is killed.
    if (who === 'the browser') browser.resetAndDestroy()
    else if (who === 'the API server') (upstream as Socket).resetAndDestroy()
    else await dashboard.close()
    await Promise.all(ends)
  },
)

const WEB_SOCKET = { connection: 'Upgrade', upgrade: 'websocket' }

test.each(['clusters/other/api', 'config', '../clusters/kerf/api'])('a WebSocket to %s is refused', async (path) => {
  const { dashboard } = await dashboardOf({ server: 'http://127.0.0.1:9' })
  const call = request(new URL(path, dashboard.url), { headers: WEB_SOCKET })
  call.end()
  const [answer] = (await once(call, 'response')) as [IncomingMessage]
  expect([answer.statusCode, answer.statusMessage]).toEqual([404, 'Not Found'])
})

test.each([{}, WEB_SOCKET])(
  'a closed dashboard sends no requests, including those that waited for credentials: %o',
  async (headers) => {
    const asked: unknown[] = []
    const server = createServer((incoming, response) => {
      asked.push(incoming.url)
      response.end()
    })
    server.on('upgrade', (incoming, socket) => {
      asked.push(incoming.url)
      socket.destroy()
    })
    const url = await listening(server)
    const wanted = Promise.withResolvers<void>()
    const given = Promise.withResolvers<object>()
    const { api, dashboard } = await dashboardOf({
      server: url,
      credentials: {
        current: () => {
          wanted.resolve()
          return given.promise
        },
        invalidate: () => undefined,
      },
    })
    const call = request(api, { headers })
    call.on('error', () => undefined)
    call.end()
    await wanted.promise
    expect(await dashboard.connections()).toBe(1)
    await dashboard.close()
    given.resolve({})
    // If the dashboard had sent a request, it would have arrived before this one.
    expect((await fetch(`${url}/later`)).status).toBe(200)
    expect(asked).toEqual(['/later'])
  },
)

/** Sends raw bytes that no HTTP client would send. Returns everything that the server sends back. */
const converse = async (address: string, bytes: string): Promise<string> => {
  const socket = connect(Number(new URL(address).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.write(bytes)
  let text = ''
  for await (const chunk of socket.setEncoding('latin1')) text += chunk
  return text
}

test('an API server with an IPv6 address gets requests', async () => {
  const { api } = await dashboardOf({
    server: await listening(
      createServer((_, response) => response.end('six')),
      '::1',
    ),
  })
  expect(await (await fetch(api)).text()).toBe('six')
})

test('a refused WebSocket gets the API server’s response, or the reason why there is none', async () => {
  const server = createServer()
  const offered: unknown[] = []
  server.on('upgrade', ({ headers }, socket) => {
    offered.push(headers['sec-websocket-protocol'])
    socket.end('HTTP/1.1 403 Not for you\r\ncontent-length: 0\r\n\r\n')
  })
  const refusal = async (url: string) => {
    const { api } = await dashboardOf({ server: url })
    const call = request(api, { headers: WEB_SOCKET })
    call.end()
    const [answer] = (await once(call, 'response')) as [IncomingMessage]
    return [answer.statusCode, answer.statusMessage]
  }
  expect(await refusal(await listening(server))).toEqual([403, 'Not for you'])
  // The browser offered no protocols, so the header must be absent (RFC 6455, 4.1).
  expect(offered).toEqual([undefined])
  expect(await refusal('http://127.0.0.1:9')).toEqual([502, 'connection refused'])
})

test('if the browser disconnects before the API server has answered an upgrade, the request to the API server ends', async () => {
  const server = createServer()
  const asked = Promise.withResolvers<Duplex>()
  server.on('upgrade', (_request, socket) => {
    socket.on('error', () => undefined)
    asked.resolve(socket)
  })
  const { api } = await dashboardOf({ server: await listening(server) })
  const call = request(api, { headers: WEB_SOCKET })
  call.on('error', () => undefined)
  call.end()
  const upstream = await asked.promise
  onTestFinished(() => void upstream.destroy())
  const ended = once(upstream, 'close')
  upstream.resume()
  upstream.on('end', () => upstream.end())
  call.destroy()
  await ended
})

test('the options set the limits', async () => {
  const { api } = await dashboardOf({ server: 'http://127.0.0.1:9' }, { headers: 60, checkInterval: 20 })
  expect(await converse(api.href, 'GET / HTTP/1.1\r\n')).toMatch(/^HTTP\/1\.1 408 /)
})
