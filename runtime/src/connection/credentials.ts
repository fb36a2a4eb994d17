import { readFile } from 'node:fs/promises'
import type { Milliseconds } from '@kerf/apis'
import type { Clock } from '../clock/clock.ts'
import { runtimeErrors } from '../errors/runtime-errors.ts'

/** A client certificate and its key, PEM. */
export interface ClientCertificate {
  readonly cert: string
  readonly key: string
}

/** What proves who we are, at this moment. */
export interface Credential {
  /** The value of the `Authorization` header. */
  readonly authorization?: string
  /** Takes the place of the certificate in the connection's TLS settings. */
  readonly certificate?: ClientCertificate
}

/** Where credentials come from. They may change while the process runs. */
export interface Credentials {
  /** Cheap when nothing has changed. Throws a `KerfError` when there is none to be had. */
  current(): Promise<Credential>
  /** The server refused the current one: get another the next time. */
  invalidate(): void
}

/** Credentials that never change. */
export const fixedCredentials = (credential: Credential): Credentials => ({
  current: async () => credential,
  invalidate: () => {},
})

export const bearer = (token: string): string => `Bearer ${token}`

export const basic = (username: string, password: string): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

/** How long a token read from a file is used before the file is read again: client-go's minute. */
const REREAD_AFTER: Milliseconds = 60_000

/**
 * A bearer token in a file that somebody else rotates, as the kubelet does for service accounts. An empty or unreadable
 * file leaves the last good token in use; the server decides whether it still counts.
 */
export class TokenFile implements Credentials {
  readonly #path: string
  readonly #clock: Clock
  #token: string | undefined
  #readAt: Milliseconds = Number.NEGATIVE_INFINITY
  #reading: Promise<void> | undefined

  /** `token` counts until the file has been read once. */
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
