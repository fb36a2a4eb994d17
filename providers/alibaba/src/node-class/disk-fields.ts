import { anyText, enumField, listField, object, optional, text, whole } from '@kerf/apis/schema'

/** The fields about disks (`providers/alibaba/docs/spec/alibaba.md#volumesize`). */

/** The disk categories in the order in which Kerf tries them by default. */
export const diskCategories = [
  'cloud',
  'cloud_efficiency',
  'cloud_ssd',
  'cloud_essd',
  'cloud_auto',
  'cloud_essd_entry',
] as const

/** The minimum size of a data disk, and the size of the system disk of a node class without `systemDisk`. */
export const DEFAULT_DISK_SIZE = '20Gi'

/**
 * Whole numbers with a unit: up to 59000Gi, 64000G, 58Ti and 64T. Karpenter's CRD differs in two ways: it accepts the units Ti and T
 * without a number, which its controller cannot parse, and it rejects numbers of Ti that end with 8 or 9.
 */
const VOLUME_SIZE =
  '^((?:[1-9][0-9]{0,3}|[1-4][0-9]{4}|5[0-8][0-9]{3}|59000)Gi|(?:[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-3][0-9]{3}|64000)G|(?:[1-9]|[1-4][0-9]|5[0-8])Ti|(?:[1-9]|[1-5][0-9]|6[0-4])T)$'

export const systemDisk = () =>
  optional(
    object(
      {
        categories: optional(
          listField(anyText(), {
            description: 'The disk categories, the preferred one first. Types that support none of them are left out.',
            listType: 'atomic',
            default: diskCategories,
          }),
        ),
        volumeSize: optional(
          text({
            description: 'The size of the system disk, which is the ephemeral storage of the node. Absent: 20Gi.',
            pattern: VOLUME_SIZE,
          }),
        ),
        size: optional(
          whole({
            description: 'Deprecated: the size of the system disk in GiB, which applies if volumeSize is absent.',
            format: 'int32',
            rules: [{ rule: 'self >= 20', message: '"size" must be at least 20' }],
          }),
        ),
        performanceLevel: optional(
          enumField(['PL0', 'PL1', 'PL2', 'PL3'], {
            description: 'The performance level of an ESSD (category cloud_essd).',
            default: 'PL0',
          }),
        ),
      },
      { description: 'The system disk. Absent: 20Gi of the first category that the instance type supports.' },
    ),
  )

export const dataDisks = () =>
  optional(
    listField(
      object(
        {
          volumeSize: optional(
            text({ description: 'The size of the disk.', pattern: VOLUME_SIZE, default: DEFAULT_DISK_SIZE }),
          ),
          device: optional(text({ description: 'The mount point, for example /dev/xvdb. Absent: ECS chooses it.' })),
        },
        { description: 'One data disk.' },
      ),
      {
        description: 'Data disks, which are released with the instance. They need dataDiskCategories.',
        listType: 'atomic',
      },
    ),
  )

export const dataDiskCategories = () =>
  optional(
    listField(anyText(), {
      description: 'The categories of the data disks, the preferred one first. They need dataDisks.',
      listType: 'atomic',
    }),
  )
