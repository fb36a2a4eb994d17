import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { issueCertificate } from '@kerf/runtime/testing'
import { afterEach, expect, test } from 'vitest'
import { Connections } from './connections.ts'
import { type HttpRequest, NoResponseError, sendOver } from './exchange.ts'
import { networkFrom } from './network.ts'

const never = new AbortController().signal
const limits = { requestTimeout: 30_000, connectionTimeout: 10_000, maxSockets: 4 }
const closing: (() => unknown)[] = []

afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const listening = async (server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => server.close())
  return (server.address() as AddressInfo).port
}

/**
 * Creates a cloud API with TLS and its own certificate authority, a proxy through which all tunnels lead to it, and the file with the CA
 * bundle.
 */
const harness = async () => {
  const authority = issueCertificate('the company')
  const { cert, key } = issueCertificate('cloud', { issuer: authority, dnsNames: ['api.acme.invalid'] })
  const seen: string[] = []
  const heard = Promise.withResolvers<void>()
  const cloud = createTlsServer({ cert, key }, (incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const { method, url, headers } = incoming
      seen.push(`${method} ${headers.host} ${url} ${headers['user-agent']} ${Buffer.concat(chunks)}`)
      if (url === '/broken') outgoing.destroy()
      else if (url === '/silent') heard.resolve()
      else outgoing.writeHead(201, 'Server made', { 'X-Next': 'b', 'Set-Cookie': ['a', 'b'] }).end('made')
    })
  })
  const port = await listening(cloud)
  const tunnels: string[] = []
  const sockets = new Set<Socket>()
  const proxy = createServer()
  proxy.on('connect', ({ url = '' }, client: Socket) => {
    tunnels.push(url)
    const server = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      server.pipe(client).pipe(server)
    })
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
    }
  })
  const proxyPort = await listening(proxy)
  closing.push(() => {
    for (const socket of sockets) socket.destroy()
  })
  const folder = mkdtempSync(join(tmpdir(), 'kerf-http-'))
  closing.push(() => rmSync(folder, { recursive: true }))
  const bundle = join(folder, 'bundle.pem')
  writeFileSync(bundle, `# of the company\n${issueCertificate('another').cert}\n${authority.cert}`)
  const sender = (env: Readonly<Record<string, string>>, caBundle = bundle) => {
    const connections = new Connections(networkFrom(env, caBundle), limits)
    closing.unshift(() => connections.close())
    const send = sendOver(connections, { userAgent: 'kerf/1.2.3' })
    const sent = (url: string, more: Partial<HttpRequest> = {}) =>
      send({ method: 'GET', url: new URL(url), ...more }, never)
    return Object.assign(sent, { close: () => connections.close() })
  }
  const proxyUrl = `http://kerf:p%40ss@127.0.0.1:${proxyPort}`
  return { seen, heard: heard.promise, tunnels, folder, port, sender, proxyUrl, origin: `https://127.0.0.1:${port}` }
}

const thrownError = async (work: Promise<unknown>): Promise<NoResponseError> => {
  const error = await work.then(
    () => undefined,
    (each: unknown) => each,
  )
  if (error instanceof NoResponseError) return error
  throw new Error('it did not fail as expected', { cause: error })
}

test('a request to a server whose certificate the bundle trusts gets a response', async () => {
  const { seen, sender, origin, tunnels } = await harness()
  const answer = await sender({})(`${origin}/servers?a=b%20c`, { method: 'POST', body: 'two words' })
  const said = { status: 201, statusText: 'Server made', text: 'made' }
  expect(answer).toMatchObject({ ...said, headers: { 'x-next': 'b', 'set-cookie': 'a, b' } })
  expect(seen).toEqual([`POST ${new URL(origin).host} /servers?a=b%20c kerf/1.2.3 two words`])
  expect(tunnels).toEqual([])
})

