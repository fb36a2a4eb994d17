import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { parse } from 'yaml'
import type { Clock } from '../clock/clock.ts'
import { runtimeErrors } from '../errors/runtime-errors.ts'
import type { Connection, TlsSettings } from './connection.ts'
import { basic, bearer, type Credentials, fixedCredentials, TokenFile } from './credentials.ts'
import { decodeText } from './decode-text.ts'
import { ExecCredentials } from './exec-credentials.ts'
import { Field } from './field.ts'
import { OidcCredentials, type OidcUser } from './oidc-credentials.ts'

interface Entry {
  readonly file: string
  readonly value: Field
}

/** Kubeconfig files read as one: of entries with the same name the first file's counts. */
export class Kubeconfig {
  readonly #files: readonly string[]
  readonly #clusters = new Map<string, Entry>()
  readonly #users = new Map<string, Entry>()
  readonly #contexts = new Map<string, Entry>()
  #currentContext: string | undefined

  private constructor(files: readonly string[]) {
    this.#files = files
  }

  /**
   * Reads the files. With `optional`, those that do not exist are left out, as kubectl does for the list in `KUBECONFIG`.
   * Throws `KubeconfigUnreadable` or `KubeconfigInvalid`.
   */
  static load(files: readonly string[], { optional = false } = {}): Kubeconfig {
    const kubeconfig = new Kubeconfig(files)
    for (const file of files) {
      let text: string
      try {
        text = decodeText(readFileSync(file))
      } catch (error) {
        const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
        if (missing && optional) continue
        const cause = missing ? 'no such file' : error instanceof Error ? error.message : String(error)
        throw runtimeErrors.KubeconfigUnreadable({ file, cause }, { cause: error })
      }
      kubeconfig.#add(file, text)
    }
    return kubeconfig
  }

