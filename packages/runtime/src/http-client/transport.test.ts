import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { connect } from 'node:net'
import { kinds } from '@kerf/apis'
import { describe, expect, test } from 'vitest'
import { sleep } from '../clock/clock.ts'
import type { Connection } from '../connection/connection.ts'
import { type Credential, type Credentials, fixedCredentials } from '../connection/credentials.ts'
import { CurrentTls } from '../connection/current-tls.ts'
import { explainApiError } from '../errors/explain-api-error.ts'
import { issueCertificate } from '../testing/certificates.ts'
import { HastyClock } from '../testing/hasty-clock.ts'
import { fixtureClient, json, listening, node, rejection } from '../testing/http-fixture.ts'
import { Transport } from './transport.ts'

describe('TLS', () => {
  const authority = issueCertificate('test authority')
  const certificate = issueCertificate('server', { issuer: authority, dnsNames: ['api.example'] })
  const person = issueCertificate('ada', { issuer: authority })

  const secure = async (
    tls: Connection['tls'],
    credentials = fixedCredentials({}),
    readTls?: Connection['readTls'],
  ) => {
    const subjects: unknown[] = []
    const clock = new HastyClock()
    const ends: Promise<void>[] = []
    const server = createTlsServer(
      {
        cert: certificate.cert,
        key: certificate.key,
        ca: authority.cert,
        requestCert: true,
        rejectUnauthorized: false,
      },
      (request, response) => {
        const { socket } = request
        const peer =
          'getPeerCertificate' in socket && typeof socket.getPeerCertificate === 'function'
            ? socket.getPeerCertificate()
            : {}
        subjects.push(peer.subject?.CN)
        json(response, node('a'))
      },
    )
    server.on('secureConnection', (socket) => {
      ends.push(new Promise((resolve) => socket.once('close', () => resolve())))
    })
    // Makes the server keep connections open until the client closes them.
    server.keepAliveTimeout = 0
    const url = `https://127.0.0.1:${await listening(server)}`
    return {
      client: fixtureClient({ server: url, tls, credentials, ...(readTls && { readTls }) }, { clock }),
      clock,
      ends,
      subjects,
      url,
    }
  }

  test('trusts the CA and presents the client certificate', async () => {
    const { client, subjects } = await secure({ ca: authority.cert, cert: person.cert, key: person.key })
    await client.get(kinds.Node, { name: 'a' })
    expect(subjects).toEqual(['ada'])
  })

  test('refuses an unknown CA with a remedy, unless verification is off', async () => {
    const { client } = await secure({})
    const failure = await rejection(client.get(kinds.Node, { name: 'a' }))
    expect(explainApiError(failure)?.code).toBe('ApiServerCertificate')
    const careless = await secure({ insecure: true })
    await careless.client.get(kinds.Node, { name: 'a' })
  })

  test.each([
    ['authority', /self-signed certificate/, { ca: 'nonsense' }],
    ['client certificate', /PEM routines::/, { ca: authority.cert, cert: 'nonsense', key: person.key }],
    ['key', /DECODER routines::/, { ca: authority.cert, cert: person.cert, key: 'nonsense' }],
  ])('fails every call with the TLS error if the %s cannot be parsed', async (_name, words, tls) => {
    const { client, url } = await secure(tls)
    for (let call = 0; call < 2; call++) {
      const failure = await rejection(client.get(kinds.Node, { name: 'a' }))
      expect(failure).toMatchObject({ code: 0, message: expect.stringContaining(`cannot reach ${url}: `) })
      expect(failure).toMatchObject({ message: expect.stringMatching(words) })
    }
  })

  test('verifies the server certificate against tls-server-name', async () => {
    const right = await secure({ ca: authority.cert, serverName: 'api.example' })
    await right.client.get(kinds.Node, { name: 'a' })
    const wrong = await secure({ ca: authority.cert, serverName: 'other.example' })
    const failure = await rejection(wrong.client.get(kinds.Node, { name: 'a' }))
    expect(explainApiError(failure)?.code).toBe('ApiServerCertificate')
  })

  test('uses a certificate from the credentials, and ends old connections when it changes', async () => {
    const other = issueCertificate('grace', { issuer: authority })
    let current = person
    const credentials: Credentials = {
      current: async () => ({ certificate: { cert: current.cert, key: current.key } }),
      invalidate: () => {},
    }
    const { client, ends, subjects } = await secure({ ca: authority.cert }, credentials)
    await client.get(kinds.Node, { name: 'a' })
    current = other
    await client.get(kinds.Node, { name: 'a' })
    expect(subjects).toEqual(['ada', 'grace'])
    await ends[0]
  })

  test('after a failure, reads the files of the CA and of the client certificate again', async () => {
    const files = { ca: issueCertificate('another authority').cert, cert: person.cert, key: person.key }
    const { client, clock, subjects } = await secure({ ...files }, fixedCredentials({}), () => ({ ...files }))
    const ref = { name: 'a' }
    expect(await rejection(client.get(kinds.Node, ref))).toMatchObject({ code: 0 })
    const other = issueCertificate('grace', { issuer: authority })
    Object.assign(files, { ca: authority.cert, cert: other.cert, key: other.key })
    await sleep(clock, 1_000)
    await client.get(kinds.Node, ref)
    expect(subjects.at(-1)).toBe('grace')
  })

  test('connects through a proxy’s tunnel, with TLS and without', async () => {
    const tunnelled: string[] = []
    const proxy = createServer()
    proxy.on('connect', (request, socket) => {
      tunnelled.push(request.url ?? '')
      const [host = '', port = ''] = (request.url ?? '').split(':')
      const upstream = connect(Number(port), host, () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        upstream.pipe(socket).pipe(upstream)
      })
      upstream.on('error', () => socket.destroy())
      socket.on('error', () => upstream.destroy())
    })
    const proxyUrl = `http://127.0.0.1:${await listening(proxy)}`
    const { url } = await secure({})
    const client = fixtureClient({ server: url, tls: { ca: authority.cert }, proxyUrl })
    await client.get(kinds.Node, { name: 'a' })
    expect(tunnelled.splice(0)).toEqual([new URL(url).host])
    const plain = await listening(createServer((_request, response) => json(response, node('a'))))
    await fixtureClient({ server: `http://127.0.0.1:${plain}`, proxyUrl }).get(kinds.Node, { name: 'a' })
    expect(tunnelled).toEqual([`127.0.0.1:${plain}`])
  })
})

