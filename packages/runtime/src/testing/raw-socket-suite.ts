import type { Socket } from 'node:net'
import { isNightly } from '@kerf/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { HttpLimits } from '../serving/http-server.ts'
import {
  type BodyTarget,
  type HostileRequest,
  hostileBodies,
  hostileHeads,
  hostileTargets,
  hostileUpgrades,
  webSocketHead,
} from './hostile-requests.ts'
import { converse, openSocket, readToEnd, readUntil, responseStatus } from './raw-socket.ts'

/** The server under test, in this process or in another. */
export interface AttackedServer {
  readonly port: number
  /** A path that returns 200 as long as the server works. */
  readonly good: string
  /** Prefixes for malformed paths, for example a token, so that they reach every route. By default only the empty prefix. */
  readonly prefixes?: readonly string[]
  /** WebSocket handshakes with and without authorization. `opens` is true if the handshake must succeed. */
  readonly upgrades?: readonly {
    readonly name: string
    readonly path: string
    readonly headers?: readonly string[]
    readonly opens: boolean
  }[]
  /** Requests that may have a body. */
  readonly bodies?: readonly BodyTarget[]
  /** Returns the number of open connections. Absent if the server is in another process. */
  connections?(): Promise<number>
  /** Returns the unexpected errors that the server or its process has reported so far. */
  faults(): readonly string[]
  /** Returns whether the server's process has ended. Absent if it is this process. */
  hasEnded?(): boolean
  stop(): Promise<unknown>
}

/** Limits that are short enough for tests. */
const hastyLimits: Partial<HttpLimits> = { headers: 300, request: 600, checkInterval: 50 }

const MANY = isNightly() ? 1_000 : 200

/**
 * Defines tests over raw sockets for an HTTP server of Kerf. After each attack, the server must respond to a valid request, must have
 * closed all connections, and must not have reported an unexpected error. Its process must still run. If the limits of a server cannot be
 * changed, they are those of `HttpServer`, and the tests do not wait for them.
 */
