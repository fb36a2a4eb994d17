import { formatTime } from '@kerf/apis'
import { CLUSTER_API_VERSIONS } from '../objects/api-version.ts'
import type { MissingPermission } from './asked-permissions.ts'
import type { NamespacedName } from './management-cluster.ts'
import type { ManagementProblem } from './management-problem.ts'
import type { OwnClusterFinding } from './own-cluster.ts'
import type { Reachability } from './reachability.ts'

/** The known facts about the management cluster. */
export interface Findings {
  readonly reachability: Reachability
  /** Whether the management cluster serves a Cluster API version that Kerf supports. Undefined before discovery. */
  readonly isServed: boolean | undefined
  readonly ownCluster: OwnClusterFinding | undefined
  /** The Cluster in the setting, if it does not exist, and the Clusters that do exist. */
  readonly missingCluster: { readonly cluster: NamespacedName; readonly known: readonly NamespacedName[] } | undefined
  readonly missingPermissions: readonly MissingPermission[]
}

/** Returns the problems. `origin` is the source of the connection. */
export const managementProblems = (origin: string, findings: Findings): readonly ManagementProblem[] => {
  const cluster = `the management cluster (${origin})`
  return [
    ...unreachable(cluster, findings.reachability),
    ...(findings.isServed === false ? [notServed(cluster)] : []),
    ...ownClusterProblem(cluster, findings.ownCluster),
    ...(findings.missingCluster === undefined ? [] : [missing(cluster, findings.missingCluster)]),
    ...findings.missingPermissions.map((permission) => notGranted(cluster, permission)),
  ]
}

const unreachable = (cluster: string, reachability: Reachability): readonly ManagementProblem[] => {
  if (reachability.kind !== 'unreachable') return []
  const since = formatTime(reachability.since)
  switch (reachability.reason) {
    case 'no-answer':
      return [
        {
          reason: 'ManagementClusterUnreachable',
          detail: `${cluster} has not responded since ${since}: ${reachability.cause}`,
          remedy: 'restore it; until then Kerf launches, deletes and garbage-collects no nodes',
        },
      ]
    case 'credentials-refused':
      return [
        {
          reason: 'ManagementCredentialsRefused',
          detail: `${cluster} has rejected the credentials since ${since}: ${reachability.cause}`,
          remedy:
            'renew the token or certificate. Kerf reloads a kubeconfig and its token file within a minute; a new CLUSTER_API_TOKEN needs a restart',
        },
      ]
  }
}

const notServed = (cluster: string): ManagementProblem => ({
  reason: 'ClusterApiMissing',
  detail: `${cluster} serves none of the versions ${CLUSTER_API_VERSIONS.join(', ')} of cluster.x-k8s.io`,
  remedy: 'install Cluster API there, or set CLUSTER_API_KUBECONFIG to the cluster in which it runs',
})

const OVERRIDE = 'set CLUSTER_API_CLUSTER to the namespace and name of its Cluster object, as in default/workload'

const ownClusterProblem = (cluster: string, finding: OwnClusterFinding | undefined): readonly ManagementProblem[] => {
  switch (finding?.kind) {
    case undefined:
    case 'proved':
      return []
    case 'unproved': {
      const why =
        finding.nodes === 0
          ? 'no Node of this cluster has a provider ID'
          : `none of the ${finding.nodes} Nodes of this cluster with a provider ID is one of the ${finding.machines} Machines there`
      return [
        {
          reason: 'OwnClusterUnproved',
          detail: `${why}, so it is unknown which Cluster of ${cluster} is this cluster`,
          remedy: OVERRIDE,
        },
      ]
    }
    case 'contradicted':
      return [
        {
          reason: 'OwnClusterContradicted',
          detail: `Nodes of this cluster have provider IDs of Machines of several Clusters of ${cluster}: ${namesOf(finding.clusters)}`,
          remedy: OVERRIDE,
        },
      ]
  }
}

const missing = (
  cluster: string,
  { cluster: own, known }: NonNullable<Findings['missingCluster']>,
): ManagementProblem => ({
  reason: 'OwnClusterMissing',
  detail: `${cluster} has no Cluster ${own.namespace}/${own.name}, which CLUSTER_API_CLUSTER names`,
  remedy: known.length === 0 ? 'correct the setting' : `correct the setting; existing Clusters: ${namesOf(known)}`,
})

const notGranted = (cluster: string, { verb, resource, purpose }: MissingPermission): ManagementProblem => ({
  reason: 'ManagementPermissionMissing',
  detail: `Kerf cannot ${verb} ${resource}.cluster.x-k8s.io in ${cluster}, which it needs for ${purpose}`,
  remedy: `grant ${verb} on ${resource}.cluster.x-k8s.io to the account that Kerf uses there; docs/reference/permissions.md lists all permissions`,
})

const SHOWN = 5

const namesOf = (names: readonly NamespacedName[]): string => {
  const shown = names.slice(0, SHOWN).map(({ namespace, name }) => `${namespace}/${name}`)
  const rest = names.length - shown.length
  return `${shown.join(', ')}${rest === 0 ? '' : ` and ${rest} more`}`
}
