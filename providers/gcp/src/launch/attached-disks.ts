import type { InstanceRequest } from '../api/gcp-api.ts'
import { secondaryDeviceName } from '../bootstrap/secondary-boot-disks.ts'
import type { GCENodeClassSpec } from '../node-class/gce-node-class.ts'
import { diskTypesOfFamily } from '../tables/disk-types.ts'
import type { TypeFacts } from '../type-facts.ts'
import { parseTypeName } from '../type-name.ts'

type Disk = NonNullable<GCENodeClassSpec['disks']>[number]
type AttachedDisk = NonNullable<InstanceRequest['disks']>[number]

/** The inputs from which an instance's disks are computed, in addition to the node class. */
export interface DiskPlan {
  readonly project: string
  readonly zone: string
  readonly facts: TypeFacts
  /** The image that the boot disk is made from. */
  readonly image: string
}

const DEFAULT_SIZE_GIB = 100
const USUAL_TYPE = 'pd-balanced'
const LOCAL_SSD = 'local-ssd'

/**
 * Returns the type of a disk for which the node class specifies no category: pd-balanced if the machine family can attach it, otherwise the
 * first type that the family can attach.
 */
const defaultType = ({ facts }: DiskPlan): string => {
  const attachable = diskTypesOfFamily(parseTypeName(facts.name)?.family ?? '') ?? []
  return attachable.length === 0 || attachable.includes(USUAL_TYPE) ? USUAL_TYPE : (attachable[0] ?? USUAL_TYPE)
}

/** Returns a local SSD. It has a fixed size and is deleted with the instance. */
const localSsd = (type: string): AttachedDisk => ({
  type: 'SCRATCH',
  interface: 'NVME',
  autoDelete: true,
  initializeParams: { diskType: type },
})

const encryption = ({ kmsKeyName = '', kmsKeyServiceAccount = '' }: Disk): Pick<AttachedDisk, 'diskEncryptionKey'> =>
  kmsKeyName === ''
    ? {}
    : { diskEncryptionKey: { kmsKeyName, ...(kmsKeyServiceAccount === '' ? {} : { kmsKeyServiceAccount }) } }

const persistentDisk = (disk: Disk, type: string, plan: DiskPlan): AttachedDisk => {
  const { boot = false, sizeGiB = 0, secondaryBootImage = '', provisionedIOPS = 0, provisionedThroughput = 0 } = disk
  const sourceImage = boot ? plan.image : secondaryBootImage
  return {
    autoDelete: true,
    boot,
    ...(boot || secondaryBootImage === '' ? {} : { deviceName: secondaryDeviceName(secondaryBootImage) }),
    initializeParams: {
      diskType: type,
      diskSizeGb: `${sizeGiB === 0 ? DEFAULT_SIZE_GIB : sizeGiB}`,
      ...(sourceImage === '' ? {} : { sourceImage }),
      // 0 means the default of the disk category. Upstream also omits zeros.
      ...(provisionedIOPS === 0 ? {} : { provisionedIops: `${provisionedIOPS}` }),
      ...(provisionedThroughput === 0 ? {} : { provisionedThroughput: `${provisionedThroughput}` }),
      ...(plan.facts.arch === 'arm64' ? { architecture: 'ARM64' } : {}),
    },
    ...encryption(disk),
  }
}

/** Returns the disks of an instance, the boot disk first (`providers/gcp/docs/spec/gcp.md#disks`). */
export const attachedDisks = (ofClass: readonly Disk[], plan: DiskPlan): AttachedDisk[] => {
  const boot = ofClass.findLast((disk) => disk.boot === true) ?? { boot: true }
  const others = ofClass.filter((disk) => disk.boot !== true)
  return [boot, ...others].map((disk) => {
    const category = disk.category ?? defaultType(plan)
    const type = `projects/${plan.project}/zones/${plan.zone}/diskTypes/${category}`
    return category === LOCAL_SSD ? localSsd(type) : persistentDisk(disk, type, plan)
  })
}
