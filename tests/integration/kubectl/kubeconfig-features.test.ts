import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { findComponents, runProgram } from '@kerf/control-plane'
import { findConnection, HttpKubeClient, SystemClock, SystemRandom, silentLogger } from '@kerf/runtime'
import { issueCertificate } from '@kerf/runtime/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { FEATURES, type Feature, FILES, type Material, type Seen } from './kubeconfig-features.ts'

const components = findComponents()
const kubectl = 'missing' in components ? undefined : components.kubectl
const isRequired = (process.env['KERF_TEST_REQUIRE'] ?? '').split(',').includes('cluster')

const root = issueCertificate('root')
const intermediate = issueCertificate('intermediate', { issuer: root, isAuthority: true })
const leaf = issueCertificate('api server', { issuer: intermediate, dnsNames: ['localhost'] })
const client = issueCertificate('ada', { issuer: root })

const folder = mkdtempSync(join(tmpdir(), 'kerf-kubeconfig-'))
const requests: Seen[] = []
const servers: Server[] = []
let proxied: string | undefined
let material: Material

const present = (name: string): string => join(folder, name)
const base64 = (text: string): string => Buffer.from(text).toString('base64')

const answer = (request: IncomingMessage, response: ServerResponse): void => {
  const { authorization } = request.headers
  const certificate = (request.socket as Partial<TLSSocket>).getPeerCertificate?.()?.subject?.CN
  const lines = request.rawHeaders.flatMap((name, index, all) =>
    index % 2 === 0 && /^impersonate-/i.test(name) ? [`${name.toLowerCase()}: ${all[index + 1]}`] : [],
  )
  requests.push({
    ...(authorization !== undefined && { authorization }),
    ...(certificate !== undefined && { certificate: String(certificate) }),
    ...(lines.length > 0 && { impersonation: lines.sort() }),
    ...(proxied !== undefined && { proxy: proxied }),
  })
  response.setHeader('content-type', 'application/json')
  response.end('{"major":"1","minor":"34","gitVersion":"v1.34.0"}')
}

const listen = async (server: Server): Promise<number> => {
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

/** Starts a proxy for CONNECT and SOCKS5. It forwards every request to the API server. */
const proxyTo = (port: number): Server =>
  createServer((socket) => {
    socket.on('error', () => socket.destroy())
    const tunnel = (greeting: string | Uint8Array): void => {
      const server = connect(port, '127.0.0.1', () => {
        socket.write(greeting)
        server.pipe(socket).pipe(server)
      })
      server.on('error', () => socket.destroy())
    }
    socket.once('data', (first) => {
      if (first[0] !== 5) {
        proxied = 'CONNECT'
        tunnel('HTTP/1.1 200 OK\r\n\r\n')
        return
      }
      socket.write(Buffer.from([5, 0]))
      socket.once('data', () => {
        proxied = 'SOCKS5'
        tunnel(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]))
      })
    })
  })

const PLUGIN = `#!/bin/sh
printf '%s' "$KUBERNETES_EXEC_INFO" > told
echo "{\\"kind\\":\\"ExecCredential\\",\\"apiVersion\\":\\"\${VERSION:-$(sed 's/.*"apiVersion":"\\([^"]*\\)".*/\\1/' told)}\\",\\"status\\":{\\"token\\":\\"\${TOKEN:-plugin}$1\\"}}"
`

beforeAll(async () => {
  const tls = { cert: leaf.cert + intermediate.cert, key: leaf.key, requestCert: true, rejectUnauthorized: false }
  const port = await listen(createHttpsServer(tls, answer))
  const plainPort = await listen(createHttpServer(answer))
  const proxyPort = await listen(proxyTo(port))
  material = {
    server: `https://127.0.0.1:${port}`,
    plainServer: `http://127.0.0.1:${plainPort}`,
    farServer: 'https://api.example.test:6443',
    httpProxy: `http://127.0.0.1:${proxyPort}`,
    socksProxy: `socks5://127.0.0.1:${proxyPort}`,
    rootData: base64(root.cert),
    clientData: base64(client.cert),
    clientKeyData: base64(client.key),
  }
  writeFileSync(present(FILES.root), root.cert)
  writeFileSync(present(FILES.intermediate), intermediate.cert)
  writeFileSync(present(FILES.server), leaf.cert)
  writeFileSync(present(FILES.client), client.cert)
  writeFileSync(present(FILES.clientKey), client.key)
  writeFileSync(present(FILES.token), 'from-file\n')
  writeFileSync(present(FILES.plugin), PLUGIN, { mode: 0o755 })
})

