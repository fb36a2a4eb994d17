import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A proxy to a server. It can drop its connections like a NAT gateway. */
export interface Gateway {
  readonly port: number
  /** Permanently stops forwarding on every open connection, without notifying either side. Later connections work. */
  drop(): void
  close(): Promise<void>
}

/** Opens a proxy on loopback for a port that is also on loopback. */
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
