import type { Connection } from '../connection/connection.ts'
import { runtimeErrors } from '../errors/runtime-errors.ts'

/**
 * Returns the namespace of the leader election Lease: from the setting, else the pod's own namespace, else the chart's default.
 * Throws `NoLeaseNamespace` if none is known, for example outside a cluster. `docs/spec/settings.md#core-settings`.
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