  get contexts(): readonly string[] {
    return [...this.#contexts.keys()]
  }

  get isEmpty(): boolean {
    return this.#contexts.size === 0 && this.#clusters.size === 0
  }

  /** The connection of a context, by default the current one. Throws `UnknownContext` or `KubeconfigInvalid`. */
  connection(clock: Clock, context: string | undefined = this.#currentContext): Connection {
    const name = context ?? ''
    const entry = this.#contexts.get(name)
    if (entry === undefined) {
      throw runtimeErrors.UnknownContext({ file: this.#files.join(':'), context: name, known: this.contexts })
    }
    const fields = entry.value.field('context')
    const cluster = this.#find(this.#clusters, fields.field('cluster')).field('cluster')
    const userName = fields.field('user')
    const user = userName.text() ? this.#find(this.#users, userName).field('user') : undefined
    const namespace = fields.field('namespace').text()
    const server = cluster.field('server').required().replace(/\/+$/, '')
    if (!/^https?:\/\/[^/]/.test(server)) throw cluster.field('server').problem(`${JSON.stringify(server)} is no URL`)
    const proxyUrl = cluster.field('proxy-url').text()
    const headers = user && impersonationOf(user)
    const readTls = (): TlsSettings => ({ ...tlsOf(cluster), ...(user && certificateOf(user)) })
    return {
      server,
      tls: readTls(),
      readTls,
      credentials: user === undefined ? fixedCredentials({}) : credentialsOf(user, cluster, clock),
      ...(proxyUrl && { proxyUrl }),
      ...(namespace && { namespace }),
      ...(headers && { headers }),
      origin: `context ${name} of ${entry.file}`,
    }
  }

  #add(file: string, text: string): void {
    let document: unknown
    try {
      document = parse(text)
    } catch (error) {
      const problem = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
      throw runtimeErrors.KubeconfigInvalid({ file, problem: `not YAML: ${problem}` }, { cause: error })
    }
    if (document === null || document === undefined) return
    const root = new Field(document, '', file)
    root.object()
    const tables = [
      ['clusters', this.#clusters],
      ['users', this.#users],
      ['contexts', this.#contexts],
    ] as const
    for (const [list, table] of tables) {
      for (const value of root.field(list).items()) {
        const name = value.field('name').required()
        if (!table.has(name)) table.set(name, { file, value })
      }
    }
    this.#currentContext ??= root.field('current-context').text() || undefined
  }

  #find(table: ReadonlyMap<string, Entry>, reference: Field): Field {
    const name = reference.required()
    const entry = table.get(name)
    if (entry === undefined) throw reference.problem(`${JSON.stringify(name)} is not defined`)
    return entry.value
  }
}

/** `X-data` (base64) or the file named by `X`, which is relative to the kubeconfig. */
const dataOf = (holder: Field, name: string): string | undefined => {
  const data = holder.field(`${name}-data`).text()
  if (data) return Buffer.from(data, 'base64').toString('utf8')
  const reference = holder.field(name)
  const path = reference.text()
  if (!path) return undefined
  try {
    return readFileSync(resolve(dirname(holder.file), path), 'utf8')
  } catch (error) {
    throw reference.problem(`cannot read ${path}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

const tlsOf = (cluster: Field): Connection['tls'] => {
  const ca = dataOf(cluster, 'certificate-authority')
  const serverName = cluster.field('tls-server-name').text()
  const insecure = cluster.field('insecure-skip-tls-verify').flag()
  return { ...(ca && { ca }), ...(serverName && { serverName }), ...(insecure && { insecure }) }
}

const certificateOf = (user: Field): { cert?: string; key?: string } => {
  const cert = dataOf(user, 'client-certificate')
  const key = dataOf(user, 'client-key')
  if ((cert === undefined) !== (key === undefined)) {
    throw user.problem('has a client certificate without its key, or the reverse')
  }
  return { ...(cert && { cert }), ...(key && { key }) }
}

const impersonationOf = (user: Field): Readonly<Record<string, string>> | undefined => {
  const name = user.field('as').text()
  return name ? { 'Impersonate-User': name } : undefined
}

const oidcUserOf = (config: Field): OidcUser => {
  // An empty text is how kubectl writes what is not set.
  const text = (name: string): string | undefined => config.field(name).text() || undefined
  const issuer = text('idp-issuer-url')
  const clientId = text('client-id')
  const clientSecret = text('client-secret')
  const idToken = text('id-token')
  const refreshToken = text('refresh-token')
  const ca = dataOf(config, 'idp-certificate-authority')
  return {
    ...(issuer && { issuer }),
    ...(clientId && { clientId }),
    ...(clientSecret && { clientSecret }),
    ...(idToken && { idToken }),
    ...(refreshToken && { refreshToken }),
    ...(ca && { ca }),
  }
}

const credentialsOf = (user: Field, cluster: Field, clock: Clock): Credentials => {
  const tokenFile = user.field('tokenFile').text()
  if (tokenFile) return new TokenFile(resolve(dirname(user.file), tokenFile), clock)
  const token = user.field('token').text()
  if (token) return fixedCredentials({ authorization: bearer(token) })
  const username = user.field('username').text()
  if (username) return fixedCredentials({ authorization: basic(username, user.field('password').text() ?? '') })
  const exec = user.field('exec')
  if (exec.isSet) return execOf(exec, cluster, clock)
  const provider = user.field('auth-provider')
  if (provider.isSet) {
    const kind = provider.field('name').required()
    if (kind !== 'oidc') throw provider.problem(`auth-provider ${kind} is gone from Kubernetes; use its exec plugin`)
    return new OidcCredentials(oidcUserOf(provider.field('config')), clock)
  }
  return fixedCredentials({})
}

const execOf = (exec: Field, cluster: Field, clock: Clock): Credentials => {
  const command = exec.field('command').required()
  const env = Object.fromEntries(
    exec
      .field('env')
      .items()
      .map((item) => [item.field('name').required(), item.field('value').text() ?? '']),
  )
  const installHint = exec.field('installHint').text()
  return new ExecCredentials(
    {
      apiVersion: exec.field('apiVersion').text() || 'client.authentication.k8s.io/v1',
      // A path with a slash is relative to the kubeconfig; a bare name is looked up in PATH.
      command: command.includes('/') ? resolve(dirname(exec.file), command) : command,
      args: exec
        .field('args')
        .items()
        .map((item) => item.required()),
      env,
      ...(installHint && { installHint }),
      ...(exec.field('provideClusterInfo').flag() && { cluster: clusterInfoOf(cluster) }),
    },
    clock,
  )
}

/** The cluster as the exec protocol spells it: certificate data instead of file names. */
const clusterInfoOf = (cluster: Field): Readonly<Record<string, unknown>> => {
  const ca = dataOf(cluster, 'certificate-authority')
  const serverName = cluster.field('tls-server-name').text()
  const proxyUrl = cluster.field('proxy-url').text()
  return {
    server: cluster.field('server').required(),
    ...(ca && { 'certificate-authority-data': Buffer.from(ca).toString('base64') }),
    ...(serverName && { 'tls-server-name': serverName }),
    ...(proxyUrl && { 'proxy-url': proxyUrl }),
    ...(cluster.field('insecure-skip-tls-verify').flag() && { 'insecure-skip-tls-verify': true }),
    config: null,
  }
}