test.each<readonly [string, Connection['tls'], Credential, boolean]>([
  ['without credentials', {}, {}, true],
  ['with a certificate of the kubeconfig', { cert: 'a', key: 'b' }, {}, false],
  ['with a certificate of the credentials', {}, { certificate: { cert: 'a', key: 'b' } }, false],
])(
  'a 403 to an anonymous user says that credentials are missing only to a client %s',
  async (_who, tls, given, isAnonymous) => {
    const message = 'nodes is forbidden: User "system:anonymous" cannot get resource "nodes"'
    const answer = createServer((_request, response) => json(response, { kind: 'Status', code: 403, message }, 403))
    const server = `http://127.0.0.1:${await listening(answer)}`
    const client = fixtureClient({ server, tls, credentials: fixedCredentials(given) })
    const failure = await rejection(client.get(kinds.Node, { name: 'a' }))
    expect(failure).toMatchObject({ code: 403, isAnonymous })
  },
)

test('gives up on a response after the timeout', async () => {
  const port = await listening(createServer(() => {}))
  const client = fixtureClient({ server: `http://127.0.0.1:${port}` }, { answerTimeout: 500 })
  expect(await rejection(client.get(kinds.Node, { name: 'a' }))).toMatchObject({
    reason: 'Unreachable',
    message: `cannot reach http://127.0.0.1:${port}: no answer in time`,
  })
})

test('if the connections of a transport cannot be made, the next call makes them again, and close does not fail', async () => {
  let attempts = 0
  const transport = new Transport({
    tls: new CurrentTls({ tls: {} }, new HastyClock()),
    get proxyUrl() {
      attempts++
      return 'http://'
    },
    onSilence: () => {},
  })
  await expect(transport.dispatcher('call')).rejects.toThrow('Invalid URL')
  await expect(transport.dispatcher('call')).rejects.toThrow('Invalid URL')
  expect(attempts).toBe(2)
  const failing = transport.dispatcher('call')
  await transport.close()
  await expect(failing).rejects.toThrow('Invalid URL')
})
