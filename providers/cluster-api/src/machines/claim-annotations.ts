import type { NodeClaim } from '@kerf/apis'
import type { NamespacedName } from '../management/management-cluster.ts'
import { namespacedName } from '../management/namespaced-name.ts'
import { clusterApiAnnotations } from '../names.ts'

/** Returns the name of the Machine in the NodeClaim's annotation. */
export const claimMachineName = ({ metadata }: NodeClaim): NamespacedName | undefined =>
  namespacedName(metadata.annotations?.[clusterApiAnnotations.machine])

/** Returns the MachineDeployment of the NodeClaim's Machine, or undefined if none has been chosen yet. */
export const chosenDeployment = ({ metadata }: NodeClaim): NamespacedName | undefined =>
  namespacedName(metadata.annotations?.[clusterApiAnnotations.machineDeployment])
