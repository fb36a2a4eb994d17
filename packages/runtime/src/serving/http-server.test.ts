import { once } from 'node:events'
import { createServer, Server } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { converse, openSocket, readToEnd, readUntil, responseStatus } from '../testing/raw-socket.ts'
import { HttpServer, type HttpServerOptions, refuseUpgrade } from './http-server.ts'

interface Fault {
  readonly error: unknown
  readonly request: { readonly method: string; readonly target: string } | undefined
}

const serve = async (options: Partial<HttpServerOptions> = {}) => {
  const faults: Fault[] = []
  const server = await HttpServer.listen({
    endpoint: 'test',
    address: '127.0.0.1',
    port: 0,
    handle: ({ response, target }) => void response.end(target),
    fault: (error, request) => faults.push({ error, request }),
    ...options,
  })
  onTestFinished(() => server.close())
  return { faults, port: server.port, server }
}

const GET = (target: string, headers = 'connection: close'): string =>
  `GET ${target} HTTP/1.1\r\nhost: a.test\r\n${headers}\r\n\r\n`
const UPGRADE = 'connection: Upgrade\r\nupgrade: websocket'
const answerBody = (answer: string): string => answer.slice(answer.indexOf('\r\n\r\n') + 4)

test('a handler gets path and query as the client sent them, and is not called for an invalid path', async () => {
  const { faults, port } = await serve()
  expect(answerBody(await converse(port, GET('/a/../b?c=%20')))).toContain('/a/../b?c=%20')
  const refused = await converse(port, GET('/%zz'))
  expect(responseStatus(refused)).toBe(400)
  expect(refused.toLowerCase()).toContain('content-type: text/plain; charset=utf-8')
  expect(faults).toEqual([])
})

test('an unexpected error of a handler becomes a 500, and is reported with the request', async () => {
  const error = new Error('broken')
  const handle = () => Promise.reject(error)
  const { faults, port } = await serve({ handle })
  const answer = await converse(port, GET('/a?b'))
  expect([responseStatus(answer), answerBody(answer)]).toEqual([500, expect.stringContaining('internal error\n')])
  expect(faults).toEqual([{ error, request: { method: 'GET', target: '/a?b' } }])
})

test('if a handler fails during its response, the connection is cut, so that no client treats the response as complete', async () => {
  const { faults, port, server } = await serve({
    handle: ({ response }) => {
      response.writeHead(200)
      response.write('half')
      throw new Error('broken')
    },
  })
  const answer = await converse(port, GET('/'))
  // The final chunk of the body (RFC 9112, 7.1) is missing.
  expect(answer).not.toContain('\r\n0\r\n\r\n')
  expect(answer).not.toContain('internal error')
  expect(faults).toHaveLength(1)
  expect(await server.connections()).toBe(0)
})

test('a server may refuse requests in its own format', async () => {
  const { port } = await serve({
    handle: () => {
      throw new Error('broken')
    },
    refuse: (response, code) => void response.writeHead(code, { 'x-own': 'yes' }).end(`own ${code}`),
  })
  expect(answerBody(await converse(port, GET('/')))).toContain('own 500')
  const refused = await converse(port, GET('/%'))
  expect([responseStatus(refused), answerBody(refused)]).toEqual([400, expect.stringContaining('own 400')])
  expect(refused).toContain('x-own: yes')
})

test('a server without upgrades responds to an upgrade like to any other request', async () => {
  const { port } = await serve()
  const socket = await openSocket(port)
  socket.write(GET('/a', UPGRADE))
  expect(await readUntil(socket, '/a')).toContain('200 OK')
  socket.destroy()
})

test('an upgrade gets its connection, the bytes received so far, and the target; closing the server ends it', async () => {
  const { faults, port, server } = await serve({
    upgrade: ({ request, socket, head, target }) => {
      socket.write(`${request.headers.upgrade} ${target} ${head}.`)
    },
  })
  const socket = await openSocket(port)
  socket.write(`${GET('/a?b', UPGRADE)}first bytes`)
  expect(await readUntil(socket, '.')).toBe('websocket /a?b first bytes.')
  expect(await server.connections()).toBe(1)
  const ended = readToEnd(socket)
  await server.close()
  await ended
  expect(faults).toEqual([])
})

test('an upgrade with an invalid path is refused; an upgrade that fails is reported, and its connection ends', async () => {
  const error = new Error('broken')
  const { faults, port } = await serve({ upgrade: () => Promise.reject(error) })
  expect(await converse(port, GET('/%', UPGRADE))).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
  expect(faults).toEqual([])
  expect(await converse(port, GET('/a', UPGRADE))).toBe('')
  expect(faults).toEqual([{ error, request: { method: 'GET', target: '/a' } }])
})

test('a connection that is reset after its upgrade does not affect others', async () => {
  const closed = Promise.withResolvers<void>()
  const { faults, port, server } = await serve({
    upgrade: ({ socket }) => {
      socket.on('close', closed.resolve)
      socket.write('open')
    },
  })
  const socket = await openSocket(port)
  socket.write(GET('/', UPGRADE))
  await readUntil(socket, 'open')
  socket.resetAndDestroy()
  await closed.promise
  expect(responseStatus(await converse(port, GET('/')))).toBe(200)
  expect(faults).toEqual([])
  expect(await server.connections()).toBe(0)
})

