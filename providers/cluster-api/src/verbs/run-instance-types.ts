import type { KubeObject, ResourceKind } from '@kerf/apis'
import type { VerbCluster, VerbStreams } from '@kerf/provider-contract'
import { CliError, UsageError } from '@kerf/provider-kit/command-line'
import { isForbidden, isNotFound, type KubeClient } from '@kerf/runtime'
import type { MergedTypes } from '../instance-type/merged-types.ts'
import { describeProblem } from '../instance-type/problem.ts'
import { machineTypes } from '../instance-type/types-of.ts'
import { discoverVersion } from '../management/discovery.ts'
import type { NamespacedName } from '../management/management-cluster.ts'
import { makeNodeClass } from '../members/make-node-class.ts'
import { describeMemberProblem } from '../members/member-problem.ts'
import { nodeClassMembers } from '../members/members-of.ts'
import type { ClusterAPINodeClass } from '../node-class/cluster-api-node-class.ts'
import { readCluster } from '../objects/cluster.ts'
import { type ClusterApiKinds, clusterApiKinds } from '../objects/kinds.ts'
import { type MachineDeployment, readMachineDeployment } from '../objects/machine-deployment.ts'
import { instanceTypeEntries } from './instance-type-entries.ts'

export interface InstanceTypesOptions {
  readonly kubeconfig?: string
  readonly context?: string
  /** NAMESPACE/NAME of the Cluster. Required if several Clusters have matching MachineDeployments. */
  readonly cluster?: string
  /** Labels of the MachineDeployments, as `key=value`. If empty, the member label is used. */
  readonly selector: readonly string[]
}

const PAGE = 500

/**
 * Runs `kerf cluster-api instance-types`. Writes the instance types of a management cluster's MachineDeployments to a file for
 * `--instance-types`. If a deployment has problems, prints them on standard error and writes the other deployments.
 * @throws UsageError for an invalid Cluster or selector; CliError if there is nothing to write or a permission is missing; KerfError if the
 * API server does not respond
 */
export const runInstanceTypes = async (
  options: InstanceTypesOptions,
  streams: Pick<VerbStreams, 'stdout' | 'stderr'>,
  { client, address }: Pick<VerbCluster, 'client' | 'address'>,
  signal: AbortSignal,
): Promise<void> => {
  const nodeClass = makeNodeClass(labelsOf(options.selector))
  try {
    const version = await discoverVersion(client, signal)
    if (version === undefined)
      throw new CliError(
        `${address} serves no Cluster API (v1beta1 or v1beta2 of cluster.x-k8s.io); choose the management cluster with --kubeconfig or --context`,
      )
    const merged = await readTypes(client, clusterApiKinds(version), nodeClass, options, streams, signal)
    streams.stdout.write(`${JSON.stringify(instanceTypeEntries(merged.types), null, 2)}\n`)
  } catch (error) {
    if (isForbidden(error))
      throw new CliError(
        `${address}: ${error.message}; the account of the kubeconfig needs list on machinedeployments.cluster.x-k8s.io in all namespaces`,
      )
    throw error
  }
}

const readTypes = async (
  client: KubeClient,
  kinds: ClusterApiKinds,
  nodeClass: ClusterAPINodeClass,
  { cluster }: InstanceTypesOptions,
  { stderr }: Pick<VerbStreams, 'stderr'>,
  signal: AbortSignal,
): Promise<MergedTypes> => {
  const warn = (line: string): unknown => stderr.write(`kerf: ${line}\n`)
  const deployments = (await listAll(client, kinds.MachineDeployment, signal)).map(readMachineDeployment)
  const clusters = (await listAll(client, kinds.Cluster, signal, warn)).map(readCluster)
  const inCluster = (ownCluster: NamespacedName) =>
    nodeClassMembers(nodeClass, { deployments, clusters, ownCluster, nodeClasses: [nodeClass] })
  const ownCluster = cluster === undefined ? onlyCluster(deployments, inCluster) : namespacedName(cluster)
  const membership = inCluster(ownCluster)
  for (const problem of membership.problems) warn(describeMemberProblem(problem))
  const merged = machineTypes(membership.members)
  for (const problem of merged.problems) warn(describeProblem(problem))
  if (merged.types.length === 0)
    throw new CliError(
      `no MachineDeployment of Cluster ${ownCluster.namespace}/${ownCluster.name} offers an instance type; the lines above say why`,
    )
  const unpriced = [...merged.sources.values()].flat().filter(({ price }) => price === undefined)
  if (unpriced.length > 0) {
    const names = [...new Set(unpriced.map(({ deployment }) => `${deployment.namespace}/${deployment.name}`))]
    warn(
      `the price of MachineDeployment ${names.join(', ')} is unknown and missing in the file, so plans do not include it in their costs; annotate them with kerf.sh/hourly-price, or add Price to the file`,
    )
  }
  return merged
}

/** Returns the Cluster of the matching MachineDeployments if there is only one. */
const onlyCluster = (
  deployments: readonly MachineDeployment[],
  inCluster: (cluster: NamespacedName) => ReturnType<typeof nodeClassMembers>,
): NamespacedName => {
  const names = [...new Set(deployments.map(({ namespace, clusterName }) => `${namespace}/${clusterName}`))].toSorted()
  const found = names.filter((name) => inCluster(namespacedName(name)).members.length > 0)
  const [only] = found
  if (only === undefined)
    throw new CliError(
      `none of the ${deployments.length} MachineDeployments is selected; label those to use: kubectl label machinedeployment NAME node.cluster.x-k8s.io/karpenter-member=, or select them with --selector`,
    )
  if (found.length > 1)
    throw new UsageError(`several Clusters have such MachineDeployments; name one with --cluster: ${found.join(', ')}`)
  return namespacedName(only)
}

const namespacedName = (text: string): NamespacedName => {
  const [namespace = '', name = '', ...rest] = text.split('/')
  if (namespace !== '' && name !== '' && rest.length === 0) return { namespace, name }
  throw new UsageError(`--cluster ${text}: must have the form NAMESPACE/NAME`)
}

const labelsOf = (texts: readonly string[]): Readonly<Record<string, string>> | undefined =>
  texts.length === 0
    ? undefined
    : Object.fromEntries(
        texts.map((text) => {
          const [key = '', value, ...rest] = text.split('=')
          if (key === '' || value === undefined || rest.length > 0)
            throw new UsageError(`--selector ${text}: must have the form KEY=VALUE`)
          return [key, value]
        }),
      )

/**
 * Returns all objects of a kind. If `warn` is given and the permission to read is missing, reports the missing permission and returns an
 * empty list.
 */
const listAll = async <T extends KubeObject>(
  client: KubeClient,
  kind: ResourceKind<T>,
  signal: AbortSignal,
  warn?: (line: string) => unknown,
): Promise<readonly T[]> => {
  const items: T[] = []
  let next: string | undefined
  do {
    try {
      const page = await client.list(kind, { limit: PAGE, signal, ...(next === undefined ? {} : { continue: next }) })
      items.push(...page.items)
      next = page.metadata.continue === '' ? undefined : page.metadata.continue
    } catch (error) {
      if (warn === undefined || !(isForbidden(error) || isNotFound(error))) throw error
      warn(`${kind.plural} cannot be read, so it is unknown which are paused`)
      return items
    }
  } while (next !== undefined)
  return items
}
