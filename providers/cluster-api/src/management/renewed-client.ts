import { readFileSync } from 'node:fs'
import type { Milliseconds } from '@kerf/apis'
import { ApiError, type Clock, type Connection, findConnection, type KubeClient, type Logger } from '@kerf/runtime'
import { wrappedClient } from './wrapped-client.ts'

/** A client that can be closed. */
export interface ClosableClient extends KubeClient {
  close(): Promise<void>
}

export interface RenewedClientOptions {
  readonly file: string
  readonly clock: Clock
  /** Says which proxies and authorities count. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly log: Logger
  connect(connection: Connection): ClosableClient
}

/** How old what is known of the file may get while calls succeed. */
const READ_AGAIN: Milliseconds = 60_000
/** How long the client of an older file lives on, for calls under way; the longest ones take 75 s. */
const LINGER: Milliseconds = 120_000

interface Reading {
  /** Changes whenever anything in the file, or in the certificates that it names, does. */
  readonly text: string
  readonly connection: Connection
}

/**
 * A client for the kubeconfig in a file, as the file is now. It may be rewritten at any time, as Cluster API and operators
 * do before a certificate expires: a call looks at it when the last look is a minute old, or when the server has just
 * refused the credentials or not answered. What a rewritten file says counts for everything, the server's address too. A file that cannot be
 * read leaves the client in use as it is.
 */
export class RenewedClient {
  readonly client: KubeClient
  readonly origin: string
  readonly #options: RenewedClientOptions
  #inUse: ClosableClient
  #text: string
  #readAt: Milliseconds
  #isUnreadable = false

  /** @throws KerfError `KubeconfigUnreadable`, `KubeconfigInvalid` or `UnknownContext`. */
  constructor(options: RenewedClientOptions) {
    this.#options = options
    const { text, connection } = readKubeconfig(options)
    this.#text = text
    this.#readAt = options.clock.monotonic()
    this.#inUse = options.connect(connection)
    this.origin = connection.origin
    const current = this.#current.bind(this)
    const renewed = this.#renewedAfter.bind(this)
    this.client = wrappedClient({
      call: async (send) => {
        const client = current()
        try {
          return await send(client)
        } catch (error) {
          // After a 401 nothing was done, so that the call may go out again. After no answer nobody knows.
          if (renewed(error) && error instanceof ApiError && error.code === 401) return await send(current())
          throw error
        }
      },
      watch: async function* (open) {
        try {
          yield* open(current())
        } catch (error) {
          renewed(error)
          throw error
        }
      },
    })
  }

  async close(): Promise<void> {
    await this.#inUse.close()
  }

  #current(): KubeClient {
    if (this.#options.clock.monotonic() - this.#readAt >= READ_AGAIN) this.#readAgain()
    return this.#inUse
  }

  /** Whether there is another client after this failure. */
  #renewedAfter(error: unknown): boolean {
    const mayHelp = !(error instanceof ApiError) || error.code === 0 || error.code === 401
    return mayHelp && this.#readAgain()
  }

  #readAgain(): boolean {
    const { clock, log, file } = this.#options
    this.#readAt = clock.monotonic()
    let reading: Reading
    try {
      reading = readKubeconfig(this.#options)
    } catch (error) {
      if (!this.#isUnreadable)
        log.warn('the kubeconfig of the management cluster cannot be read; the older one is used', { file, error })
      this.#isUnreadable = true
      return false
    }
    this.#isUnreadable = false
    if (reading.text === this.#text) return false
    log.info('the kubeconfig of the management cluster was rewritten', { file, origin: reading.connection.origin })
    const before = this.#inUse
    clock.timer(LINGER, () => void before.close())
    this.#text = reading.text
    this.#inUse = this.#options.connect(reading.connection)
    return true
  }
}

const readKubeconfig = ({ file, clock, env }: RenewedClientOptions): Reading => {
  const connection = findConnection({ clock, env, kubeconfig: file })
  return { text: `${readFileSync(file, 'utf8')}\n${JSON.stringify(connection.tls)}`, connection }
}
