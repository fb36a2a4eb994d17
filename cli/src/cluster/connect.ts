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

/** Which cluster a verb is about: the one that kubectl would speak to, unless something else is named. */
export interface ClusterChoice {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly kubeconfig?: string | undefined
  readonly context?: string | undefined
}

export interface ConnectedCluster {
  readonly connection: Connection
  /** The caller closes it. */
  readonly client: HttpKubeClient
  readonly clock: Clock
  readonly random: Random
}

/**
 * A client for the chosen cluster. Nothing is asked of the server yet.
 *
 * @throws what `findConnection` throws: no kubeconfig, or one without that context.
 */
export const connect = ({ env, kubeconfig, context }: ClusterChoice): ConnectedCluster => {
  const system = new SystemClock()
  // What a verb writes and compares is in the API server's time, whatever the clock of this machine says.
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
