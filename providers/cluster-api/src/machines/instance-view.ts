import { formatResources, formatTime, labels, type NodeClaim } from '@kerf/apis'
import { type ComingInstance, type InstanceView, offeringAllocatable, singleValues } from '@kerf/provider-contract'
import { instanceOwner } from '@kerf/provider-kit'
import type { LaunchChoice } from '../instance-type/launch-sources.ts'
import { textOfName } from '../management/namespaced-name.ts'
import { clusterApiAnnotations } from '../names.ts'
import type { Machine } from '../objects/machine.ts'

/** Returns the future instance of a Machine of this instance type and MachineDeployment. */
export const comingInstance = ({ type, source }: LaunchChoice, nodePool: string | undefined): ComingInstance => ({
  labels: {
    ...singleValues(type.requirements),
    ...source.labels,
    [labels.instanceType]: type.name,
    ...(nodePool === undefined ? {} : { [labels.nodePool]: nodePool }),
  },
  capacity: formatResources(type.capacity),
  allocatable: formatResources(offeringAllocatable(type)),
})

/** Returns a Machine with a providerID as an instance. If there is no choice, the Machine's MachineDeployment is unknown. */
export const toInstanceView = (
  machine: Machine & { readonly providerId: string },
  choice: LaunchChoice | undefined,
  claim: NodeClaim | undefined,
): InstanceView => {
  const { annotations, createdAt } = machine
  const uid = annotations[clusterApiAnnotations.nodeClaimUid] ?? claim?.metadata.uid
  const name = claim?.metadata.name ?? annotations[clusterApiAnnotations.nodeClaim]
  const pool = claim?.metadata.labels?.[labels.nodePool] ?? annotations[clusterApiAnnotations.nodePool]
  const nodePool = pool === '' ? undefined : pool
  const coming = choice === undefined ? { labels: {}, capacity: {}, allocatable: {} } : comingInstance(choice, nodePool)
  const born = createdAt === undefined ? undefined : formatTime(createdAt)
  const isGoing = machine.isDeleting || machine.isMarkedForDeletion
  return {
    ...coming,
    providerID: machine.providerId,
    annotations: { [clusterApiAnnotations.machine]: textOfName(machine) },
    ...instanceOwner({ claim: name, uid, pool: nodePool }),
    ...(born === undefined ? {} : { createdAt: born, ...(isGoing ? { deletionTimestamp: born } : {}) }),
  }
}
