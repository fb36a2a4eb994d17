import { EventEmitter } from 'node:events'
import { createServer } from 'node:http'
import { createSecureServer } from 'node:http2'
import { connect, createServer as createTcpServer, type Socket } from 'node:net'
import { kinds } from '@kerf/apis'
import { describe, expect, test } from 'vitest'
import { RecordingLogger } from '../logging/recording-logger.ts'
import { PrometheusMetrics } from '../metrics/prometheus-metrics.ts'
import { issueCertificate } from '../testing/certificates.ts'
import { fixtureClient, listening, node, socks5 } from '../testing/http-fixture.ts'
import { DEFAULT_SILENCE, watchForSilence } from './silent-connection.ts'

const authority = issueCertificate('test authority')
const certificate = issueCertificate('server', { issuer: authority })
const silence = { pingEvery: 50, lookEvery: 100, pingedLooks: 4, unpingedLooks: 4, watchSeconds: 40 }

/** Starts a TCP proxy whose `drop` silently drops its open connections: neither side is notified, and later connections work. */
const natGateway = async (to: number) => {
  const open = new Set<Socket>()
  const gateway = createTcpServer((socket) => {
    const onward = connect(to, '127.0.0.1')
    open.add(socket)
    const carry = (from: Socket, into: Socket): void => {
      from.on('data', (bytes) => open.has(socket) && into.write(bytes))
      from.on('error', () => {})
      from.on('close', () => into.destroy())
    }
    carry(socket, onward)
    carry(onward, socket)
  })
  return { port: await listening(gateway), drop: () => open.clear() }
}

/**
 * Starts an API server behind such a proxy, with HTTP/2 and HTTP/1.1. It sends the first event of a watch at once. While `isMute`,
 * it does not answer lists.
 */
const apiBehindNat = async (allowHTTP1: boolean) => {
  const asked: string[] = []
  const state = { isMute: false }
  const { cert, key } = certificate
  const server = createSecureServer({ cert, key, allowHTTP1 }, ({ url }, response) => {
    asked.push(url)
    if (url.includes('watch=')) {
      response.writeHead(200)
      response.write(`${JSON.stringify({ type: 'ADDED', object: node('a') })}\n`)
    } else if (!state.isMute) response.end(JSON.stringify(node('a')))
  })
  const nat = await natGateway(await listening(server))
  return { asked, state, nat, url: `https://127.0.0.1:${nat.port}` }
}

const httpProxy = (): Promise<number> => {
  const proxy = createServer()
  proxy.on('connect', (request, socket) => {
    const [host, port] = (request.url ?? '').split(':')
    const onward = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      onward.pipe(socket).pipe(onward)
    })
    onward.on('error', () => socket.destroy())
    socket.on('error', () => onward.destroy())
  })
  return listening(proxy)
}

describe('a silently dropped connection', () => {
  test.each([
    ['HTTP/2', 'h2', {}],
    ['HTTP/2 through a proxy', 'h2', { proxyUrl: async () => `http://127.0.0.1:${await httpProxy()}` }],
    ['HTTP/1.1', 'http/1.1', { http1Only: true }],
    ['HTTP/1.1, without metrics', 'http/1.1', { http1Only: true, isUnmeasured: true }],
    ['HTTP/1.1 through SOCKS5', 'http/1.1', { proxyUrl: async () => `socks5://127.0.0.1:${await socks5([])}` }],
  ] as const)(
    'is closed, its watch ends, and its read is repeated on a new connection: %s',
    async (_name, version, way) => {
      const { asked, nat, state, url } = await apiBehindNat(true)
      // A client without metrics, such as the one for the Lease, also closes silent connections.
      const metrics = 'isUnmeasured' in way ? undefined : new PrometheusMetrics()
      const logger = new RecordingLogger()
      const proxy = 'proxyUrl' in way ? { proxyUrl: await way.proxyUrl() } : {}
      const client = fixtureClient(
        { server: url, tls: { ca: authority.cert }, ...proxy },
        { silence, ...(metrics && { metrics }), logger, http1Only: 'http1Only' in way },
      )
      await client.get(kinds.Node, { name: 'a' })
      const events = client.watch(kinds.Node, { timeoutSeconds: 300 })[Symbol.asyncIterator]()
      await events.next()
      expect(asked.at(-1)).toContain(version === 'h2' ? 'timeoutSeconds=300' : 'timeoutSeconds=40')
      state.isMute = true
      const read = client.get(kinds.Node, { name: 'a' })
      nat.drop()
      state.isMute = false
      await expect(events.next()).rejects.toMatchObject({ code: 0, reason: 'Unreachable' })
      expect(await read).toMatchObject({ metadata: { name: 'a' } })
      if (metrics !== undefined)
        expect(await metrics.text()).toContain(`kerf_api_connections_silent_total{http_version="${version}"} 2`)
      expect(logger.messages('warn')).toHaveLength(2)
    },
  )

  test('is not suspected while a request takes long and pings are answered', async () => {
    const { nat, state, url } = await apiBehindNat(true)
    const metrics = new PrometheusMetrics()
    const client = fixtureClient(
      { server: url, tls: { ca: authority.cert } },
      { silence, metrics, answerTimeout: 1_000 },
    )
    state.isMute = true
    await expect(client.get(kinds.Node, { name: 'a' })).rejects.toMatchObject({ reason: 'Unreachable' })
    expect(await metrics.text()).not.toContain('kerf_api_connections_silent_total{')
    nat.drop()
  })
})

/** Simulates the timer and the byte count of a socket. */
class FakeSocket extends EventEmitter {
  readonly alpnProtocol: string | false
  readonly waits: number[] = []
  bytesRead = 0
  error: Error | undefined

  constructor(alpnProtocol: string | false) {
    super()
    this.alpnProtocol = alpnProtocol
  }

  setTimeout(wait: number): void {
    this.waits.push(wait)
  }

  destroy(error: Error): void {
    this.error = error
  }
}

test.each([
  ['h2', 'h2', 6, 'nothing was received for 30 s'],
  ['http/1.1', 'http/1.1', 10, 'nothing was received for 50 s'],
  [false, 'http/1.1', 10, 'nothing was received for 50 s'],
] as const)(
  'a connection with the protocol %j is closed after a number of silent checks in a row',
  (protocol, version, checks, message) => {
    const socket = new FakeSocket(protocol)
    const silent: string[] = []
    watchForSilence(socket as unknown as Socket, DEFAULT_SILENCE, (each) => silent.push(each))
    const check = (): unknown => socket.emit('timeout')
    for (let nth = 1; nth < checks; nth++) check()
    socket.bytesRead++
    check()
    for (let nth = 1; nth < checks; nth++) check()
    expect([socket.error, silent]).toEqual([undefined, []])
    check()
    expect([socket.error?.message, silent]).toEqual([message, [version]])
    expect(new Set(socket.waits)).toEqual(new Set([5_000]))
  },
)
