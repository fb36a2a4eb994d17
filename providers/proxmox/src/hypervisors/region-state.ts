import { ownValue } from '@kerf/apis'
import type { ClusterResource, HaStatus } from '../api/proxmox-api.ts'

/** A guest of any kind and owner. */
export interface Guest {
  readonly vmid: number
  readonly node: string
  readonly isVirtualMachine: boolean
  /** Undefined for a few seconds after the creation of the guest, until Proxmox's statistics contain the name. */
  readonly name: string | undefined
  /** `running` or `stopped`. `unknown` for new guests and for guests on hypervisors that do not respond. */
  readonly status: string
  readonly isTemplate: boolean
  readonly tags: readonly string[]
  readonly lock: string | undefined
  readonly pool: string | undefined
  readonly cpus: number
  readonly memory: number
}

/** A hypervisor, which is the zone of its guests. */
export interface Hypervisor {
  readonly name: string
  readonly isOnline: boolean
  /** Whether the hypervisor is in maintenance mode, so that no guest may start there. */
  readonly isInMaintenance: boolean
  /** Logical CPUs. */
  readonly cpus: number
  /** Bytes. */
  readonly memory: number
  /** The used fraction of the CPUs. */
  readonly load: number
}

/** A storage on one hypervisor. */
export interface Storage {
  readonly name: string
  readonly node: string
  readonly isAvailable: boolean
  readonly contents: readonly string[]
  /** Whether all hypervisors see the same disks. */
  readonly isShared: boolean
  /** The free space in bytes. */
  readonly free: number
}

/** The contents of one Proxmox cluster. */
export interface RegionState {
  readonly guests: readonly Guest[]
  readonly hypervisors: readonly Hypervisor[]
  readonly storages: readonly Storage[]
}

const listIn = (text: string | undefined, separator: RegExp): readonly string[] =>
  (text ?? '').split(separator).filter((each) => each !== '')

const guestIn = (resource: ClusterResource): readonly Guest[] => {
  const {
    type,
    vmid,
    node,
    name,
    status = 'unknown',
    template = 0,
    tags,
    lock,
    pool,
    maxcpu = 0,
    maxmem = 0,
  } = resource
  if ((type !== 'qemu' && type !== 'lxc') || vmid === undefined || node === undefined) return []
  return [
    {
      ...{ vmid, node, name, status, lock, pool },
      ...{ isVirtualMachine: type === 'qemu', isTemplate: template === 1, tags: listIn(tags, /[;, ]/) },
      ...{ cpus: maxcpu, memory: maxmem },
    },
  ]
}

/** The state of a hypervisor in maintenance mode, in both lists of the high-availability manager. */
const MAINTENANCE = 'maintenance'

const hypervisorIn = (
  { type, node, status, maxcpu = 0, maxmem = 0, cpu = 0 }: ClusterResource,
  { lrm_status = {}, manager_status = {} }: HaStatus,
): readonly Hypervisor[] =>
  type !== 'node' || node === undefined
    ? []
    : [
        {
          ...{ name: node, isOnline: status === 'online' },
          isInMaintenance:
            ownValue(lrm_status, node)?.mode === MAINTENANCE ||
            ownValue(manager_status.node_status, node) === MAINTENANCE,
          ...{ cpus: maxcpu, memory: maxmem, load: cpu },
        },
      ]

const storageIn = ({
  type,
  storage,
  node,
  status,
  content,
  shared = 0,
  maxdisk = 0,
  disk = 0,
}: ClusterResource): readonly Storage[] =>
  type !== 'storage' || storage === undefined || node === undefined
    ? []
    : [
        {
          ...{ name: storage, node, isAvailable: status === 'available' },
          ...{ contents: listIn(content, /,/), isShared: shared === 1, free: Math.max(0, maxdisk - disk) },
        },
      ]

/** Returns the state of a Proxmox cluster from `cluster/resources` and the status of the high-availability manager. */
export const regionState = (resources: readonly ClusterResource[], ha: HaStatus): RegionState => ({
  guests: resources.flatMap(guestIn),
  hypervisors: resources.flatMap((resource) => hypervisorIn(resource, ha)),
  storages: resources.flatMap(storageIn),
})
