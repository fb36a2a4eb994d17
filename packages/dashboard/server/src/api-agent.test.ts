import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { type Connection, fixedCredentials } from '@kerf/runtime'
import { issueCertificate } from '@kerf/runtime/testing'
import { expect, onTestFinished, test } from 'vitest'
import { DashboardServer } from './dashboard-server.ts'

const root = issueCertificate('root')
const intermediate = issueCertificate('intermediate', { issuer: root, isAuthority: true })
const leaf = issueCertificate('api server', { issuer: intermediate, dnsNames: ['api.example.test'] })
const LOGIN = { username: 'ada', password: 's@crét' }

const listen = async (server: Server): Promise<number> => {
  const sockets = new Set<{ destroy(): void }>()
  server.on('connection', (socket) => sockets.add(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/**
 * Starts a SOCKS5 proxy that requires a password and connects every request to `port`. Records the requested targets in
 * `wanted`.
 */
const socksTo = (port: number, wanted: string[]): Promise<number> =>
  listen(
    createServer((socket) => {
      socket.on('error', () => socket.destroy())
      const steps: ((data: Buffer) => void)[] = [
        (hello) => socket.write(Buffer.from([5, hello.includes(2, 2) ? 2 : 0xff])),
        (login) => {
          const name = login.subarray(2, 2 + (login[1] ?? 0)).toString()
          const password = login.subarray(3 + name.length).toString()
          socket.write(Buffer.from([1, name === LOGIN.username && password === LOGIN.password ? 0 : 1]))
        },
        (wish) => {
          wanted.push(
            `${wish[3] === 3 ? wish.subarray(5, -2) : wish.subarray(4, -2).toString('hex')}:${wish.readUInt16BE(wish.length - 2)}`,
          )
          if (wanted.at(-1)?.startsWith('refused')) return void socket.end(Buffer.from([5, 5, 0, 1, 0, 0, 0, 0, 0, 0]))
          const server = connect(port, '127.0.0.1', () => {
            socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]))
            server.pipe(socket).pipe(server)
          })
          server.on('error', () => socket.destroy())
        },
      ]
      const next = (): void =>
        void socket.once('data', (data) => {
          const step = steps.shift()
          if (steps.length > 0) next()
          step?.(data)
        })
      next()
    }),
  )

const answer: RequestListener = (_request, response) => void response.end('from the API server')

const ask = async (connection: Pick<Connection, 'server' | 'tls'> & Partial<Connection>): Promise<string> =>
  (await asking(connection)).api()

/** Starts a dashboard for an API server. Returns it, and a function that sends requests through it. */
const asking = async (
  connection: Pick<Connection, 'server' | 'tls'> & Partial<Connection>,
): Promise<{ readonly dashboard: DashboardServer; readonly api: () => Promise<string> }> => {
  const directory = mkdtempSync(join(tmpdir(), 'kerf-dashboard-'))
  const dashboard = await DashboardServer.start({
    files: { frontend: directory, plugin: directory, icons: directory },
    clusters: [{ name: 'kerf', connection: { credentials: fixedCredentials({}), origin: 'a test', ...connection } }],
  })
  onTestFinished(async () => {
    await dashboard.close()
    rmSync(directory, { recursive: true, force: true })
  })
  const api = async (): Promise<string> => {
    const response = await fetch(new URL('clusters/kerf/api', dashboard.url))
    return `${response.status} ${await response.text()}`
  }
  return { dashboard, api }
}

const tlsServer = (): Promise<number> =>
  listen(createTlsServer({ cert: leaf.cert + intermediate.cert, key: leaf.key }, answer))
const proxyUrlOf = (port: number, login = `${LOGIN.username}:${encodeURIComponent(LOGIN.password)}@`): string =>
  `socks5://${login}127.0.0.1:${port}`

test('a SOCKS5 proxy resolves the name of the server, with TLS and without', async () => {
  const wanted: string[] = []
  const tls = { ca: root.cert }
  const secure = await socksTo(await tlsServer(), wanted)
  expect(await ask({ server: 'https://api.example.test:6443', tls, proxyUrl: proxyUrlOf(secure) })).toBe(
    '200 from the API server',
  )
  const plain = await socksTo(await listen(createHttpServer(answer)), wanted)
  expect(await ask({ server: 'http://[2001:db8::7]:8080', tls: {}, proxyUrl: proxyUrlOf(plain) })).toBe(
    '200 from the API server',
  )
  expect(await ask({ server: 'http://192.0.2.1:8080', tls: {}, proxyUrl: proxyUrlOf(plain) })).toBe(
    '200 from the API server',
  )
  expect(wanted.splice(0)).toEqual(['api.example.test:6443', '20010db8000000000000000000000007:8080', 'c0000201:8080'])
  // Without a port, the server has the default port of its protocol.
  await ask({ server: 'https://api.example.test', tls, proxyUrl: proxyUrlOf(secure) })
  await ask({ server: 'http://192.0.2.1', tls: {}, proxyUrl: proxyUrlOf(plain) })
  expect(wanted).toEqual(['api.example.test:443', 'c0000201:80'])
})

