import { spawn } from 'node:child_process'
import { type Milliseconds, ownField, parseTime } from '@kerf/apis'
import type { Clock } from '../clock/clock.ts'
import { runtimeErrors } from '../errors/runtime-errors.ts'
import { bearer, type Credential, type Credentials } from './credentials.ts'
import { windowsCommand } from './windows-command.ts'

/** A credential plugin: the entry `users[].user.exec` of a kubeconfig. */
export interface ExecPlugin {
  readonly apiVersion: string
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Whether the plugin gets the terminal's standard input. */
  readonly interactiveMode: 'Never' | 'IfAvailable' | 'Always'
  readonly installHint?: string
  /** Information about the cluster for the plugin, if the entry requests it (`provideClusterInfo`). */
  readonly cluster?: Readonly<Record<string, unknown>>
}

/** The user's terminal. Plugins print a URL that the user opens, or ask for a code. */
export interface PluginTerminal {
  /** Whether the standard input of this process is a terminal. If so, a plugin may read it. */
  readonly isInteractive: boolean
  /** Immediately shows what a plugin writes to its standard error. */
  show(text: string): void
}

/** A credential is renewed this long before its expiry, so that it does not expire during a request. */
const RENEW_BEFORE: Milliseconds = 10_000
/**
 * The time limit for a plugin without a terminal, so that a plugin that hangs does not block a controller. With a terminal there is
 * no limit, because a login takes time.
 */
const PLUGIN_TIMEOUT: Milliseconds = 60_000

interface Issued {
  readonly credential: Credential
  readonly expires: Milliseconds
}

/**
 * Gets credentials from a program, with the `client.authentication.k8s.io` protocol and the rules of client-go. Kerf does not use
 * the official JavaScript client for this. That client does not send `KUBERNETES_EXEC_INFO`, which current plugins require, and
 * keeps credentials that the server has refused.
 */
export class ExecCredentials implements Credentials {
  readonly #plugin: ExecPlugin
  readonly #clock: Clock
  readonly #terminal: PluginTerminal | undefined
  #issued: Issued | undefined
  #issuing: Promise<Issued> | undefined

  /** Without a `terminal`, Kerf tells the plugin that it cannot interact, and kills it after a minute. */
  constructor(plugin: ExecPlugin, clock: Clock, terminal?: PluginTerminal) {
    this.#plugin = plugin
    this.#clock = clock
    this.#terminal = terminal
  }

  async current(): Promise<Credential> {
    if (this.#issued === undefined || this.#clock.now() >= this.#issued.expires - RENEW_BEFORE) {
      // Many requests may find the credential expired at the same time. They all wait for the same run of the plugin.
      this.#issuing ??= this.#issue().finally(() => {
        this.#issuing = undefined
      })
      this.#issued = await this.#issuing
    }
    return this.#issued.credential
  }

  invalidate(): void {
    this.#issued = undefined
  }

  async #issue(): Promise<Issued> {
    const output = await this.#run()
    let answer: unknown
    try {
      answer = JSON.parse(output)
    } catch (cause) {
      throw this.#error('its output is not JSON', cause)
    }
    const version = text(ownField(answer, 'apiVersion'))
    if (version !== this.#plugin.apiVersion) {
      throw this.#error(
        `its output has apiVersion ${version ?? '(none)'}, but the kubeconfig expects ${this.#plugin.apiVersion}`,
      )
    }
    const status = ownField(answer, 'status')
    const token = text(ownField(status, 'token'))
    const cert = text(ownField(status, 'clientCertificateData'))
    const key = text(ownField(status, 'clientKeyData'))
    if (token === undefined && (cert === undefined || key === undefined)) {
      throw this.#error('its output has neither a token nor a client certificate with its key')
    }
    if ((cert === undefined) !== (key === undefined)) {
      throw this.#error('its output has only one of client certificate and key')
    }
    const expiry = text(ownField(status, 'expirationTimestamp'))
    const expires = expiry === undefined ? Number.POSITIVE_INFINITY : parseTime(expiry)
    if (expires === undefined) throw this.#error(`expirationTimestamp ${JSON.stringify(expiry)} is not a valid time`)
    const credential: Credential = {
      ...(token !== undefined && { authorization: bearer(token) }),
      ...(cert !== undefined && key !== undefined && { certificate: { cert, key } }),
    }
    return { credential, expires }
  }

  #run(): Promise<string> {
    const { apiVersion, args, cluster, command, env, interactiveMode } = this.#plugin
    const terminal = this.#terminal
    const hasInput = terminal?.isInteractive === true
    if (interactiveMode === 'Always' && !hasInput) {
      const cause = 'it needs a terminal (interactiveMode: Always), and standard input is not one'
      return Promise.reject(this.#error(cause))
    }
    const interactive = interactiveMode !== 'Never' && hasInput
    const info = {
      kind: 'ExecCredential',
      apiVersion,
      spec: { interactive, ...(cluster !== undefined && { cluster }) },
    }
    const variables = { ...process.env, ...env, KUBERNETES_EXEC_INFO: JSON.stringify(info) }
    const start =
      process.platform === 'win32'
        ? windowsCommand(command, args, variables)
        : { file: command, args, isVerbatim: false }
    return new Promise((resolve, reject) => {
      const child = spawn(start.file, start.args, {
        env: variables,
        stdio: [interactive ? 'inherit' : 'ignore', 'pipe', 'pipe'],
        windowsVerbatimArguments: start.isVerbatim,
      })
      const deadline =
        terminal === undefined ? this.#clock.timer(PLUGIN_TIMEOUT, () => child.kill('SIGKILL')) : undefined
      let out = ''
      let complaint = ''
      child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
        out += chunk
      })
      child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
        terminal?.show(chunk)
        complaint = (complaint + chunk).slice(-2_000)
      })
      child.on('error', (error) => {
        deadline?.cancel()
        const missing = 'code' in error && error.code === 'ENOENT'
        reject(this.#error(missing ? 'command not found' : error.message, error))
      })
      child.on('close', (code, killed) => {
        deadline?.cancel()
        if (code === 0) return resolve(out)
        const how = code === null ? `killed by ${killed}` : `exited with code ${code}`
        const why = complaint.trim().split('\n').at(-1)
        reject(this.#error(why ? `${how}: ${why}` : how))
      })
    })
  }

  #error(cause: string, error?: unknown): Error {
    const { command, installHint } = this.#plugin
    const hint = installHint?.trim().replaceAll(/\s*\n\s*/g, ' ')
    return runtimeErrors.CredentialPlugin({ command, cause, ...(hint && { hint }) }, { cause: error })
  }
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
