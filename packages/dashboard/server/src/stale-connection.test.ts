import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fixedCredentials } from '@kerf/runtime'
import { expect, onTestFinished, test } from 'vitest'
import { DashboardServer } from './dashboard-server.ts'

/**
 * Starts an API server that responds to the first `answered` requests on each connection. At the next request it
 * sends `lastWords`, if given, and closes the connection.
 */
const startForgetfulServer = async (
  answered = 1,
  lastWords?: string,
): Promise<{ readonly url: string; readonly requests: readonly string[] }> => {
  const requests: string[] = []
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    let asked = 0
    open.add(socket)
    socket.on('error', () => undefined)
    socket.on('data', (data) => {
      const [method = ''] = String(data).split(' ', 1)
      // The body of a request may arrive separately.
      if (!/^[A-Z]+$/.test(method)) return
      requests.push(method)
      asked++
      const body = method === 'HEAD' ? '' : '{}'
      if (asked <= answered)
        socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: keep-alive\r\n\r\n${body}`)
      else if (lastWords !== undefined) socket.end(lastWords)
      else socket.destroy()
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

const startDashboard = async (url: string): Promise<DashboardServer> => {
  const directory = mkdtempSync(join(tmpdir(), 'kerf-dashboard-'))
  const credentials = fixedCredentials({})
  const server = await DashboardServer.start({
    files: { frontend: directory, plugin: directory, icons: directory },
    clusters: [{ name: 'kerf', connection: { server: url, tls: {}, credentials, origin: 'a test' } }],
  })
  onTestFinished(async () => {
    await server.close()
    rmSync(directory, { recursive: true, force: true })
  })
  return server
}

test('if the API server has closed the connection, a read is sent again', async () => {
  const api = await startForgetfulServer()
  const dashboard = await startDashboard(api.url)
  const read = async (): Promise<unknown[]> => {
    const answer = await fetch(new URL('clusters/kerf/api', dashboard.url))
    return [answer.status, await answer.text()]
  }
  expect(await read()).toEqual([200, '{}'])
  expect(await read()).toEqual([200, '{}'])
  expect(await read()).toEqual([200, '{}'])
  expect(api.requests).toEqual(['GET', 'GET', 'GET', 'GET', 'GET'])
})

test('a HEAD request is sent again like any read', async () => {
  const api = await startForgetfulServer()
  const dashboard = await startDashboard(api.url)
  const ask = () => fetch(new URL('clusters/kerf/api', dashboard.url), { method: 'HEAD' })
  expect([(await ask()).status, (await ask()).status]).toEqual([200, 200])
  expect(api.requests).toEqual(['HEAD', 'HEAD', 'HEAD'])
})

test.each([{ 'content-length': '2' }, { 'transfer-encoding': 'chunked' }])(
  'a read with a body is not sent again, because the body can be read only once: %o',
  async (headers) => {
    const api = await startForgetfulServer()
    const dashboard = await startDashboard(api.url)
    const url = new URL('clusters/kerf/api', dashboard.url)
    await (await fetch(url)).text()
    const call = request(url, { headers })
    call.end('{}')
    const [answer] = (await once(call, 'response')) as [IncomingMessage]
    answer.resume()
    expect(answer.statusCode).toBe(502)
    expect(api.requests).toEqual(['GET', 'GET'])
  },
)

test('a request is not repeated if the API server closes a new connection', async () => {
  const api = await startForgetfulServer(0)
  const dashboard = await startDashboard(api.url)
  expect((await fetch(new URL('clusters/kerf/api', dashboard.url))).status).toBe(502)
  expect(api.requests).toEqual(['GET'])
})

test('a request with a malformed response is not repeated, even on an old connection', async () => {
  const api = await startForgetfulServer(1, 'no HTTP\r\n\r\n')
  const dashboard = await startDashboard(api.url)
  const read = () => fetch(new URL('clusters/kerf/api', dashboard.url))
  await (await read()).text()
  expect((await read()).status).toBe(502)
  expect(api.requests).toEqual(['GET', 'GET'])
})

test('a response with an invalid status is not forwarded', async () => {
  const api = await startForgetfulServer(0, 'HTTP/1.1 099 Odd\r\ncontent-length: 0\r\n\r\n')
  const dashboard = await startDashboard(api.url)
  const answer = await fetch(new URL('clusters/kerf/api', dashboard.url))
  expect([answer.status, await answer.json()]).toMatchObject([
    502,
    { message: expect.stringMatching(/^the API server http:\/\/127\.0\.0\.1:\d+ sent an invalid response: .*99/) },
  ])
})

test.each([
  ['POST', '{}'],
  ['DELETE', undefined],
])('a write (%s) is sent only once, because the server may have applied it', async (method, body) => {
  const api = await startForgetfulServer()
  const dashboard = await startDashboard(api.url)
  const write = (): Promise<Response> =>
    fetch(new URL('clusters/kerf/api', dashboard.url), { method, ...(body !== undefined && { body }) })
  const first = await write()
  expect([first.status, await first.text()]).toEqual([200, '{}'])
  const second = await write()
  expect(second.status).toBe(502)
  expect(await second.json()).toMatchObject({
    kind: 'Status',
    message: expect.stringContaining('cannot reach the API server'),
  })
  expect(api.requests).toEqual([method, method])
})
