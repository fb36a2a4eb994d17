import { type Condition, controllerOwner } from '@kerf/apis'
import { clusterApiAnnotations, clusterApiLabels } from '../names.ts'
import { type ClusterApiObject, type ObjectLocation, objectLocation, presentText, readCommonFields } from './common.ts'
import type { MachineOnWire } from './wire.ts'

/** A machine that its infrastructure provider has created or is creating. */
export interface Machine extends ClusterApiObject {
  readonly clusterName: string
  /** The MachineDeployment to which the Machine belongs, in the same namespace. Undefined for control plane machines. */
  readonly deploymentName: string | undefined
  /** The MachineSet that controls it. */
  readonly setName: string | undefined
  /** The field is set once the infrastructure has created the machine. */
  readonly providerId: string | undefined
  /** The field is set once the Node has registered. */
  readonly nodeName: string | undefined
  /** `Pending`, `Provisioning`, `Provisioned`, `Running`, `Deleting`, `Failed`; `undefined` just after creation. */
  readonly phase: string | undefined
  readonly kubernetesVersion: string | undefined
  readonly infrastructure: ObjectLocation | undefined
  /** Whether a NodeClaim holds it. */
  readonly isMember: boolean
  /** Whether the Machine is deleted first when its MachineSet is scaled down. */
  readonly isMarkedForDeletion: boolean
  /** Whether the Machine matches its MachineDeployment's template according to Cluster API. Absent before 1.9. */
  readonly upToDate: Condition | undefined
}

/** Parses a Machine of either version (`providers/cluster-api/docs/spec/cluster-api.md#api-versions`). */
export const readMachine = (object: MachineOnWire): Machine => {
  const common = readCommonFields(object)
  const { labels, annotations, namespace, conditions } = common
  const owner = controllerOwner(object)
  return {
    ...common,
    clusterName: object.spec?.clusterName ?? labels[clusterApiLabels.clusterName] ?? '',
    deploymentName: presentText(labels[clusterApiLabels.deploymentName]),
    // If the name is too long for a label, the label contains a hash.
    setName: owner?.kind === 'MachineSet' ? owner.name : presentText(labels[clusterApiLabels.setName]),
    providerId: presentText(object.spec?.providerID),
    nodeName: presentText(object.status?.nodeRef?.name),
    phase: presentText(object.status?.phase),
    kubernetesVersion: presentText(object.spec?.version),
    infrastructure: objectLocation(object.spec?.infrastructureRef, namespace),
    isMember: labels[clusterApiLabels.member] !== undefined,
    isMarkedForDeletion: annotations[clusterApiAnnotations.deleteMachine] !== undefined,
    upToDate: conditions.find(({ type }) => type === 'UpToDate'),
  }
}