export const rawSocketSuite = (
  name: string,
  start: (limits?: Partial<HttpLimits>) => Promise<AttackedServer>,
  takesLimits = true,
): void => {
  describe(`${name}, over raw sockets`, () => {
    let server: AttackedServer
    let knownFaults = 0
    const warnings: string[] = []
    const onWarning = (warning: Error): void => void warnings.push(`${warning.name}: ${warning.message}`)
    beforeAll(async () => {
      process.on('warning', onWarning)
      server = await start()
    })
    beforeEach(() => {
      knownFaults = server.faults().length
    })
    afterAll(async () => {
      await server.stop()
      process.off('warning', onWarning)
    })

    const goodRequest = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`
    const isWell = async (): Promise<void> => {
      expect(server.hasEnded?.() ?? false).toBe(false)
      expect(responseStatus(await converse(server.port, goodRequest(server.good)))).toBe(200)
      expect(server.faults().slice(knownFaults)).toEqual([])
      expect(warnings).toEqual([])
    }
    /** Sends the request and reads the response, which must not be a 500. */
    const attack = async ({ name: what, bytes, unfinished }: HostileRequest): Promise<void> => {
      const socket = await openSocket(server.port)
      socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes)
      if (unfinished === true) socket.end()
      const status = responseStatus(await readToEnd(socket))
      expect([what, status === 500]).toEqual([what, false])
    }
    const attackAll = async (requests: readonly HostileRequest[]): Promise<void> => {
      for (const request of requests) {
        await attack(request)
        await isWell()
      }
    }
    const noneLeft = async (): Promise<void> => {
      if (server.connections === undefined) return
      await expect.poll(() => server.connections?.(), { timeout: 20_000 }).toBe(0)
    }

    test('malformed targets', async () => {
      for (const prefix of server.prefixes ?? ['']) await attackAll(hostileTargets(prefix))
      await noneLeft()
    })

    test('malformed headers', async () => {
      await attackAll(hostileHeads(server.good))
      await noneLeft()
    })

    test('malformed and oversized bodies', async () => {
      const bodies = server.bodies ?? [{ method: 'POST', path: server.good, headers: [] }]
      for (const target of bodies) await attackAll(hostileBodies(target))
      await noneLeft()
    })

    test('connections that are half open', async () => {
      const closed = async (bytes: string): Promise<void> => {
        const socket = await openSocket(server.port)
        socket.write(bytes)
        socket.end()
        await readToEnd(socket)
      }
      const request = goodRequest(server.good)
      for (const bytes of ['', 'G', request.slice(0, 20), request.slice(0, -2), request, request.repeat(20)]) {
        for (let i = 0; i < 20; i++) await closed(bytes)
        await isWell()
      }
      await noneLeft()
    })

    test('connections that are reset', async () => {
      const request = goodRequest(server.good)
      const body = `POST ${server.good} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{"a":`
      const streams = (server.upgrades ?? []).map(({ path }) => goodRequest(path))
      for (const bytes of ['', 'G', request.slice(0, 20), request, body, request.repeat(20), ...streams]) {
        for (let i = 0; i < 20; i++) {
          const socket = await openSocket(server.port)
          socket.write(bytes)
          if (i % 2 === 0) await turn()
          socket.resetAndDestroy()
        }
        await isWell()
      }
      await noneLeft()
    })

    test('WebSockets that are malformed, or reset before, while and after they open', async () => {
      for (const { path, headers = [], opens } of server.upgrades ?? [{ path: server.good, opens: false }]) {
        await attackAll(hostileUpgrades(path, headers))
        const head = webSocketHead(path, headers)
        for (const sent of [head.slice(0, 10), head.slice(0, -2), head]) {
          for (let i = 0; i < 30; i++) {
            const socket = await openSocket(server.port)
            socket.write(sent)
            // Some connections end before the server has read the request, and others at different moments of its processing.
            for (let turns = 0; turns < i % 6; turns++) await turn()
            socket.resetAndDestroy()
          }
          await isWell()
        }
        const sockets = await Promise.all(
          Array.from({ length: 30 }, async () => {
            const socket = await openSocket(server.port)
            socket.write(head)
            const answer = await readUntil(socket, '\r\n\r\n')
            expect([path, responseStatus(answer) === 101]).toEqual([path, opens])
            return socket
          }),
        )
        for (const [i, socket] of sockets.entries()) {
          // Half of the connections end in the middle of a frame.
          if (i % 2 === 0) socket.write('\x81\xfe')
          socket.resetAndDestroy()
        }
        await isWell()
      }
      await noneLeft()
    })

    test(`${MANY} connections`, async () => {
      const request = goodRequest(server.good).replace('Connection: close\r\n', '')
      const open = (): Promise<readonly Socket[]> =>
        Promise.all(Array.from({ length: MANY }, () => openSocket(server.port)))
      const idle = await open()
      await isWell()
      for (const socket of idle) socket.destroy()
      const busy = await open()
      const answers = busy.map((socket) => readUntil(socket, '\r\n\r\n'))
      for (const socket of busy) socket.write(request)
      for (const answer of await Promise.all(answers)) expect(responseStatus(answer)).toBe(200)
      // None of these connections reads its response.
      for (const socket of busy) socket.pause().write(request)
      await isWell()
      for (const socket of busy) socket.resetAndDestroy()
      await isWell()
      await noneLeft()
    })

    test.runIf(takesLimits)('clients that send slowly, or nothing', async () => {
      await server.stop()
      server = await start(hastyLimits)
      knownFaults = 0
      const request = goodRequest(server.good)
      const drip = async (bytes: string): Promise<string> => {
        const socket = await openSocket(server.port)
        const read = readToEnd(socket)
        const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()))
        let at = 0
        const timer = setInterval(() => {
          if (at < bytes.length) socket.write(bytes.slice(at, ++at))
        }, 20)
        await ended
        clearInterval(timer)
        return await read
      }
      const body = `POST ${server.good} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n${'a'.repeat(100_000)}`
      const answers = await Promise.all([
        ...Array.from({ length: 50 }, () => drip('')),
        ...Array.from({ length: 50 }, () => drip(request.replace('\r\n\r\n', `\r\nX: ${'a'.repeat(10_000)}`))),
        ...Array.from({ length: 5 }, () => drip(body)),
      ])
      for (const answer of answers) expect([undefined, 400, 401, 404, 405, 408]).toContain(responseStatus(answer))
      await isWell()
      await noneLeft()
    })
  })
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
