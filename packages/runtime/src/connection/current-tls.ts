import type { Milliseconds } from '@kerf/apis'
import type { Clock } from '../clock/clock.ts'
import type { Connection, TlsSettings } from './connection.ts'

/** How long Kerf uses certificates before it reads their files again. */
const REREAD_AFTER: Milliseconds = 60_000
/** How long Kerf uses certificates before it reads their files again, if a handshake or a request has failed. */
const REREAD_AFTER_FAILURE: Milliseconds = 1_000

/**
 * Provides the current certificates of a connection. Other programs rotate their files: in a pod, the kubelet replaces the
 * cluster's CA certificate; for a kubeconfig, an administrator or cert-manager replaces the files. If a file cannot be read, the
 * last certificates that were read remain in use.
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

  /** Returns the current settings. Returns the same object as long as nothing has changed. */
  current(): TlsSettings {
    const age = this.#clock.monotonic() - this.#readAt
    if (age >= (this.#isInDoubt ? REREAD_AFTER_FAILURE : REREAD_AFTER)) this.#readAgain()
    return this.#tls
  }

  /** Records that a handshake or a request failed, which may mean that the certificates have been replaced. */
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
      // The file is probably being replaced at this moment.
    }
  }
}