test('an upgrade is refused with an HTTP response, and the connection ends even if the client keeps its side open', async () => {
  const { port, server } = await serve({
    upgrade: ({ socket, target }) => {
      if (target === '/named') refuseUpgrade(socket, 404, 'Not\r\nFound ☹', 'né')
      else refuseUpgrade(socket, 502, '')
    },
  })
  expect(await converse(port, GET('/named', UPGRADE))).toBe(
    `HTTP/1.1 404 Not  Found  \r\nconnection: close\r\ncontent-length: 3\r\n\r\n${Buffer.from('né').toString('latin1')}`,
  )
  const socket = await openSocket(port)
  socket.write(GET('/', UPGRADE))
  expect(await readUntil(socket, '\r\n\r\n')).toBe(
    'HTTP/1.1 502 Refused\r\nconnection: close\r\ncontent-length: 0\r\n\r\n',
  )
  socket.resume()
  if (!socket.readableEnded) await once(socket, 'end')
  await expect.poll(() => server.connections(), { timeout: 30_000 }).toBe(0)
  socket.destroy()
})

test('closing the server ends a connection with a response in progress, and frees the port', async () => {
  const asked = Promise.withResolvers<void>()
  const { port, server } = await serve({ handle: () => asked.resolve() })
  const answer = converse(port, GET('/'))
  await asked.promise
  expect(await server.connections()).toBe(1)
  await server.close()
  expect(await answer).toBe('')
  const next = await serve({ port })
  expect(next.server.port).toBe(port)
})

test('above the limit, a new connection replaces an idle one, but not one with a response in progress', async () => {
  const asked = Promise.withResolvers<void>()
  const { port } = await serve({
    limits: { connections: 1 },
    handle: ({ response, target }) => {
      if (target === '/slow') asked.resolve()
      else response.end('quick')
    },
  })
  const waiting = await openSocket(port)
  waiting.write(GET('/', 'connection: keep-alive'))
  await readUntil(waiting, 'quick')
  const waits = once(waiting, 'end')
  waiting.resume()
  // The connection above the limit is closed at once. The next connection replaces the idle one.
  expect(await converse(port, GET('/'))).toBe('')
  await waits
  waiting.destroy()
  const slow = await openSocket(port)
  slow.write(GET('/slow'))
  await asked.promise
  expect(await converse(port, GET('/'))).toBe('')
  expect(slow.destroyed).toBe(false)
  slow.destroy()
})

test('a client that does not complete its request in time gets 408', async () => {
  const { port } = await serve({
    limits: { headers: 60, request: 120, checkInterval: 20 },
    handle: async ({ request, response }) => {
      for await (const _ of request);
      response.end()
    },
  })
  expect(responseStatus(await converse(port, 'GET / HTTP/1.1\r\nhost: a'))).toBe(408)
  const head = 'POST / HTTP/1.1\r\nhost: a.test\r\ncontent-length: 9\r\n\r\n'
  expect(responseStatus(await converse(port, `${head}half`))).toBe(408)
})

test('a connection that transfers nothing for too long during a response is closed', async () => {
  const { port } = await serve({ limits: { silence: 60 }, handle: ({ response }) => void response.write('begun') })
  const answer = await converse(port, GET('/'))
  expect(answer).toContain('begun')
  expect(answer).not.toContain('\r\n0\r\n\r\n')
})

test.each(['', '::', '0.0.0.0'])('the address "%s" means every interface, and errors say so', async (address) => {
  const { port, server } = await serve({ address })
  expect(server.address).toBe(address)
  expect(answerBody(await converse(port, GET('/here')))).toContain('/here')
  await expect(serve({ address, port })).rejects.toMatchObject({
    code: 'PortInUse',
    text: `port ${port} on every interface for the test endpoint is already in use`,
    cause: { code: 'EADDRINUSE' },
  })
})

test('without the permission to listen on a port, the error says so', async () => {
  // The user who runs the test may have this permission, so the error is simulated.
  const listen = vi.spyOn(Server.prototype, 'listen').mockImplementation(function (this: Server) {
    queueMicrotask(() => this.emit('error', Object.assign(new Error('listen EACCES'), { code: 'EACCES' })))
    return this
  })
  onTestFinished(() => listen.mockRestore())
  await expect(serve({ address: '', port: 80 })).rejects.toMatchObject({
    code: 'CannotListen',
    text: 'cannot listen on *:80: permission denied',
  })
})

test('a server listens only on the given address, and errors name the address and the reason', async () => {
  const { server } = await serve({ address: '127.0.0.2' })
  const other = createServer().listen(server.port, '127.0.0.1')
  onTestFinished(() => void other.close())
  await once(other, 'listening')
  await expect(serve({ address: '192.0.2.1', port: 7 })).rejects.toMatchObject({
    code: 'CannotListen',
    text: expect.stringMatching(/^cannot listen on 192\.0\.2\.1:7: .*EADDRNOTAVAIL/),
    cause: { code: 'EADDRNOTAVAIL' },
  })
})
