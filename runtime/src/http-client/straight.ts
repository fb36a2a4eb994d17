import { createSecureContext, type SecureContext } from 'node:tls'
import type { Milliseconds } from '@kerf/apis'
import type { Dispatcher } from 'undici'
import { type OnConnection, type PoolOptions, reporting, type ServerTls } from './through-proxy.ts'

/** After this much silence the kernel begins to probe whether the peer is still there. */
const TCP_KEEP_ALIVE = 15_000

/**
 * Certificates and key, read once and not for each of a hundred connections. As they came where they cannot be read: then
 * every connection fails, and its error says why.
 */
const readOnce = ({ ca, cert, key, ...others }: ServerTls): ServerTls & { readonly secureContext?: SecureContext } => {
  const read = {
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
  }
  try {
    return { ...others, secureContext: createSecureContext(read) }
  } catch {
    return { ...others, ...read }
  }
}

/** Connections straight to servers. `onConnection` is called with each one that was made. */
export const straight = async (
  pool: PoolOptions,
  tls: ServerTls,
  connectionTimeout: Milliseconds,
  onConnection?: OnConnection,
): Promise<Dispatcher> => {
  const { Agent, buildConnector } = await import('./agents.ts')
  const keepAlive = { keepAlive: true, keepAliveInitialDelay: TCP_KEEP_ALIVE }
  const allowH2 = pool.allowH2 ?? true
  const connect = buildConnector({
    ...readOnce(tls),
    timeout: connectionTimeout,
    ...keepAlive,
    allowH2,
    preferH2: allowH2,
  })
  return new Agent({ ...pool, connect: reporting(connect, onConnection) })
}
