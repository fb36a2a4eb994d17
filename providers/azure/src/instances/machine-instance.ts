import { capacityTypes, ownValue, timeOf } from '@kerf/apis'
import type { Machine } from '../api/machine-shapes.ts'
import { REGIONAL, zoneLabel } from '../instance-type/zones.ts'
import { TAG } from '../tags/resource-tags.ts'
import type { AzureInstance } from './azure-instance.ts'
import { type MachineScope, unnamedVmOf } from './machine-names.ts'

/** The VM of a machine of an AKS pool (`docs/spec/azure.md#aks-machine-api-mode`). */
export interface MachineInstance extends AzureInstance {
  readonly machine: {
    readonly name: string
    readonly resourceId: string
    /** The name of its NodeClaim; empty for a machine that is not of Kerf's kind. */
    readonly claimName: string
    readonly driftAction: string
    readonly state: string
    readonly failure?: { readonly code: string; readonly message: string }
    readonly source: Machine
  }
}

/** What AKS could not make: of an error with details the first of them says it. */
const failureOf = ({ properties = {} }: Machine): { readonly code: string; readonly message: string } => {
  const error = properties.status?.provisioningError
  const { code = 'ProvisioningFailed', message = 'AKS does not say why' } = error?.details?.[0] ?? error ?? {}
  return { code, message }
}

/** Reads a machine. The priority is left out of a regular one. */
export const machineInstanceOf = (machine: Machine, scope: MachineScope): MachineInstance => {
  const { id = '', name = '', zones = [], properties = {} } = machine
  const { tags = {}, status = {}, provisioningState = '', hardware, priority, nodeImageVersion = '' } = properties
  const [zone] = zones
  const createdAt = timeOf(status.creationTimestamp)
  // A machine that failed early never gets a VM, and must be found to be deleted.
  const vmId = properties.resourceId ?? `${scope.vmPrefix}/${unnamedVmOf(scope.pool, name)}`
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
      ...(hasFailed ? { failure: failureOf(machine) } : {}),
    },
  }
}
