import type { GCENodeClass, GCENodeClassSpec } from '../node-class/gce-node-class.ts'

type Disk = NonNullable<GCENodeClassSpec['disks']>[number]

/** The properties of a node class on which instance types depend. */
export interface ClassTraits {
  readonly maxPods: number
  /** 0 means no limit. */
  readonly podsPerCore: number
  readonly bootDiskGiB: number
  /** The disk types that an instance type must be able to attach. */
  readonly diskTypes: readonly string[]
  /** Whether the node class adds local SSDs. */
  readonly hasLocalSsds: boolean
  readonly kubeReserved: Readonly<Record<string, string>>
  readonly systemReserved: Readonly<Record<string, string>>
  readonly evictionHard: Readonly<Record<string, string>>
}

const DEFAULT_MAX_PODS = 110
/** The size of a boot disk if the node class does not specify one. */
const DEFAULT_DISK_GIB = 100
const LOCAL_SSD = 'local-ssd'

/** Returns the size of a disk. Upstream writes 0 if a node class specifies no size. */
const sizeOfDisk = ({ sizeGiB = 0 }: Disk): number => (sizeGiB === 0 ? DEFAULT_DISK_GIB : sizeGiB)

/** Returns the traits of a node class (`providers/gcp/docs/spec/gcp.md#capacity`). */
export const classTraits = ({ spec }: Pick<GCENodeClass, 'spec'>): ClassTraits => {
  const { disks = [], kubeletConfiguration: kubelet = {} } = spec ?? {}
  const boot = disks.findLast((disk) => disk.boot === true)
  const categories = disks.flatMap(({ category }) => category ?? [])
  return {
    maxPods: kubelet.maxPods ?? DEFAULT_MAX_PODS,
    podsPerCore: kubelet.podsPerCore ?? 0,
    bootDiskGiB: boot === undefined ? DEFAULT_DISK_GIB : sizeOfDisk(boot),
    diskTypes: [...new Set<string>(categories)].filter((category) => category !== LOCAL_SSD),
    hasLocalSsds: categories.includes(LOCAL_SSD),
    kubeReserved: kubelet.kubeReserved ?? {},
    systemReserved: kubelet.systemReserved ?? {},
    evictionHard: kubelet.evictionHard ?? {},
  }
}