afterAll(async () => {
  for (const server of servers) await new Promise((resolve) => server.close(resolve))
  rmSync(folder, { recursive: true, force: true })
})

/** Writes the files that a feature needs. Returns the environment variables that name them. */
const prepare = (feature: Feature): Readonly<Record<string, string>> => {
  const { before, cluster, context = { cluster: 'k', user: 'u' }, encode = (yaml: string) => yaml, user } = feature
  const yaml = stringify({
    'current-context': 'c',
    clusters: [
      {
        name: 'k',
        cluster: cluster?.(material) ?? { server: material.server, 'certificate-authority': FILES.root },
      },
    ],
    contexts: [{ name: 'c', context }],
    users: [{ name: 'u', user: user?.(material) ?? { token: 't' } }],
    ...feature.file?.(material),
  })
  writeFileSync(present('config'), encode(yaml))
  if (before !== undefined) writeFileSync(present('first'), stringify(before(material)))
  const files = before === undefined ? [present('config')] : [present('first'), present('config')]
  const env = feature.env?.(material) ?? {}
  const inFolder = (names: string): string => names.split(':').map(present).join(':')
  return {
    HOME: folder,
    PATH: process.env['PATH'] ?? '',
    ...env,
    KUBECONFIG: env['KUBECONFIG'] === undefined ? files.join(':') : inFolder(env['KUBECONFIG']),
    ...(env['SSL_CERT_FILE'] !== undefined && { SSL_CERT_FILE: present(env['SSL_CERT_FILE']) }),
  }
}

/** Makes a call. Returns the last request that the server received. Returns 'fails' if there was none or the call failed. */
const seenBy = async (call: () => Promise<boolean>): Promise<Seen | 'fails'> => {
  requests.length = 0
  proxied = undefined
  rmSync(present('told'), { force: true })
  if (!(await call())) return 'fails'
  const seen = requests.at(-1)
  let plugin: { spec: { cluster?: { config: unknown } } } | undefined
  try {
    plugin = JSON.parse(readFileSync(present('told'), 'utf8'))
  } catch {
    // The file does not exist, so kubectl did not start a plugin.
  }
  const spec = plugin?.spec
  const cluster = spec?.cluster && { config: spec.cluster.config }
  return { ...seen, ...(spec !== undefined && { plugin: { ...spec, ...(cluster && { cluster }) } }) }
}

const kerfCalls = async (env: Readonly<Record<string, string>>): Promise<boolean> => {
  const clock = new SystemClock()
  const here = process.cwd()
  // The plugin writes its input into the current folder.
  process.chdir(folder)
  try {
    const connection = findConnection({ clock, env, order: 'kubectl' })
    const kube = new HttpKubeClient({ connection, clock, random: new SystemRandom(), logger: silentLogger, env })
    try {
      await kube.raw('/version')
    } finally {
      await kube.close()
    }
    return true
  } catch {
    return false
  } finally {
    process.chdir(here)
  }
}

describe('Kerf', () => {
  test.each(FEATURES)('$feature', async (feature) => {
    const env = prepare(feature)
    expect(await seenBy(() => kerfCalls(env))).toEqual(feature.seen ?? 'fails')
  })
})

describe('kubectl', () => {
  if (kubectl === undefined) {
    test.skipIf(!isRequired)('skipped: no kubectl of the control-plane build', () => expect.fail('kubectl is missing'))
    return
  }
  test.each(FEATURES)('$feature', async (feature) => {
    const env = prepare(feature)
    const args = ['-c', `cd "$1" && exec "$2" get --raw /version`, 'sh', folder, kubectl]
    const calls = async (): Promise<boolean> => (await runProgram('/bin/sh', args, env)).code === 0
    expect(await seenBy(calls)).toEqual(feature.seen ?? 'fails')
  })
})

test('the page about kubeconfigs lists every feature', () => {
  const page = readFileSync(new URL('../../../docs/reference/kubeconfig.md', import.meta.url), 'utf8')
  const rows = FEATURES.map(({ feature, seen }) => `| ${feature} | ${seen === undefined ? 'refused' : 'works'} |`)
  expect(page.split('\n').filter((line) => /\| (?:works|refused) \|$/.test(line))).toEqual(rows)
})
