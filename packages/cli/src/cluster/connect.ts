import type { NamedCluster } from '@kerf/provider-contract'
import {
  type Clock,
  type Connection,
  findConnection,
  HttpKubeClient,
  type Random,
  ServerClock,
  SystemClock,
  SystemRandom,
  silentLogger,
  silentMetrics,
} from '@kerf/runtime'
import { processTerminal } from '../terminal/process-terminal.ts'

/** The cluster that a command uses. The default is the cluster of the current kubectl context. */
export interface ClusterChoice extends NamedCluster {
  readonly env: Readonly<Record<string, string | undefined>>
}

export interface ConnectedCluster {
  readonly connection: Connection
  /** The caller must close it. */
  readonly client: HttpKubeClient
  readonly clock: Clock
  readonly random: Random
}

/**
 * Returns a client for the chosen cluster. Sends no request to the server.
 * @throws the errors of `findConnection`: no kubeconfig, or no such context
 */
export const connect = ({ env, kubeconfig, context }: ClusterChoice): ConnectedCluster => {
  const system = new SystemClock()
  // Commands use the API server's time, because the clock of this machine may be wrong.
  const clock = new ServerClock(system, { logger: silentLogger, metrics: silentMetrics })
  const random = new SystemRandom()
  const connection = findConnection({
    clock: system,
    env,
    order: 'kubectl',
    terminal: processTerminal(),
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
    ...(context === undefined ? {} : { context }),
  })
  return {
    connection,
    client: new HttpKubeClient({ connection, clock, random, logger: silentLogger, env, serverTime: clock }),
    clock,
    random,
  }
}