test('the page shows why a SOCKS5 proxy refuses a connection', async () => {
  const port = await socksTo(9, [])
  const tls = { ca: root.cert }
  const server = 'https://refused.example.test'
  expect(await ask({ server, tls, proxyUrl: proxyUrlOf(port) })).toMatch(/^502 .*connection refused/)
  expect(await ask({ server, tls, proxyUrl: proxyUrlOf(port, 'eve:x@') })).toMatch(
    /^502 .*rejects the user name and password/,
  )
  expect(await ask({ server, tls, proxyUrl: proxyUrlOf(port, '') })).toMatch(
    /^502 .*none of the authentication methods/,
  )
  const other = await listen(createHttpServer(answer))
  expect(await ask({ server, tls, proxyUrl: proxyUrlOf(other) })).toMatch(/^502 .*does not speak SOCKS5/)
})

test('TLS trusts the configured authority even if it is not self-signed, and the system authorities by default', async () => {
  const server = `https://127.0.0.1:${await tlsServer()}`
  expect(await ask({ server, tls: { ca: intermediate.cert } })).toBe('200 from the API server')
  expect(await ask({ server, tls: {}, authorities: () => [root.cert] })).toBe('200 from the API server')
  expect(await ask({ server, tls: {}, authorities: () => [] })).toMatch(/^502 .*unable to get local issuer certificate/)
})

/**
 * Starts an API server that requests client certificates, keeps idle connections open, and records the identity of each caller. It responds
 * to a request only when the test calls `finish`.
 */
const asksForCertificates = async () => {
  const people = ['ada', 'bob'].map((name) => issueCertificate(name, { issuer: root }))
  const asked: { readonly name: unknown; answer(): void }[] = []
  const ended: Promise<unknown>[] = []
  const server = createTlsServer({ ...leaf, cert: leaf.cert + intermediate.cert, ca: root.cert, requestCert: true })
  server.keepAliveTimeout = 0
  const arrivals: (() => void)[] = []
  server.on('request', ({ socket }, response) => {
    const name = (socket as TLSSocket).getPeerCertificate().subject?.CN
    asked.push({ name, answer: () => void response.end(`for ${name}`) })
    arrivals.shift()?.()
  })
  server.on('secureConnection', (socket) => ended.push(once(socket, 'close')))
  let [certificate] = people
  const { api, dashboard } = await asking({
    server: `https://127.0.0.1:${await listen(server)}`,
    tls: { ca: root.cert },
    credentials: { current: async () => ({ ...(certificate && { certificate }) }), invalidate: () => {} },
  })
  /**
   * Sends a request and resolves when the server has received it. `finish` lets the server respond and returns the
   * text of the response.
   */
  const begin = async () => {
    const arrived = Promise.withResolvers<void>()
    arrivals.push(arrived.resolve)
    const text = api()
    await arrived.promise
    const request = asked.at(-1)
    const finish = (): Promise<string> => {
      request?.answer()
      return text
    }
    return { finish, text }
  }
  const change = (): void => {
    certificate = people[1]
  }
  return { begin, change, dashboard, ended }
}

test('after a client certificate changes, new connections use it, and idle connections with the old one end', async () => {
  const { begin, change, ended } = await asksForCertificates()
  for (const _ of [1, 2]) expect(await (await begin()).finish()).toBe('200 for ada')
  expect(ended).toHaveLength(1)
  change()
  expect(await (await begin()).finish()).toBe('200 for bob')
  await ended[0]
})

test('when the dashboard closes, requests in progress end, including those with an old certificate', async () => {
  const { begin, change, dashboard, ended } = await asksForCertificates()
  const first = await begin()
  change()
  const second = await begin()
  const failures = Promise.all([first, second].map(({ text }) => text.catch(() => 'cut')))
  await dashboard.close()
  expect(await failures).toEqual(['cut', 'cut'])
  await Promise.all(ended)
})

test('a request in progress completes with the old certificate, and then its connection ends', async () => {
  const { begin, change, ended } = await asksForCertificates()
  const first = await begin()
  change()
  expect(await (await begin()).finish()).toBe('200 for bob')
  expect(await first.finish()).toBe('200 for ada')
  await ended[0]
})
