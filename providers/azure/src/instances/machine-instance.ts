import { capacityTypes, ownValue, parseTime } from '@kerf/apis'
import type { Machine } from '../api/machine-shapes.ts'
import { REGIONAL, zoneLabel } from '../instance-type/zones.ts'
import { TAG } from '../tags/resource-tags.ts'
import type { AzureInstance } from './azure-instance.ts'
import { type MachineScope, makeVmName } from './machine-names.ts'

/** The VM of a machine of an AKS pool (`providers/azure/docs/spec/azure.md#aks-machine-api-mode`). */
export interface MachineInstance extends AzureInstance {
  readonly machine: {
    readonly name: string
    readonly resourceId: string
    /** The name of the machine's NodeClaim. Empty for a machine that Kerf did not create. */
    readonly claimName: string
    readonly driftAction: string
    readonly state: string
    readonly failure?: { readonly code: string; readonly message: string }
    readonly source: Machine
  }
}

/** Returns the failure of a machine that AKS could not create. If the error has details, uses the first one. */
const machineFailure = ({ properties = {} }: Machine): { readonly code: string; readonly message: string } => {
  const error = properties.status?.provisioningError
  const { code = 'ProvisioningFailed', message = 'AKS returned no reason' } = error?.details?.[0] ?? error ?? {}
  return { code, message }
}

/** Converts a machine. AKS omits the priority of a regular machine. */
export const toMachineInstance = (machine: Machine, scope: MachineScope): MachineInstance => {
  const { id = '', name = '', zones = [], properties = {} } = machine
  const { tags = {}, status = {}, provisioningState = '', hardware, priority, nodeImageVersion = '' } = properties
  const [zone] = zones
  const createdAt = parseTime(status.creationTimestamp)
  // A machine that failed early never gets a VM, but must be listed so that it can be deleted.
  const vmId = properties.resourceId ?? `${scope.vmPrefix}/${makeVmName(scope.pool, name)}`
  const hasFailed = provisioningState === 'Failed'
  const vmName = (vmId.split('/').at(-1) ?? '').toLowerCase()
  return {
    id: vmName,
    resourceId: `${vmId.slice(0, vmId.lastIndexOf('/') + 1)}${vmName}`,
    size: hardware?.vmSize ?? '',
    zone: zone === undefined ? REGIONAL : zoneLabel(scope.location, zone),
    capacityType: priority === 'Spot' ? capacityTypes.spot : capacityTypes.onDemand,
    imageId: nodeImageVersion,
    tags,
    identities: [],
    isEnding: provisioningState === 'Deleting',
    hasFailed,
    ...(createdAt === undefined ? {} : { createdAt }),
    machine: {
      ...{ name, resourceId: id, claimName: ownValue(tags, TAG.machineClaim) ?? '' },
      ...{ driftAction: status.driftAction ?? '', state: provisioningState, source: machine },
      ...(hasFailed ? { failure: machineFailure(machine) } : {}),
    },
  }
}
