import type { KubeObject, ResourceKind } from '@kerf/apis'
import { ApiError, isNotFound, type KubeClient, type ListOptions } from '@kerf/runtime'
import { clusterApiLabels } from '../names.ts'
import type { ClusterApiKinds } from '../objects/kinds.ts'
import { readMachine } from '../objects/machine.ts'
import { readMachineDeployment } from '../objects/machine-deployment.ts'
import { readMachineSet } from '../objects/machine-set.ts'
import type { FreshDeployment, NamespacedName } from './management-cluster.ts'

/**
 * Implements `ManagementCluster.fresh`. If Kerf is not allowed to list MachineSets, the result contains none, so decisions that need them
 * count as uncertain.
 */
export const readDeployment = async (
  client: KubeClient,
  kinds: ClusterApiKinds,
  { namespace, name }: NamespacedName,
  signal: AbortSignal,
): Promise<FreshDeployment | undefined> => {
  let deployment: FreshDeployment['deployment']
  try {
    deployment = readMachineDeployment(await client.get(kinds.MachineDeployment, { namespace, name }, { signal }))
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
  const below: ListOptions = { namespace, labelSelector: `${clusterApiLabels.deploymentName}=${name}`, signal }
  const sets = await client.list(kinds.MachineSet, below).catch(noneIfForbidden)
  const machines = await client.list(kinds.Machine, below)
  const read = <OnWire extends KubeObject, T>(kind: ResourceKind, items: readonly OnWire[], of: (item: OnWire) => T) =>
    items.map((item) => of(named(kind, item)))
  return {
    deployment,
    sets: read(kinds.MachineSet, sets.items, readMachineSet).filter(({ deploymentName }) => deploymentName === name),
    machines: read(kinds.Machine, machines.items, readMachine),
  }
}

/**
 * Sets the version and kind of a list item. A real server leaves them out, and they are needed because each version is parsed
 * differently.
 */
const named = <T extends KubeObject>(kind: ResourceKind, item: T): T => ({
  ...item,
  apiVersion: `${kind.group}/${kind.version}`,
  kind: kind.kind,
})

const noneIfForbidden = (error: unknown): { readonly items: readonly never[] } => {
  if (error instanceof ApiError && error.code === 403) return { items: [] }
  throw error
}
