import type { requests } from 'oci-core'
import { allItems } from './all-items.ts'
import type { OciApi } from './oci-api.ts'
import type { CallService } from './sdk-clients.ts'
import { present, readBootVolume, readInstance } from './sdk-readers.ts'

type InstanceCalls = Pick<
  OciApi,
  | 'launch'
  | 'instance'
  | 'instances'
  | 'terminate'
  | 'replaceFreeformTags'
  | 'workRequest'
  | 'workRequestErrors'
  | 'vnicAttachments'
  | 'vnic'
  | 'bootVolumeAttachments'
  | 'bootVolume'
>

/** Returns the client methods for instances, network interfaces and boot volumes. */
export const sdkInstanceCalls = (ask: CallService): InstanceCalls => ({
  launch: async (details, opcRetryToken, signal) => {
    // The SDK's types use enums and mutable lists for the same values.
    const launchInstanceDetails = details as requests.LaunchInstanceRequest['launchInstanceDetails']
    const { instance, opcWorkRequestId } = await ask(
      'compute',
      'LaunchInstance',
      (client) => client.launchInstance({ launchInstanceDetails, opcRetryToken }),
      signal,
    )
    return { instance: readInstance(instance), ...present({ workRequestId: opcWorkRequestId }) }
  },

  instance: async (instanceId, signal) =>
    readInstance(
      (await ask('compute', 'GetInstance', (client) => client.getInstance({ instanceId }), signal)).instance,
    ),

  instances: async (compartmentId, signal) => {
    const found = await allItems((page) =>
      ask('compute', 'ListInstances', (client) => client.listInstances({ compartmentId, ...page }), signal),
    )
    return found.map(readInstance)
  },

  terminate: async (instanceId, signal) => {
    const request = { instanceId, preserveBootVolume: false, preserveDataVolumesCreatedAtLaunch: false }
    await ask('compute', 'TerminateInstance', (client) => client.terminateInstance(request), signal)
  },

  replaceFreeformTags: async (instanceId, freeformTags, signal) => {
    const request = { instanceId, updateInstanceDetails: { freeformTags: { ...freeformTags } } }
    await ask('compute', 'UpdateInstance', (client) => client.updateInstance(request), signal)
  },

  workRequest: async (workRequestId, signal) => {
    const { workRequest } = await ask(
      'workRequests',
      'GetWorkRequest',
      (client) => client.getWorkRequest({ workRequestId }),
      signal,
    )
    return { id: workRequest.id, status: workRequest.status }
  },

  workRequestErrors: (workRequestId, signal) =>
    allItems((page) =>
      ask(
        'workRequests',
        'ListWorkRequestErrors',
        (client) => client.listWorkRequestErrors({ workRequestId, ...page }),
        signal,
      ),
    ),

  vnicAttachments: (compartmentId, instanceId, signal) =>
    allItems((page) =>
      ask(
        'compute',
        'ListVnicAttachments',
        (client) => client.listVnicAttachments({ compartmentId, ...present({ instanceId }), ...page }),
        signal,
      ),
    ),

  vnic: async (vnicId, signal) => {
    const { vnic } = await ask('network', 'GetVnic', (client) => client.getVnic({ vnicId }), signal)
    const { id, isPrimary = false, nsgIds = [], subnetId } = vnic
    return { id, isPrimary, nsgIds, ...present({ subnetId }) }
  },

  bootVolumeAttachments: (compartmentId, availabilityDomain, signal) =>
    allItems((page) =>
      ask(
        'compute',
        'ListBootVolumeAttachments',
        (client) => client.listBootVolumeAttachments({ compartmentId, availabilityDomain, ...page }),
        signal,
      ),
    ),

  bootVolume: async (bootVolumeId, signal) =>
    readBootVolume(
      (await ask('storage', 'GetBootVolume', (client) => client.getBootVolume({ bootVolumeId }), signal)).bootVolume,
    ),
})
