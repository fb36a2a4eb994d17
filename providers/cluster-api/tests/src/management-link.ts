import { connect, createServer, type Server, type Socket } from 'node:net'

/** The network between Kerf and the management cluster: a port in front of the API server that tests can cut. */
export class ManagementLink {
  /** The URL of the API server through the link. Its certificate is valid for all of loopback. */
  readonly server: string
  readonly #listener: Server
  readonly #sockets: ReadonlySet<Socket>
  readonly #state: { isCut: boolean }

  private constructor(server: string, listener: Server, sockets: ReadonlySet<Socket>, state: { isCut: boolean }) {
    this.server = server
    this.#listener = listener
    this.#sockets = sockets
    this.#state = state
  }

  /** @param server the URL of an API server on loopback */
  static async open(server: string): Promise<ManagementLink> {
    const { hostname, port } = new URL(server)
    const sockets = new Set<Socket>()
    const state = { isCut: false }
    const keep = (socket: Socket): void => {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => sockets.delete(socket))
    }
    const listener = createServer((near) => {
      if (state.isCut) {
        near.on('error', () => undefined)
        near.resetAndDestroy()
        return
      }
      const far = connect(Number(port), hostname)
      for (const socket of [near, far]) keep(socket)
      near.pipe(far)
      far.pipe(near)
      near.on('close', () => far.destroy())
      far.on('close', () => near.destroy())
    })
    await new Promise<void>((resolve, reject) => {
      listener.once('error', reject)
      listener.listen(0, '127.0.0.1', resolve)
    })
    const address = listener.address()
    if (address === null || typeof address === 'string') throw new Error('a port of loopback has an address')
    return new ManagementLink(`https://127.0.0.1:${address.port}`, listener, sockets, state)
  }

  /** Ends every connection without closing it cleanly, and refuses new ones until `mend`. */
  cut(): void {
    this.#state.isCut = true
    this.drop()
  }

  /** Ends every connection, but permits new ones. */
  drop(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy()
  }

  mend(): void {
    this.#state.isCut = false
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#listener.close(() => resolve()))
    this.drop()
    await closed
  }
}
