import type { Milliseconds } from '@kerf/apis'
import type { Dispatcher } from 'undici'
import type { PoolOptions, ServerTls } from './through-proxy.ts'

/** After this much silence the kernel begins to probe whether the peer is still there. */
const TCP_KEEP_ALIVE = 15_000

/** Connections straight to servers. */
export const straight = async (
  pool: PoolOptions,
  tls: ServerTls,
  connectionTimeout: Milliseconds,
): Promise<Dispatcher> => {
  const { Agent } = await import('./agents.ts')
  const keepAlive = { keepAlive: true, keepAliveInitialDelay: TCP_KEEP_ALIVE }
  return new Agent({ ...pool, connect: { ...tls, timeout: connectionTimeout, ...keepAlive } })
}
