import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { VirtualClock } from '../clock/virtual-clock.ts'
import { socks5 } from '../testing/http-fixture.ts'
import { findConnection } from './connect.ts'
import { TokenFile } from './credentials.ts'
import { inClusterConnection } from './in-cluster.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kerf connection '))
})
afterEach(() => rmSync(folder, { recursive: true }))

const write = (name: string, content: unknown): string => {
  const path = join(folder, name)
  writeFileSync(path, typeof content === 'string' ? content : stringify(content))
  return path
}

const kubeconfig = (user: object, cluster: object = {}, context: object = {}): object => ({
  'current-context': 'dev',
  clusters: [{ name: 'local', cluster: { server: 'https://127.0.0.1:6443/', ...cluster } }],
  users: [{ name: 'ada', user }],
  contexts: [{ name: 'dev', context: { cluster: 'local', user: 'ada', ...context } }],
})

const AUTHORITY = '-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n'
const clock = new VirtualClock()
const connect = (file: string, context?: string) =>
  findConnection({ clock, env: {}, kubeconfig: file, ...(context !== undefined && { context }) })
const errorOf = (call: () => unknown): unknown => {
  try {
    call()
  } catch (error) {
    return error
  }
  return undefined
}

describe('a kubeconfig', () => {
  test('gives server, namespace, proxy and TLS', async () => {
    write('ca.pem', AUTHORITY)
    const file = write(
      'config',
      kubeconfig(
        { token: 'secret' },
        { 'certificate-authority': 'ca.pem', 'tls-server-name': 'api', 'proxy-url': 'http://127.0.0.1:3128' },
        { namespace: 'shop' },
      ),
    )
    const connection = connect(file)
    expect(connection).toMatchObject({
      server: 'https://127.0.0.1:6443',
      tls: { ca: AUTHORITY, serverName: 'api' },
      namespace: 'shop',
      proxyUrl: 'http://127.0.0.1:3128',
      origin: `context dev of ${file}`,
    })
    expect(await connection.credentials.current()).toEqual({ authorization: 'Bearer secret' })
  })

  test('reads certificates from data, or from files next to it', () => {
    write('ada.crt', 'CERT')
    const file = write(
      'config',
      kubeconfig({ 'client-certificate': 'ada.crt', 'client-key-data': Buffer.from('KEY').toString('base64') }),
    )
    expect(connect(file).tls).toEqual({ cert: 'CERT', key: 'KEY' })
  })

  test('uses data rather than a file, and ignores a key without a certificate', () => {
    write('ada.crt', 'FILE')
    const certificate = { 'client-certificate': 'ada.crt', 'client-certificate-data': btoa('DATA') }
    expect(connect(write('config', kubeconfig({ ...certificate, 'client-key-data': btoa('KEY') }))).tls).toEqual({
      cert: 'DATA',
      key: 'KEY',
    })
    expect(connect(write('config', kubeconfig({ 'client-key-data': btoa('KEY') }))).tls).toEqual({})
  })

  test('uses the user with the empty name for contexts without a user', async () => {
    const file = write('config', {
      ...kubeconfig({}, {}, { user: '' }),
      users: [{ name: '', user: { token: 'nameless' } }],
    })
    expect(await connect(file).credentials.current()).toEqual({ authorization: 'Bearer nameless' })
  })

  test('supports basic auth, token files and impersonation', async () => {
    const basic = connect(write('basic', kubeconfig({ username: 'ada', password: 'x:y' })))
    expect(await basic.credentials.current()).toEqual({ authorization: `Basic ${btoa('ada:x:y')}` })
    write('token', 'from-file\n')
    const fromFile = connect(write('file', kubeconfig({ tokenFile: 'token', token: 'inline', as: 'root' })))
    expect(await fromFile.credentials.current()).toEqual({ authorization: 'Bearer from-file' })
    expect(fromFile.headers).toEqual({ 'Impersonate-User': 'root' })
  })

  test('with several files, uses the first entry of each name and skips missing files', () => {
    const first = write('one', { contexts: [{ name: 'dev', context: { cluster: 'two', user: '' } }] })
    const second = write('two', {
      ...kubeconfig({}),
      clusters: [
        { name: 'local', cluster: { server: 'https://127.0.0.1:1' } },
        { name: 'two', cluster: { server: 'https://127.0.0.1:2' } },
      ],
    })
    const env = { KUBECONFIG: [join(folder, 'absent'), first, second].join(':') }
    expect(findConnection({ clock, env }).server).toBe('https://127.0.0.1:2')
    // As in kubectl, an empty current context or an empty flag means that it is not set.
    write('one', { 'current-context': '' })
    expect(findConnection({ clock, env, kubeconfig: '' }).server).toBe('https://127.0.0.1:1')
  })

  test.each<[string, unknown, string, string]>([
    ['a text that is not YAML', 'a: [', 'KubeconfigInvalid', 'not YAML'],
    ['a list instead of an object', '[1]', 'KubeconfigInvalid', 'the document must be a mapping'],
    [
      'a token that is not a text',
      kubeconfig({ token: 7 }),
      'KubeconfigInvalid',
      'users[0].user.token must be a string',
    ],
    ['no server', kubeconfig({}, { server: '' }), 'KubeconfigInvalid', 'clusters[0].cluster.server is missing'],
    [
      'a server URL with an unknown scheme',
      kubeconfig({}, { server: 'ftp://localhost' }),
      'KubeconfigInvalid',
      'is not a valid URL',
    ],
    [
      'an unknown user',
      kubeconfig({}, {}, { user: 'bob' }),
      'KubeconfigInvalid',
      'contexts[0].context.user "bob" is not defined',
    ],
    [
      'a certificate without a key',
      kubeconfig({ 'client-certificate-data': 'QQ==' }),
      'KubeconfigInvalid',
      'without client-key',
    ],
    [
      'a missing CA file',
      kubeconfig({}, { 'certificate-authority': 'nowhere.pem' }),
      'KubeconfigInvalid',
      'cannot read nowhere.pem',
    ],
    [
      'data that is not base64',
      kubeconfig({}, { 'certificate-authority-data': '!' }),
      'KubeconfigInvalid',
      'certificate-authority-data must be base64',
    ],
    [
      'a CA that is not PEM',
      kubeconfig({}, { 'certificate-authority-data': 'QQ==' }),
      'KubeconfigInvalid',
      'certificate-authority contains no certificate in PEM format',
    ],
    [
      'an incomplete plugin in addition to a token',
      kubeconfig({ token: 't', exec: { apiVersion: 'client.authentication.k8s.io/v1', command: 'x' } }),
      'KubeconfigInvalid',
      'users[0].user.exec.interactiveMode is missing',
    ],
    [
      'an auth provider that was removed from kubectl',
      kubeconfig({ 'auth-provider': { name: 'gcp' } }),
      'KubeconfigInvalid',
      'use its exec plugin',
    ],
  ])('with %s is refused, and the error names the field', (_what, content, code, words) => {
    const file = write('config', content)
    const error = errorOf(() => connect(file))
    expect(error).toMatchObject({ code, exitCode: 2 })
    expect(String(error)).toContain(file)
    expect(String(error)).toContain(words)
  })

  test('has its contexts listed in the error if the requested context does not exist', () => {
    const file = write('config', kubeconfig({}))
    expect(errorOf(() => connect(file, 'prod'))).toMatchObject({
      code: 'UnknownContext',
      message: `kubeconfig ${file} has no context "prod"; available contexts: dev`,
    })
  })

  test('must exist if it was given', () => {
    expect(errorOf(() => connect(join(folder, 'absent')))).toMatchObject({ code: 'KubeconfigUnreadable', exitCode: 2 })
  })
})

