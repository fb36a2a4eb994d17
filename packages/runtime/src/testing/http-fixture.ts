import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer, type Server } from 'node:net'
import type { Node } from '@kerf/apis'
import { node as buildNode } from '@kerf/testing'
import { onTestFinished } from 'vitest'
import type { Connection } from '../connection/connection.ts'
import { type Credentials, fixedCredentials } from '../connection/credentials.ts'
import { HttpKubeClient, type HttpKubeClientOptions } from '../http-client/http-kube-client.ts'
import { silentLogger } from '../logging/silent-logger.ts'
import { SeededRandom } from '../random/seeded-random.ts'
import { HastyClock } from './hasty-clock.ts'

/** A request as the server received it. */
interface Seen {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: unknown
}

export type Responder = (request: Seen, response: ServerResponse) => void

/** Listens on loopback until the test has ended. Returns the port. */
export const listening = async (server: Server): Promise<number> => {
  const sockets = new Set<{ destroy(): void }>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A hook at module level would run for only one of the test files that share a process.
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return (server.address() as AddressInfo).port
}

/** Returns a loopback port on which no server listens. */
export const unusedPort = async (): Promise<number> => {
  const server = createTcpServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Starts a SOCKS5 proxy without passwords (RFC 1928). Adds the addresses that clients request to `reached`. */
export const socks5 = (reached: string[]): Promise<number> => {
  const proxy = createTcpServer((socket) => {
    socket.on('error', () => socket.destroy())
    socket.once('data', () => {
      socket.write(Buffer.from([5, 0]))
      socket.once('data', (wish) => {
        const port = wish.readUInt16BE(wish.length - 2)
        const host = wish[3] === 1 ? wish.subarray(4, 8).join('.') : wish.subarray(5, -2).toString('latin1')
        reached.push(`${host}:${port}`)
        const server = connect(port, host, () => {
          socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]))
          server.pipe(socket).pipe(server)
        })
        server.on('error', () => socket.destroy())
      })
    })
  })
  return listening(proxy)
}

const recording = (seen: Seen[], answer: Responder): RequestListener => {
  return async (request, response) => {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk
    const { method = '', url = '', headers } = request
    const record: Seen = { method, url, headers, body: text === '' ? undefined : JSON.parse(text) }
    seen.push(record)
    answer(record, response)
  }
}

export const json = (
  response: ServerResponse,
  body: unknown,
  code = 200,
  headers: Record<string, string> = {},
): void => {
  response.writeHead(code, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

/** Returns a client whose waits end at once. */
export const fixtureClient = (
  connection: Partial<Connection> & { server: string },
  options: Partial<HttpKubeClientOptions> = {},
) => {
  const client = new HttpKubeClient({
    connection: { tls: {}, credentials: fixedCredentials({}), origin: 'test', ...connection },
    clock: new HastyClock(),
    random: new SeededRandom(1),
    logger: silentLogger,
    ...options,
  })
  onTestFinished(() => client.close())
  return client
}

/** Starts a server that calls `answer` for each request. Returns a client for it, and the requests that it has received. */
export const served = async (
  answer: Responder,
  options: Partial<HttpKubeClientOptions> = {},
  credentials?: Credentials,
) => {
  const seen: Seen[] = []
  const port = await listening(createServer(recording(seen, answer)))
  const server = `http://127.0.0.1:${port}`
  return { client: fixtureClient({ server, ...(credentials && { credentials }) }, options), seen, server }
}

export const node = (name: string): Node => buildNode(name)
export const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )
