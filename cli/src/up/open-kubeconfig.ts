import { join } from 'node:path'
import { findConnection, HttpKubeClient, SystemClock, SystemRandom, silentLogger } from '@kerf/runtime'
import type { OpenCluster, OpenOptions } from './open-cluster.ts'

/** An existing cluster. Nothing is started, and nothing of it ends with the command. */
export const openKubeconfig = async (options: OpenOptions): Promise<OpenCluster> => {
  const clock = new SystemClock()
  const random = new SystemRandom()
  const { env, kubeconfig, context } = options
  const connection = findConnection({
    clock,
    env,
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
    ...(context === undefined ? {} : { context }),
  })
  const client = new HttpKubeClient({ connection, clock, random, logger: silentLogger, env })
  // Unreachable and unauthorised servers are told apart here, before anything else is tried.
  await client.raw('/version')
  return {
    name: connection.server,
    clock,
    random,
    client,
    kubeconfig: kubeconfig ?? env['KUBECONFIG'] ?? join(env['HOME'] ?? '.', '.kube', 'config'),
    disposable: false,
    playsKubelets: false,
    close: () => client.close(),
  }
}