test('a token file must exist, unless there is also a token', () => {
  const error = errorOf(() => connect(write('config', kubeconfig({ tokenFile: 'no' }))))
  expect(error).toMatchObject({ code: 'TokenUnreadable', parameters: { file: join(folder, 'no') } })
  expect(errorOf(() => connect(write('config', kubeconfig({ tokenFile: 'no', token: 't' }))))).toBeUndefined()
})

test('the proxy of a kubeconfig takes precedence over the environment', () => {
  const proxied = (more: object): string | undefined => {
    const file = write('config', kubeconfig({}, { server: 'https://api.example', ...more }))
    return findConnection({ clock, env: { HTTPS_PROXY: 'http://env:1' }, kubeconfig: file }).proxyUrl
  }
  expect(proxied({ 'proxy-url': 'http://own:2' })).toBe('http://own:2')
  expect(proxied({})).toBe('http://env:1')
})

test('in the order of kubectl, KUBECONFIG replaces the file in the home folder, and KUBERNETES_MASTER names a server', () => {
  mkdirSync(join(folder, '.kube'))
  write('.kube/config', kubeconfig({}))
  const found = (env: Readonly<Record<string, string>>) => findConnection({ clock, env, order: 'kubectl' })
  // On Windows, HOME is usually not set.
  expect(found({ USERPROFILE: folder }).server).toBe('https://127.0.0.1:6443')
  const KUBECONFIG = join(folder, 'absent')
  expect(errorOf(() => found({ HOME: folder, KUBECONFIG }))).toMatchObject({ code: 'NoCluster' })
  expect(found({ KUBECONFIG, KUBERNETES_MASTER: 'http://127.0.0.1:8080' })).toMatchObject({
    server: 'http://127.0.0.1:8080',
    origin: '$KUBERNETES_MASTER',
  })
})

