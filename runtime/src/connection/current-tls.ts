import type { Milliseconds } from '@kerf/apis'
import type { Clock } from '../clock/clock.ts'
import type { Connection, TlsSettings } from './connection.ts'

/** How old what is known of certificate files may get, and how old it is at least when they are read again after a failure. */
const REREAD_AFTER: Milliseconds = 60_000
const REREAD_AFTER_FAILURE: Milliseconds = 1_000

/**
 * The certificates of a connection as their files are now. Somebody else rotates them: the kubelet the cluster's authority in a
 * pod, an administrator or cert-manager those that a kubeconfig names. Files that cannot be read leave the last good ones in use.
 */
export class CurrentTls {
  readonly #read: (() => TlsSettings) | undefined
  readonly #clock: Clock
  #tls: TlsSettings
  #readAt: Milliseconds
  #isInDoubt = false

  constructor({ tls, readTls }: Pick<Connection, 'tls' | 'readTls'>, clock: Clock) {
    this.#read = readTls
    this.#clock = clock
    this.#tls = tls
    this.#readAt = clock.monotonic()
  }

  /** The same object while nothing has changed. */
  current(): TlsSettings {
    const age = this.#clock.monotonic() - this.#readAt
    if (age >= (this.#isInDoubt ? REREAD_AFTER_FAILURE : REREAD_AFTER)) this.#readAgain()
    return this.#tls
  }

  /** A handshake or a request failed: perhaps there are other certificates now. */
  doubt(): void {
    this.#isInDoubt = true
  }

  #readAgain(): void {
    this.#readAt = this.#clock.monotonic()
    this.#isInDoubt = false
    try {
      const tls = this.#read?.()
      if (tls !== undefined && JSON.stringify(tls) !== JSON.stringify(this.#tls)) this.#tls = tls
    } catch {
      // A file that is being replaced.
    }
  }
}
