import { createServer, type RequestListener, type Server } from 'node:http'
import { runtimeErrors } from '../errors/runtime-errors.ts'

export interface Listener {
  readonly address: string
  /** The one that was asked for, or the free one that was found for 0. */
  readonly port: number
  close(): Promise<void>
}

const EVERYWHERE: ReadonlySet<string> = new Set(['', '::', '0.0.0.0'])

/**
 * Listens on an address and port. `endpoint` names the purpose in errors. Throws `PortInUse` or `CannotListen`.
 */
export const listen = async (
  endpoint: string,
  address: string,
  port: number,
  handle: RequestListener,
): Promise<Listener> => {
  const server = createServer(handle)
  server.requestTimeout = 30_000
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(listenError(error, endpoint, address, port)))
    server.listen({ port, ...(!EVERYWHERE.has(address) && { host: address }) }, () => resolve())
  })
  return { address, port: portOf(server, port), close: () => close(server) }
}

const portOf = (server: Server, asked: number): number => {
  const bound = server.address()
  return typeof bound === 'object' && bound !== null ? bound.port : asked
}

const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })

const listenError = (error: Error & { code?: string }, endpoint: string, address: string, port: number): Error => {
  const shown = EVERYWHERE.has(address) ? 'every interface' : address
  if (error.code === 'EADDRINUSE') {
    return runtimeErrors.PortInUse({ port, address: shown, endpoint }, { cause: error })
  }
  const cause = error.code === 'EACCES' ? 'permission denied' : error.message
  return runtimeErrors.CannotListen({ port, address: address || '*', cause }, { cause: error })
}