test('if no cluster is found, the error names the places where Kerf looked', () => {
  const error = errorOf(() => findConnection({ clock, env: { HOME: folder } }))
  expect(error).toMatchObject({ code: 'NoCluster', exitCode: 2 })
  expect(String(error)).toContain(`$KUBECONFIG, the in-cluster service account, ${join(folder, '.kube', 'config')}`)
})

describe('a token file', () => {
  test('is read again after a minute, or at once after the server refused the token', async () => {
    const time = new VirtualClock()
    const path = write('token', 'one')
    const token = new TokenFile(path, time)
    const current = async (): Promise<unknown> => (await token.current()).authorization
    expect(await current()).toBe('Bearer one')
    writeFileSync(path, 'two\n')
    await time.advance(59_000)
    expect(await current()).toBe('Bearer one')
    await time.advance(1_000)
    expect(await current()).toBe('Bearer two')
    writeFileSync(path, 'three')
    token.invalidate()
    expect(await current()).toBe('Bearer three')
  })

  test('keeps the last token while the file is empty or missing', async () => {
    const time = new VirtualClock()
    const path = write('token', 'one')
    const token = new TokenFile(path, time)
    await token.current()
    writeFileSync(path, '')
    await time.advance(60_000)
    expect(await token.current()).toEqual({ authorization: 'Bearer one' })
    rmSync(path)
    await time.advance(60_000)
    expect(await token.current()).toEqual({ authorization: 'Bearer one' })
    const error = await new TokenFile(path, time).current().catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'TokenUnreadable', parameters: { file: path } })
  })
})

describe('in a cluster', () => {
  test('connects with the service account', async () => {
    write('token', 'sa')
    write('ca.crt', 'AUTHORITY')
    write('namespace', 'kube-system\n')
    const env = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' }
    const connection = inClusterConnection(env, clock, folder)
    expect(connection).toMatchObject({
      server: 'https://[fd00::1]:443',
      tls: { ca: 'AUTHORITY' },
      namespace: 'kube-system',
    })
    expect(await connection?.credentials.current()).toEqual({ authorization: 'Bearer sa' })
    expect(inClusterConnection({}, clock, folder)).toBeUndefined()
  })
})

test('the ID token of an OIDC user is used while it is valid', async () => {
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')
  const idToken = `${encode({ alg: 'RS256' })}.${encode({ exp: 4_102_444_800 })}.signature`
  const provider = {
    name: 'oidc',
    config: { 'id-token': idToken, 'client-id': 'kerf', 'idp-issuer-url': 'https://idp' },
  }
  const { credentials } = connect(write('config', kubeconfig({ 'auth-provider': provider })))
  expect(await credentials.current()).toEqual({ authorization: `Bearer ${idToken}` })
  credentials.invalidate()
  expect(await credentials.current()).toEqual({ authorization: `Bearer ${idToken}` })
})

test.each([
  ['', ['idp.invalid:443']],
  ['idp.invalid', []],
])(
  'the identity provider of an OIDC user is reached through HTTPS_PROXY, with NO_PROXY=%s',
  async (NO_PROXY, through) => {
    const reached: string[] = []
    const HTTPS_PROXY = `socks5://127.0.0.1:${await socks5(reached)}`
    const config = { 'refresh-token': 'r', 'client-id': 'kerf', 'idp-issuer-url': 'https://idp.invalid' }
    const file = write('config', kubeconfig({ 'auth-provider': { name: 'oidc', config } }))
    const { credentials } = findConnection({ clock, env: { HTTPS_PROXY, NO_PROXY }, kubeconfig: file })
    await expect(credentials.current()).rejects.toMatchObject({ code: 'OidcRefresh' })
    expect(reached).toEqual(through)
  },
)
