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
  /** The environment variables, which configure proxies and certificate authorities. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly log: Logger
  connect(connection: Connection): ClosableClient
}

/** The maximum time between two reads of the file while calls succeed. */
const READ_AGAIN: Milliseconds = 60_000
/** How long the client of an older file stays open for running calls. The longest calls take 75 s. */
const LINGER: Milliseconds = 120_000

interface Reading {
  /** A text that changes whenever the file, or a certificate that it refers to, changes. */
  readonly text: string
  readonly connection: Connection
}

/**
 * A client for a kubeconfig file that may be rewritten at any time, as Cluster API and operators do before a certificate expires. A call
 * reads the file again if the last read was a minute ago, or if the server has just refused the credentials or did not respond. The
 * rewritten file replaces all settings, including the server's address. If the client cannot read the file, it keeps using the earlier
 * content.
 */
export class RenewedClient {
  readonly client: KubeClient
  readonly origin: string
  readonly #options: RenewedClientOptions
  #inUse: ClosableClient
  #text: string
  #readAt: Milliseconds
  #isUnreadable = false

  /** Creates the client. @throws KerfError `KubeconfigUnreadable`, `KubeconfigInvalid` or `UnknownContext`. */
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
          // After a 401, the server has changed nothing, so the client can repeat the call. Without a response, the client does not know
          // whether the server made the change.
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

  /** Reads the file again if that may help after this failure. Returns true if the file results in a new client. */
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
        log.warn('the kubeconfig of the management cluster cannot be read; using the previous one', { file, error })
      this.#isUnreadable = true
      return false
    }
    this.#isUnreadable = false
    if (reading.text === this.#text) return false
    log.info('the kubeconfig of the management cluster has changed', { file, origin: reading.connection.origin })
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
