import type { NodePool } from '@kerf/apis'
import type { AuditedCluster } from '@kerf/provider-contract'
import { PROXMOX_GROUP } from '../../label-names.ts'

/** Returns the NodePools with a node class of Proxmox. */
export const proxmoxPools = ({ nodePools }: Pick<AuditedCluster, 'nodePools'>): readonly NodePool[] =>
  nodePools.filter(({ spec }) => spec.template.spec.nodeClassRef.group === PROXMOX_GROUP)
