import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { kinds } from '@kerf/apis'
import { type Connection, HttpKubeClient, RecordingLogger, SeededRandom, VirtualClock } from '@kerf/runtime'
import { issueCertificate } from '@kerf/runtime/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { RenewedClient } from './renewed-client.ts'

const authority = issueCertificate('management cluster')

/** Starts an API server that accepts one token and returns its own name. */
const apiServer = async (name: string) => {
  const state = { token: 'first', requests: 0 }
  const server = createServer({ cert: authority.cert, key: authority.key }, (request, response) => {
    state.requests++
    const isKnown = request.headers.authorization === `Bearer ${state.token}`
    const body = isKnown
      ? { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
      : {
          kind: 'Status',
          apiVersion: 'v1',
          status: 'Failure',
          reason: 'Unauthorized',
          message: 'Unauthorized',
          code: 401,
        }
    response.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return Object.assign(state, { url: `https://127.0.0.1:${address.port}` })
}

const closing: (() => void)[] = []
let directory = ''
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'kerf-kubeconfig-'))
})
afterEach(() => {
  for (const close of closing.splice(0).reverse()) close()
  rmSync(directory, { recursive: true })
})

const NAMED = { 'certificate-authority-data': Buffer.from(authority.cert).toString('base64') }

const kubeconfig = (server: string, token: string, tls: object = NAMED): string =>
  JSON.stringify({
    clusters: [{ name: 'c', cluster: { server, ...tls } }],
    users: [{ name: 'u', user: { token } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  })

const start = async (env: Readonly<Record<string, string>> = {}) => {
  const [clock, log, file] = [new VirtualClock(), new RecordingLogger(), join(directory, 'config')]
  const server = await apiServer('a')
  writeFileSync(file, kubeconfig(server.url, 'first'))
  const opened: HttpKubeClient[] = []
  const connect = (connection: Connection): HttpKubeClient => {
    const client = new HttpKubeClient({ connection, clock, random: new SeededRandom(1), logger: log })
    opened.push(client)
    return client
  }
  const renewed = new RenewedClient({ file, clock, env, log, connect })
  closing.push(() => void Promise.all(opened.map((client) => client.close())))
  const ask = async (): Promise<string> => (await renewed.client.get(kinds.Namespace, { name: 'any' })).metadata.name
  return { clock, log, file, server, renewed, ask, opened }
}

test('an expired token is replaced by the one in the rewritten file within the same call', async () => {
  const { ask, server, file, opened } = await start()
  expect(await ask()).toBe('a')
  server.token = 'second'
  await expect(ask()).rejects.toMatchObject({ code: 401 })
  writeFileSync(file, kubeconfig(server.url, 'second'))
  expect(await ask()).toBe('a')
  expect(opened).toHaveLength(2)
})

test('a file that was rewritten before any expiry is noticed after a minute, including another server', async () => {
  const { ask, file, clock, opened } = await start()
  expect(await ask()).toBe('a')
  const other = await apiServer('b')
  writeFileSync(file, kubeconfig(other.url, 'first'))
  expect(await ask()).toBe('a')
  await clock.advance(60_000)
  expect(await ask()).toBe('b')
  await clock.advance(60_000)
  expect(await ask()).toBe('b')
  expect(opened).toHaveLength(2)
})

test('an unreadable file keeps the client, and is logged once', async () => {
  const { ask, file, clock, log, server } = await start()
  for (const text of ['{', '', 'clusters: []']) {
    writeFileSync(file, text)
    await clock.advance(60_000)
    expect(await ask()).toBe('a')
  }
  expect(log.lines.filter(({ level }) => level === 'warn')).toHaveLength(1)
  writeFileSync(file, kubeconfig(server.url, 'second'))
  server.token = 'second'
  await clock.advance(60_000)
  expect(await ask()).toBe('a')
})

test('at the start the file must exist', async () => {
  const { clock, log } = await start()
  const connect = (): never => {
    throw new Error('there is nothing to connect to')
  }
  expect(() => new RenewedClient({ file: join(directory, 'none'), clock, env: {}, log, connect })).toThrow(
    'no such file',
  )
})

test('after a rewrite without a certificate authority, those of the system are used', async () => {
  const system = join(directory, 'system.pem')
  writeFileSync(system, authority.cert)
  const { ask, file, clock, server } = await start({ SSL_CERT_FILE: system })
  writeFileSync(file, kubeconfig(server.url, 'second', {}))
  server.token = 'second'
  await clock.advance(60_000)
  expect(await ask()).toBe('a')
})
