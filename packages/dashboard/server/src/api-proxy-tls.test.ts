import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { type Connection, fixedCredentials } from '@kerf/runtime'
import { issueCertificate } from '@kerf/runtime/testing'
import { expect, onTestFinished, test } from 'vitest'
import { DashboardServer } from './dashboard-server.ts'

const authority = issueCertificate('authority')
const { cert, key } = issueCertificate('api server', { issuer: authority, dnsNames: ['api.cluster.test'] })

/**
 * Sends a request to an API server through the dashboard. Returns the response, and the client identity that the API
 * server saw.
 */
const ask = async (
  tls: Connection['tls'],
  credentials: Parameters<typeof fixedCredentials>[0] = {},
): Promise<{ readonly status: number; readonly text: string; readonly seen: readonly unknown[] }> => {
  const seen: unknown[] = []
  const api = createServer({ cert, key, ca: authority.cert, requestCert: true, rejectUnauthorized: false })
  let name: unknown
  api.on('secureConnection', (socket) => {
    name = (socket as TLSSocket & { readonly servername: unknown }).servername
  })
  api.on('request', ({ socket }, response) => {
    seen.push([name, (socket as TLSSocket).getPeerCertificate().subject?.CN])
    response.end('from the API server')
  })
  api.listen(0, '127.0.0.1')
  await once(api, 'listening')
  const directory = mkdtempSync(join(tmpdir(), 'kerf-dashboard-'))
  const server = `https://127.0.0.1:${(api.address() as AddressInfo).port}`
  const dashboard = await DashboardServer.start({
    files: { frontend: directory, plugin: directory, icons: directory },
    clusters: [
      { name: 'kerf', connection: { server, tls, credentials: fixedCredentials(credentials), origin: 'a test' } },
    ],
  })
  onTestFinished(async () => {
    await dashboard.close()
    api.closeAllConnections()
    api.close()
    rmSync(directory, { recursive: true, force: true })
  })
  const answer = await fetch(new URL('clusters/kerf/api', dashboard.url))
  return { status: answer.status, text: await answer.text(), seen }
}

const nobody = undefined

test('the API server is verified with the kubeconfig’s authority, and TLS sends no server name for an IP address', async () => {
  const { status, text, seen } = await ask({ ca: authority.cert })
  expect([status, text, seen]).toEqual([200, 'from the API server', [[false, nobody]]])
})

test('an API server with an untrusted certificate gets no request unless the kubeconfig allows it', async () => {
  const refused = await ask({})
  expect([refused.status, refused.seen]).toEqual([502, []])
  expect(refused.text).toMatch(/cannot reach the API server https:\/\/127\.0\.0\.1:\d+: .*certificate/)
  expect((await ask({ insecure: false })).status).toBe(502)
  expect((await ask({ insecure: true })).status).toBe(200)
})

test('the server name comes from the kubeconfig', async () => {
  const ca = authority.cert
  const named = await ask({ ca, serverName: 'api.cluster.test' })
  expect([named.status, named.seen]).toEqual([200, [['api.cluster.test', nobody]]])
  const other = await ask({ ca, serverName: 'other.test' })
  expect([other.status, other.seen]).toEqual([502, []])
})

test('the dashboard presents the certificate from the credentials, or else the kubeconfig’s certificate', async () => {
  const ca = authority.cert
  const user = issueCertificate('user', { issuer: authority })
  const fresh = issueCertificate('fresh', { issuer: authority })
  const given = { ca, cert: user.cert, key: user.key }
  expect((await ask(given)).seen).toEqual([[false, 'user']])
  expect((await ask(given, { certificate: { cert: fresh.cert, key: fresh.key } })).seen).toEqual([[false, 'fresh']])
  // A certificate without a key is ignored.
  expect((await ask({ ca, cert: user.cert })).seen).toEqual([[false, nobody]])
})
