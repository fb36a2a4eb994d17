import { spawn } from 'node:child_process'
import { type Milliseconds, ownField, timeOf } from '@kerf/apis'
import type { Clock } from '../clock/clock.ts'
import { runtimeErrors } from '../errors/runtime-errors.ts'
import { bearer, type Credential, type Credentials } from './credentials.ts'

/** `users[].user.exec` of a kubeconfig. */
export interface ExecPlugin {
  readonly apiVersion: string
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly installHint?: string
  /** What to tell the plugin about the cluster when it asks for that (`provideClusterInfo`). */
  readonly cluster?: Readonly<Record<string, unknown>>
}

/** A credential is renewed this long before it ends, so that none expires on the way. */
const RENEW_BEFORE: Milliseconds = 10_000
/** A plugin that hangs must not hang everything. */
const PLUGIN_TIMEOUT: Milliseconds = 60_000

interface Issued {
  readonly credential: Credential
  readonly expires: Milliseconds
}

/**
 * Credentials from a program, by the `client.authentication.k8s.io` protocol. (Ours and not that of the official client:
 * it sends no `KUBERNETES_EXEC_INFO`, which current plugins insist on, and keeps a credential that the server has refused.)
 */
export class ExecCredentials implements Credentials {
  readonly #plugin: ExecPlugin
  readonly #clock: Clock
  #issued: Issued | undefined
  #issuing: Promise<Issued> | undefined

  constructor(plugin: ExecPlugin, clock: Clock) {
    this.#plugin = plugin
    this.#clock = clock
  }

  async current(): Promise<Credential> {
    if (this.#issued === undefined || this.#clock.now() >= this.#issued.expires - RENEW_BEFORE) {
      // Many requests may find the credential expired at once; one run of the plugin serves them all.
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
    const status = ownField(answer, 'status')
    const token = text(ownField(status, 'token'))
    const cert = text(ownField(status, 'clientCertificateData'))
    const key = text(ownField(status, 'clientKeyData'))
    if (token === undefined && (cert === undefined || key === undefined)) {
      throw this.#error('its answer holds neither a token nor a client certificate with its key')
    }
    const expiry = text(ownField(status, 'expirationTimestamp'))
    const expires = expiry === undefined ? Number.POSITIVE_INFINITY : timeOf(expiry)
    if (expires === undefined) throw this.#error(`expirationTimestamp ${JSON.stringify(expiry)} is no time`)
    const credential: Credential = {
      ...(token !== undefined && { authorization: bearer(token) }),
      ...(cert !== undefined && key !== undefined && { certificate: { cert, key } }),
    }
    return { credential, expires }
  }

  #run(): Promise<string> {
    const { apiVersion, args, cluster, command, env } = this.#plugin
    const info = {
      kind: 'ExecCredential',
      apiVersion,
      spec: { interactive: false, ...(cluster !== undefined && { cluster }) },
    }
    return new Promise((resolve, reject) => {
      const child = spawn(command, args, {
        env: { ...process.env, ...env, KUBERNETES_EXEC_INFO: JSON.stringify(info) },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const deadline = this.#clock.timer(PLUGIN_TIMEOUT, () => child.kill('SIGKILL'))
      let out = ''
      let complaint = ''
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        out += chunk
      })
      child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
        complaint = (complaint + chunk).slice(-2_000)
      })
      child.on('error', (error) => {
        deadline.cancel()
        const missing = 'code' in error && error.code === 'ENOENT'
        reject(this.#error(missing ? 'command not found' : error.message, error))
      })
      child.on('close', (code, killed) => {
        deadline.cancel()
        if (code === 0) return resolve(out)
        const how = code === null ? `ended by ${killed}` : `exited with code ${code}`
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
