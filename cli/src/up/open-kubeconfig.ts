import { join } from 'node:path'
import { shownServer } from '@kerf/runtime'
import { connect } from '../cluster/connect.ts'
import type { OpenCluster, OpenOptions } from './open-cluster.ts'

/** An existing cluster. Nothing is started, and nothing of it ends with the command. */
export const openKubeconfig = async (options: OpenOptions): Promise<OpenCluster> => {
  const { env, kubeconfig } = options
  const { connection, client, clock, random } = connect(options)
  // Unreachable and unauthorised servers are told apart here, before anything else is tried.
  await client.raw('/version')
  return {
    name: shownServer(connection.server),
    clock,
    random,
    client,
    kubeconfig: kubeconfig ?? env['KUBECONFIG'] ?? join(env['HOME'] ?? '.', '.kube', 'config'),
    disposable: false,
    playsKubelets: false,
    close: () => client.close(),
  }
}
