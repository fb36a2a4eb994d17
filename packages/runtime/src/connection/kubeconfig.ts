import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { runtimeErrors } from '../errors/runtime-errors.ts'
import type { Connection, TlsSettings } from './connection.ts'
import { fixedCredentials } from './credentials.ts'
import { decodeText } from './decode-text.ts'
import { Field } from './field.ts'
import { isSecure, readProxyUrl, readServer, readTlsSettings } from './kubeconfig-cluster.ts'
import { type CredentialDeps, impersonationHeaders, readCertificate, readCredentials } from './kubeconfig-user.ts'

interface Entry {
  readonly file: string
  readonly value: Field
}

/**
 * Merges kubeconfig files by the rules of client-go. If several files have an entry of the same name, the first one applies. The
 * current context is the first one that is set.
 */
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
   * Reads the files. With `optional`, missing files are skipped, as kubectl does for the files in `KUBECONFIG`.
   *
   * @throws KubeconfigUnreadable or KubeconfigInvalid
   */
  static load(files: readonly string[], { optional = false } = {}): Kubeconfig {
    const kubeconfig = new Kubeconfig(files)
    for (const file of new Set(files)) {
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

  /**
   * Returns the connection for a context, by default the current context.
   *
   * @throws NoCurrentContext, UnknownContext or KubeconfigInvalid
   */
  connection(deps: CredentialDeps, context: string | undefined = this.#currentContext): Connection {
    const name = context ?? ''
    const entry = this.#contexts.get(name)
    if (entry === undefined) {
      const file = this.#files.join(':')
      if (name === '') throw runtimeErrors.NoCurrentContext({ file, known: this.contexts })
      throw runtimeErrors.UnknownContext({ file, context: name, known: this.contexts })
    }
    const fields = entry.value.field('context')
    const cluster = this.#find(this.#clusters, fields.field('cluster')).field('cluster')
    const server = readServer(cluster)
    const userName = fields.field('user')
    // The user with the empty name is used for contexts without a user.
    const named = userName.text() ? this.#find(this.#users, userName) : this.#users.get('')?.value
    const user = isSecure(server) ? named?.field('user') : undefined
    const namespace = fields.field('namespace').text()
    const proxyUrl = readProxyUrl(cluster)
    const headers = user && impersonationHeaders(user)
    const readTls = (): TlsSettings => ({ ...readTlsSettings(cluster), ...(user && readCertificate(user)) })
    return {
      server,
      tls: readTls(),
      readTls,
      credentials: user === undefined ? fixedCredentials({}) : readCredentials(user, cluster, deps),
      ...(proxyUrl && { proxyUrl }),
      ...(namespace && { namespace }),
      ...(headers && { headers }),
      origin: `context ${name} of ${entry.file}`,
    }
  }

  #add(file: string, text: string): void {
    let document: unknown
    try {
      // If a key occurs several times, kubectl uses the last one.
      document = parse(text, { uniqueKeys: false })
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
      const names = new Set<string>()
      for (const value of root.field(list).items()) {
        const field = value.field('name')
        const name = field.text() ?? ''
        if (names.has(name)) throw field.problem(`${JSON.stringify(name)} is defined twice`)
        names.add(name)
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
