import type { Milliseconds } from '@kerf/apis'
import type { Dispatcher } from 'undici'
import { readOnce, type ServerTls } from './server-tls.ts'
import { type OnConnection, type PoolOptions, reporting } from './through-proxy.ts'

/** The idle time after which the kernel starts to probe whether the peer still responds. */
const TCP_KEEP_ALIVE = 15_000

/** Creates direct connections to servers. Calls `onConnection` with each new connection. */
export const straight = async (
  pool: PoolOptions,
  tls: ServerTls,
  connectionTimeout: Milliseconds,
  onConnection?: OnConnection,
): Promise<Dispatcher> => {
  const { Agent, buildConnector } = await import('./agents.ts')
  const { allowH2 } = pool
  const connect = buildConnector({
    ...readOnce(tls),
    timeout: connectionTimeout,
    keepAliveInitialDelay: TCP_KEEP_ALIVE,
    allowH2,
    preferH2: allowH2,
  })
  return new Agent({ ...pool, connect: reporting(connect, onConnection) })
}
