import type { Connection } from '../connection/connection.ts'
import { runtimeErrors } from '../errors/runtime-errors.ts'

/**
 * The namespace of the leader election Lease: the setting, else the one that the pod runs in, else the chart's.
 * Throws `NoLeaseNamespace` when none is known, as outside of a cluster. `docs/spec/settings.md#core-settings`.
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
