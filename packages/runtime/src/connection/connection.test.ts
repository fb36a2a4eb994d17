import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { VIRTUAL_EPOCH, VirtualClock } from '../clock/virtual-clock.ts'
import { socks5 } from '../testing/http-fixture.ts'
import { findConnection } from './connect.ts'
import { TokenFile } from './credentials.ts'
import { ExecCredentials } from './exec-credentials.ts'
import { inClusterConnection } from './in-cluster.ts'
import { proxyFor } from './proxy.ts'

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

describe('an exec plugin', () => {
  const plugin = (script: string, installHint?: string) => {
    // A shebang line cannot contain an interpreter path with spaces, so a shell script starts the interpreter.
    const path = write('plugin', `#!/bin/sh\nexec "${process.execPath}" "${write('plugin.mjs', script)}" "$@"\n`)
    chmodSync(path, 0o755)
    return {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: path,
      args: ['get-token'],
      env: { REGION: 'eu' },
      interactiveMode: 'IfAvailable' as const,
      ...(installHint && { installHint }),
    }
  }
  const answering = (status: string): string => `
    import { appendFileSync } from 'node:fs'
    appendFileSync(${JSON.stringify(join(folder, 'runs'))}, 'x')
    const info = JSON.parse(process.env.KUBERNETES_EXEC_INFO)
    console.log(JSON.stringify({ apiVersion: info.apiVersion, kind: 'ExecCredential', status: ${status} }))`

  test('gets information about the call, and its token is kept until it expires', async () => {
    const time = new VirtualClock()
    const expires = new Date(VIRTUAL_EPOCH + 600_000).toISOString()
    const script = answering(
      `{ token: [info.kind, process.argv[2], process.env.REGION, (globalThis.count = 1)].join('/'), expirationTimestamp: '${expires}' }`,
    )
    const credentials = new ExecCredentials(plugin(script), time)
    const [first] = await Promise.all([credentials.current(), credentials.current()])
    expect(first).toEqual({ authorization: 'Bearer ExecCredential/get-token/eu/1' })
    const runs = (): number => readRuns(folder)
    expect(runs()).toBe(1)
    await time.advance(580_000)
    await credentials.current()
    expect(runs()).toBe(1)
    await time.advance(11_000)
    await credentials.current()
    expect(runs()).toBe(2)
    credentials.invalidate()
    await credentials.current()
    expect(runs()).toBe(3)
  })

  test('may return a client certificate', async () => {
    const credentials = new ExecCredentials(
      plugin(answering(`{ clientCertificateData: 'C', clientKeyData: 'K' }`)),
      clock,
    )
    expect(await credentials.current()).toEqual({ certificate: { cert: 'C', key: 'K' } })
  })

  test.each([
    ['console.error("Token has expired"); process.exit(255)', 'exited with code 255: Token has expired'],
    ['console.log("hello")', 'its output is not JSON'],
    ['console.log("{}")', 'its output has apiVersion (none)'],
    [
      'console.log(JSON.stringify({ apiVersion: "client.authentication.k8s.io/v1", status: {} }))',
      'neither a token nor a client certificate',
    ],
    [
      'console.log(JSON.stringify({ apiVersion: "client.authentication.k8s.io/v1", status: { token: "t", clientKeyData: "K" } }))',
      'only one of client certificate and key',
    ],
  ])('has its message in the error if it fails: %s', async (script, words) => {
    const credentials = new ExecCredentials(plugin(script), clock)
    const error = await credentials.current().catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'CredentialPlugin' })
    expect(String(error)).toContain(words)
  })

  test('gets the terminal according to its interactive mode, and its output is shown at once', async () => {
    const shown: string[] = []
    const script = `console.error('open https://example.com/device');${answering('{ token: String(info.spec.interactive) }')}`
    const interactive = async (interactiveMode: 'Never' | 'IfAvailable' | 'Always', isInteractive: boolean) => {
      const terminal = { isInteractive, show: (text: string) => void shown.push(text) }
      const { authorization } = await new ExecCredentials(
        { ...plugin(script), interactiveMode },
        clock,
        terminal,
      ).current()
      return authorization
    }
    expect(await interactive('IfAvailable', true)).toBe('Bearer true')
    expect(shown.join('')).toBe('open https://example.com/device\n')
    expect(await interactive('IfAvailable', false)).toBe('Bearer false')
    expect(await interactive('Always', true)).toBe('Bearer true')
    expect(await interactive('Never', true)).toBe('Bearer false')
    await expect(interactive('Always', false)).rejects.toThrow('standard input is not one')
  })

  test('has a path relative to its kubeconfig, and gets its extension of the cluster and by default the terminal', async () => {
    const script = answering('{ token: JSON.stringify([info.spec.interactive, info.spec.cluster]) }')
    const { apiVersion, command } = { ...plugin(script), apiVersion: 'client.authentication.k8s.io/v1beta1' }
    const exec = { apiVersion, command: `./${basename(command)}`, provideClusterInfo: true }
    const terminal = { isInteractive: true, show: () => {} }
    const told = async (cluster: object): Promise<unknown> => {
      const file = write('config', kubeconfig({ exec }, cluster))
      const { authorization } = await findConnection({
        clock,
        env: {},
        kubeconfig: file,
        terminal,
      }).credentials.current()
      return JSON.parse(authorization?.replace('Bearer ', '') ?? '')
    }
    const extensions = [
      { name: 'other', extension: { a: 1 } },
      { name: 'client.authentication.k8s.io/exec', extension: { b: 2 } },
    ]
    expect(await told({ extensions })).toMatchObject([true, { config: { b: 2 } }])
    // As in client-go, a field without a value is present as null.
    expect(await told({})).toEqual([true, { server: 'https://127.0.0.1:6443/', config: null }])
  })

  test('has no time limit with a terminal, and a limit of one minute without', async () => {
    const script = `setTimeout(() => process.exit(3), 300)`
    const call = async (terminal?: { isInteractive: boolean; show(): void }): Promise<string> => {
      const time = new VirtualClock()
      const credentials = new ExecCredentials(plugin(script), time, terminal)
      const failure = credentials.current().catch(String)
      await time.advance(120_000)
      return String(await failure)
    }
    expect(await call()).toContain('killed by SIGKILL')
    expect(await call({ isInteractive: false, show: () => {} })).toContain('exited with code 3')
  })

  test('has its install hint in the error if it is not installed', async () => {
    const missing = { ...plugin('', 'get it from\n  example.com'), command: join(folder, 'no-such-plugin') }
    const error = await new ExecCredentials(missing, clock).current().catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({
      message: `credential plugin ${missing.command}: command not found; get it from example.com`,
    })
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

const readRuns = (at: string): number => readFileSync(join(at, 'runs'), 'utf8').length

describe('a proxy', () => {
  const env = {
    HTTPS_PROXY: 'http://proxy:3128',
    NO_PROXY: 'internal.example,.corp, 10.0.0.0/8,fd00::/8,192.0.2.1:6443',
  }
  test.each([
    ['https://api.example:6443', 'http://proxy:3128'],
    ['https://internal.example', undefined],
    ['https://a.internal.example', undefined],
    ['https://notinternal.example', 'http://proxy:3128'],
    ['https://x.corp:6443', undefined],
    ['https://10.1.2.3:6443', undefined],
    ['https://11.1.2.3:6443', 'http://proxy:3128'],
    ['https://[fd00::1]:6443', undefined],
    ['https://192.0.2.1:6443', undefined],
    ['https://192.0.2.1:443', 'http://proxy:3128'],
    ['https://127.0.0.1:6443', undefined],
    ['http://api.example', undefined],
  ])('for %s is %s', (server, expected) => {
    expect(proxyFor(server, env)).toBe(expected)
  })

  // These cases come from the documentation of Go's httpproxy: ports, brackets, subdomains and similar names.
  test.each([
    ['foo.example', 'https://foo.example', true],
    ['foo.example', 'https://a.b.foo.example', true],
    ['foo.example', 'https://barfoo.example', false],
    ['.foo.example', 'https://foo.example', false],
    ['.foo.example', 'https://a.foo.example', true],
    ['*.foo.example', 'https://foo.example', false],
    ['*.foo.example', 'https://a.foo.example', true],
    ['FOO.Example', 'https://Foo.example', true],
    ['foo.example:8443', 'https://foo.example:8443', true],
    ['foo.example:8443', 'https://foo.example', false],
    ['foo.example:443', 'https://foo.example', true],
    ['.foo.example:443', 'https://a.foo.example', true],
    ['192.0.2.0/24', 'https://192.0.2.9', true],
    ['192.0.2.0/24', 'https://192.0.3.9', false],
    ['192.0.2.0/99', 'https://192.0.2.9', false],
    ['192.0.2.1', 'https://192.0.2.1:8443', true],
    ['192.0.2.1', 'https://192.0.2.11', false],
    ['2001:db8::1', 'https://[2001:db8:0::1]', true],
    ['[2001:db8::1]:8443', 'https://[2001:db8::1]:8443', true],
    ['[2001:db8::1]:8443', 'https://[2001:db8::1]', false],
    ['[2001:db8::1]', 'https://[2001:db8::1]', true],
    ['2001:db8::/32', 'https://[2001:db8::1]', true],
    ['::ffff:0:0/96', 'https://192.0.2.1', false],
    [' , :443,', 'https://foo.example', false],
    ['a.example, *', 'https://foo.example', true],
    ['', 'https://127.8.8.8', true],
    ['', 'https://localhost:6443', true],
    ['', 'https://[::1]:6443', true],
    ['', 'https://127.foo.example', false],
  ])('with NO_PROXY=%s, %s is reached directly: %s', (exceptions, server, isDirect) => {
    const proxied = proxyFor(server, { HTTPS_PROXY: 'http://p:1', NO_PROXY: exceptions })
    expect(proxied).toBe(isDirect ? undefined : 'http://p:1')
    expect(proxyFor(server, { https_proxy: 'http://p:1', no_proxy: exceptions })).toBe(proxied)
  })

  test('uses HTTP if it has no scheme', () => {
    expect(proxyFor('https://api.example', { HTTPS_PROXY: 'proxy:3128' })).toBe('http://proxy:3128')
    expect(proxyFor('http://api.example', { HTTP_PROXY: 'http://a:1', HTTPS_PROXY: 'http://b:1' })).toBe('http://a:1')
    expect(proxyFor('https://api.example', { HTTPS_PROXY: 'socks5://a:1' })).toBe('socks5://a:1')
  })

  test('is not used without the variables, or with NO_PROXY=*', () => {
    expect(proxyFor('https://api.example', {})).toBeUndefined()
    expect(proxyFor('https://api.example', { https_proxy: 'http://p', NO_PROXY: '*' })).toBeUndefined()
    expect(proxyFor('https://api.example', { https_proxy: 'http://p' })).toBe('http://p')
  })
})