test('requests use the proxy, except to servers in NO_PROXY and to this machine', async () => {
  const { sender, origin, proxyUrl, tunnels, seen } = await harness()
  const env = { HTTPS_PROXY: proxyUrl }
  expect((await sender(env)('https://api.acme.invalid/')).status).toBe(201)
  expect(tunnels).toEqual(['api.acme.invalid:443'])
  expect((await sender(env)(origin)).status).toBe(201)
  const error = await thrownError(sender({ ...env, NO_PROXY: '.acme.invalid' })('https://api.acme.invalid/'))
  expect([error.fault.wasNeverSent, tunnels.length, seen.length]).toEqual([true, 1, 2])
})

test('without the bundle, a server with an unknown certificate authority is not trusted', async () => {
  const { sender, proxyUrl, seen } = await harness()
  const error = await thrownError(sender({ HTTPS_PROXY: proxyUrl }, '')('https://api.acme.invalid/'))
  expect(error.message).toMatch(
    /^no response from api\.acme\.invalid by the proxy http:\/\/127\.0\.0\.1:\d+: .*certificate/,
  )
  expect(error.message).not.toContain('p%40ss')
  expect(error.fault).toMatchObject({ kind: 'other', wasNeverSent: false })
  expect(seen).toEqual([])
})

test('an unverified network accepts a certificate of an unknown authority', async () => {
  const { origin } = await harness()
  const connections = new Connections({ ...networkFrom({}, ''), isUnverified: true }, limits)
  closing.unshift(() => connections.close())
  const send = sendOver(connections, { userAgent: 'kerf/1.2.3' })
  expect((await send({ method: 'GET', url: new URL(origin) }, never)).status).toBe(201)
})

test('the error of a request without a response shows whether the request was never sent or may have been received', async () => {
  const { sender, origin } = await harness()
  const lost = await thrownError(sender({})(`${origin}/broken`))
  expect(lost.fault).toMatchObject({ kind: 'lost', wasNeverSent: false })
  const free = createServer()
  const port = await listening(free)
  await new Promise((resolve) => free.close(resolve))
  const refused = await thrownError(sender({})(`https://127.0.0.1:${port}/`))
  expect(refused.fault).toMatchObject({ code: 'ECONNREFUSED', wasNeverSent: true })
})

test('an unusable bundle is reported at construction, with the reason', async () => {
  const { folder } = await harness()
  const file = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }
  const damaged = issueCertificate('a').cert.replace(/\n[A-Za-z0-9+/]{64}\n/, '\n')
  for (const [path, problem] of [
    [join(folder, 'none.pem'), /ENOENT/],
    [file('empty.pem', 'nothing'), /it contains no certificate in PEM format/],
    [file('damaged.pem', damaged), /its certificate 1 cannot be read/],
  ] as const) {
    expect(() => networkFrom({}, path)).toThrow(expect.objectContaining({ name: 'CaBundleError' }))
    expect(() => networkFrom({}, path)).toThrow(problem)
  }
})

test('closing aborts a request that waits for its response', async () => {
  const { sender, origin, heard } = await harness()
  const send = sender({})
  const cut = thrownError(send(`${origin}/silent`))
  await heard
  await send.close()
  expect(String(await cut)).toMatch(/^NoResponseError: no response from 127\.0\.0\.1:\d+: /)
})

test('if a pool cannot be made, the next request makes it again, and close does not fail', async () => {
  let attempts = 0
  const network = {
    ...networkFrom({}, ''),
    proxyFor: () => 'http://',
    get isUnverified() {
      attempts++
      return false
    },
  }
  const connections = new Connections(network, limits)
  const server = new URL('https://api.acme.invalid')
  await expect(connections.to(server)).rejects.toThrow('Invalid URL')
  await expect(connections.to(server)).rejects.toThrow('Invalid URL')
  expect(attempts).toBe(2)
  const failing = connections.to(server)
  await connections.close()
  await expect(failing).rejects.toThrow('Invalid URL')
})
