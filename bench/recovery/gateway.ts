import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A way to a server that can lose its connections as a NAT gateway does. */
export interface Gateway {
  readonly port: number
  /** Every connection that is open goes silent for ever; nobody is told, and later connections work. */
  drop(): void
  close(): Promise<void>
}

/** Listens on loopback and carries bytes to and from a port there. */
export const openGateway = async (to: number): Promise<Gateway> => {
  const carried = new Set<Socket>()
  const all = new Set<Socket>()
  const server = createServer((socket) => {
    const onward = connect(to, '127.0.0.1')
    carried.add(socket)
    for (const [from, into] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      all.add(from)
      from.on('data', (bytes) => carried.has(socket) && into.write(bytes))
      from.on('error', () => {})
      from.on('close', () => {
        all.delete(from)
        into.destroy()
      })
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    drop: () => carried.clear(),
    close: async () => {
      for (const socket of all) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
