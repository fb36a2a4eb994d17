import { join } from 'node:path'
import { shownServer } from '@kerf/runtime'
import { connect } from '../cluster/connect.ts'
import type { OpenCluster, OpenOptions } from './open-cluster.ts'

/** Connects to an existing cluster. Starts and stops nothing in it. */
export const openKubeconfig = async (options: OpenOptions): Promise<OpenCluster> => {
  const { env, kubeconfig } = options
  const { connection, client, clock, random } = connect(options)
  // Fail early if the server cannot be reached or refuses the credentials.
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
