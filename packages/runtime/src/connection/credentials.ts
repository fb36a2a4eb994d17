import { readFile } from 'node:fs/promises'
import type { Milliseconds } from '@kerf/apis'
import type { Clock } from '../clock/clock.ts'
import { runtimeErrors } from '../errors/runtime-errors.ts'

/** A client certificate and its key, in PEM. */
export interface ClientCertificate {
  readonly cert: string
  readonly key: string
}

/** The data that a client uses to prove its identity. */
export interface Credential {
  /** The value of the `Authorization` header. */
  readonly authorization?: string
  /** A client certificate that replaces the one in the connection's TLS settings. */
  readonly certificate?: ClientCertificate
}

/** A source of credentials. The credentials may change while the process runs. */
export interface Credentials {
  /** Returns the current credential, quickly if nothing has changed. Throws a `KerfError` if there is none. */
  current(): Promise<Credential>
  /** Records that the server refused the current credential, so that the next call of `current` returns another one. */
  invalidate(): void
}

/** Returns credentials that never change. */
export const fixedCredentials = (credential: Credential): Credentials => ({
  current: async () => credential,
  invalidate: () => {},
})

export const bearer = (token: string): string => `Bearer ${token}`

export const basic = (username: string, password: string): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

/** How long Kerf uses a token from a file before it reads the file again. client-go uses the same time. */
const REREAD_AFTER: Milliseconds = 60_000

/**
 * Reads a bearer token from a file that another program rotates, as the kubelet does for service accounts. If the file is empty or
 * cannot be read, the last token that was read remains in use. The server decides whether it is still valid.
 */
export class TokenFile implements Credentials {
  readonly #path: string
  readonly #clock: Clock
  #token: string | undefined
  #readAt: Milliseconds = Number.NEGATIVE_INFINITY
  #reading: Promise<void> | undefined

  /** `token` is used until the file has been read once. */
  constructor(path: string, clock: Clock, token?: string) {
    this.#path = path
    this.#clock = clock
    this.#token = token
  }

  async current(): Promise<Credential> {
    if (this.#clock.monotonic() - this.#readAt >= REREAD_AFTER) {
      this.#reading ??= this.#read().finally(() => {
        this.#reading = undefined
      })
      await this.#reading
    }
    return this.#token === undefined ? {} : { authorization: bearer(this.#token) }
  }

  invalidate(): void {
    this.#readAt = Number.NEGATIVE_INFINITY
  }

  async #read(): Promise<void> {
    try {
      const token = (await readFile(this.#path, 'utf8')).trim()
      if (token !== '') this.#token = token
    } catch (error) {
      if (this.#token === undefined) {
        const cause = error instanceof Error ? error.message : String(error)
        throw runtimeErrors.TokenUnreadable({ file: this.#path, cause }, { cause: error })
      }
    }
    this.#readAt = this.#clock.monotonic()
  }
}
