import { kinds } from '@kerf/apis'
import type { ProviderContext } from '@kerf/provider-contract'
import { type Connection, HttpKubeClient, type Metrics, networkFromEnv, type WriteGate } from '@kerf/runtime'
import type { ClusterApiSettings } from '../settings.ts'
import { chosenAddress, chosenCluster } from './connection.ts'
import { InformedManagementCluster } from './informed-management-cluster.ts'
import { RenewedClient } from './renewed-client.ts'

export interface ManagementSurroundings {
  readonly metrics?: Metrics
  /** The environment with the proxy variables. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Called before each write. If absent, all writes are sent. */
  readonly gate?: WriteGate | undefined
}

/**
 * Creates the management cluster of the settings.
 *
 * @throws KerfError for contradictory settings and for an unusable kubeconfig, before any request.
 */
export const createManagementCluster = (
  settings: ClusterApiSettings,
  context: ProviderContext,
  { metrics, env, gate }: ManagementSurroundings,
): InformedManagementCluster => {
  const { clock, random, log, informers } = context
  const cluster = chosenCluster(settings)
  const { address, unused } = chosenAddress(settings)
  for (const name of unused) log.warn(`${name} is not used, because CLUSTER_API_KUBECONFIG is set`)
  const connect = (connection: Connection): HttpKubeClient =>
    new HttpKubeClient({
      ...{ connection, clock, random, env, logger: log },
      ...(metrics !== undefined && { metrics }),
      ...(gate !== undefined && { gate }),
    })
  const common = { clock, random, log, nodes: informers.of(kinds.Node), ...(cluster !== undefined && { cluster }) }
  switch (address.kind) {
    case 'same':
      return new InformedManagementCluster({
        ...common,
        client: context.client,
        origin: 'the cluster in which Kerf launches nodes',
      })
    case 'kubeconfig': {
      const renewed = new RenewedClient({ file: address.file, clock, env, log, connect })
      const { client, origin } = renewed
      return new InformedManagementCluster({ ...common, client, origin, close: () => renewed.close() })
    }
    case 'url': {
      const client = connect({ ...address.connection, authorities: networkFromEnv(env).authorities })
      const { origin } = address.connection
      return new InformedManagementCluster({ ...common, client, origin, close: () => client.close() })
    }
  }
}
