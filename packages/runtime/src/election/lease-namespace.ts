import type { Connection } from '../connection/connection.ts'
import { runtimeErrors } from '../errors/runtime-errors.ts'

/**
 * Returns the namespace of the Lease for leader election (`docs/spec/settings.md#core-settings`): from the setting, otherwise the
 * pod's own namespace, otherwise the chart's default. Throws `NoLeaseNamespace` if none of them is known, for example outside a
 * cluster.
 */
export const leaseNamespace = (
  settings: { readonly leaderElectionNamespace: string; readonly systemNamespace: string },
  connection: Pick<Connection, 'namespace' | 'isInCluster'>,
): string => {
  const inCluster = connection.isInCluster === true ? connection.namespace : undefined
  const namespace = settings.leaderElectionNamespace || inCluster || settings.systemNamespace
  if (!namespace) throw runtimeErrors.NoLeaseNamespace({})
  return namespace
}
