import { enumField, listField, object, optional, text, whole, yesNo } from '@kerf/apis/schema'

/** An email address of an IAM service account, or of a default service account. */
export const SERVICE_ACCOUNT = '^[^@]+@(developer\\.gserviceaccount\\.com|[^@]+\\.iam\\.gserviceaccount\\.com)$'
const KMS_KEY = '^projects/[^/]+/locations/[^/]+/keyRings/[^/]+/cryptoKeys/[^/]+(/cryptoKeyVersions/[^/]+)?$'

/** The disk categories that a node class may specify. */
const DISK_CATEGORIES = [
  'hyperdisk-balanced',
  'hyperdisk-balanced-high-availability',
  'hyperdisk-extreme',
  'hyperdisk-ml',
  'hyperdisk-throughput',
  'local-ssd',
  'pd-balanced',
  'pd-extreme',
  'pd-ssd',
  'pd-standard',
] as const

const BALANCED = ['hyperdisk-balanced', 'hyperdisk-balanced-high-availability']
const WITH_IOPS = ['pd-extreme', ...BALANCED, 'hyperdisk-extreme']
const WITH_THROUGHPUT = [...BALANCED, 'hyperdisk-throughput', 'hyperdisk-ml']

const celList = (values: readonly string[]): string => `[${values.map((value) => `'${value}'`).join(', ')}]`
const isOneOf = (values: readonly string[]): string => `(has(self.category) && self.category in ${celList(values)})`
const onlyWith = (field: string, values: readonly string[]) => ({
  rule: `!has(self.${field}) || ${isOneOf(values)}`,
  message: `"${field}" is for the categories ${values.join(', ')} only`,
})

const disk = object(
  {
    sizeGiB: optional(
      whole({
        description: 'The size in GiB, at least 10. Absent: 100. A local SSD always has the size of its series.',
        format: 'int32',
        rules: [{ rule: 'self >= 10', message: 'a disk has at least 10 GiB' }],
      }),
    ),
    category: optional(
      enumField(DISK_CATEGORIES, {
        description:
          'The kind of the disk. Absent: pd-balanced. Instance types that cannot attach the boot disk are left out.',
      }),
    ),
    boot: optional(
      yesNo({
        description:
          'Whether the disk holds the operating system. Its size is the ephemeral storage of the node. Absent: no.',
      }),
    ),
    secondaryBootImage: optional(
      text({ description: 'The image of a disk that is not the boot disk, for example a cache of container images.' }),
    ),
    secondaryBootMode: optional(
      enumField(['MODE_UNSPECIFIED', 'CONTAINER_IMAGE_CACHE'], {
        description: 'CONTAINER_IMAGE_CACHE: containerd uses the disk as a cache of container images.',
      }),
    ),
    kmsKeyName: optional(
      text({
        description: 'The Cloud KMS key that encrypts the disk. Absent: a key of Google.',
        pattern: KMS_KEY,
      }),
    ),
    kmsKeyServiceAccount: optional(
      text({
        description: 'The service account that uses the key. Absent: the service agent of Compute Engine.',
        pattern: SERVICE_ACCOUNT,
      }),
    ),
    provisionedIOPS: optional(
      whole({ description: 'I/O operations per second. Absent: the default of the category.', format: 'int64' }),
    ),
    provisionedThroughput: optional(
      whole({ description: 'Throughput in MiB per second. Absent: the default of the category.', format: 'int64' }),
    ),
  },
  {
    description: 'One disk.',
    rules: [
      onlyWith('provisionedIOPS', WITH_IOPS),
      onlyWith('provisionedThroughput', WITH_THROUGHPUT),
      {
        rule: `!${isOneOf(BALANCED)} || has(self.provisionedIOPS) == has(self.provisionedThroughput)`,
        message: `with the categories ${BALANCED.join(' and ')}, set both "provisionedIOPS" and "provisionedThroughput", or neither`,
      },
    ],
  },
)

/** The field `spec.disks` (`providers/gcp/docs/spec/gcp.md#disks`). */
export const diskFields = () =>
  optional(
    listField(disk, {
      description:
        'The disks of an instance, deleted together with it. Absent or without a boot disk: one boot disk of 100 GiB is added.',
      listType: 'atomic',
      maxItems: 10,
    }),
  )
