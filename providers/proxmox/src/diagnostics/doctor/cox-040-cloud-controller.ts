import { kinds } from '@kerf/apis'
import type { DoctorCheck } from '@kerf/provider-contract'
import { foundAny, objectName } from '@kerf/provider-kit/doctor'
import { parseProviderId } from '../../names.ts'
import { proxmoxPools } from './proxmox-pools.ts'

/** The usual name of Proxmox's cloud controller manager. */
const NAME = 'proxmox-cloud-controller-manager'

export const cox040: DoctorCheck = {
  id: 'COX-040',
  group: 'coexistence',
  severity: 'critical',
  title: 'NodePools of Proxmox in a cluster without its cloud controller manager',
  why: 'Kerf finds the Node of a guest by its provider ID, proxmox://REGION/VMID. The cloud controller manager of Proxmox writes it, or the kubelet if the template starts it with --provider-id. Without a provider ID, no node is ever registered, and Kerf replaces each guest after 15 minutes.',
  reads: ['NodePool', 'Node', 'Deployment', 'DaemonSet'],
  examine(audit) {
    const isRunning =
      audit.objects.of(kinds.Deployment).some(({ metadata }) => metadata.name === NAME) ||
      audit.daemonSets.some(({ metadata }) => metadata.name === NAME)
    const hasNodes = audit.nodes.some(({ spec }) => parseProviderId(spec.providerID ?? '') !== undefined)
    return foundAny(
      isRunning || hasNodes ? [] : proxmoxPools(audit).map(objectName),
      {
        seen: `no node has a provider ID of Proxmox, and there is no ${NAME}`,
        remedy: 'install the cloud controller manager of Proxmox with the regions of CLOUD_CONFIG',
      },
      'nodes of Proxmox get their provider ID',
    )
  },
}
