import type { NodeClaim } from '@kerf/apis'
import type { NamespacedName } from '../management/management-cluster.ts'
import { namespacedName } from '../management/namespaced-name.ts'
import { clusterApiAnnotations } from '../names.ts'

/** The Machine that the NodeClaim says it has taken. */
export const machineNameOf = ({ metadata }: NodeClaim): NamespacedName | undefined =>
  namespacedName(metadata.annotations?.[clusterApiAnnotations.machine])

/** The MachineDeployment that the NodeClaim's Machine comes from, once that was chosen. */
export const chosenDeploymentOf = ({ metadata }: NodeClaim): NamespacedName | undefined =>
  namespacedName(metadata.annotations?.[clusterApiAnnotations.machineDeployment])
