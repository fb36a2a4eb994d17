/**
 * Computes the hashes that upstream writes, from `providers/aws/docs/spec/aws-node-class.md#drift-hash` and
 * `docs/spec/lifecycle.md#nodepool-controllers`. It does not use Kerf's code, so each implementation checks the other. The test compares
 * the result with the vectors of the spec.
 */
const MASK = (1n << 64n) - 1n

const fnv1 = (bytes: Iterable<number>): bigint => {
  let sum = 0xcbf29ce484222325n
  for (const byte of bytes) sum = ((sum * 0x100000001b3n) & MASK) ^ BigInt(byte)
  return sum
}
const le = (value: bigint, length = 8): number[] =>
  Array.from({ length }, (_, index) => Number((value >> BigInt(8 * index)) & 0xffn))
const text = (value: string): bigint => fnv1(new TextEncoder().encode(value))
const pair = (a: bigint, b: bigint): bigint => fnv1([...le(a), ...le(b)])
const finish = (a: bigint): bigint => fnv1(le(a))

/** How Go stores a field. The hash omits a `plain` field if it is zero, and includes a pointer if it is set. */
type Kind =
  | 'plainText'
  | 'text'
  | 'plainBool'
  | 'bool'
  | 'plainInt32'
  | 'int32'
  | 'int64'
  | 'map'
  | { readonly struct: string; readonly fields: readonly Field[] }
  | { readonly listOf: { readonly struct: string; readonly fields: readonly Field[] } }
type Field = readonly [json: string, go: string, kind: Kind]

const parseHash = (value: unknown, kind: Kind): bigint | undefined => {
  if (value === undefined) return undefined
  switch (kind) {
    case 'plainText':
      return value === '' ? undefined : text(String(value))
    case 'text':
      return text(String(value))
    case 'plainBool':
      return value === true ? fnv1([1]) : undefined
    case 'bool':
      return fnv1([value === true ? 1 : 0])
    case 'plainInt32':
      return value === 0 ? undefined : fnv1(le(BigInt(Number(value)), 4))
    case 'int32':
      return fnv1(le(BigInt(Number(value)), 4))
    case 'int64':
      return fnv1(le(BigInt(Number(value))))
    case 'map':
      return finish(
        Object.entries(value as Record<string, string>).reduce(
          (sum, [key, each]) => sum ^ pair(text(key), text(each)),
          0n,
        ),
      )
    default: {
      if ('struct' in kind) return structOf(value as Record<string, unknown>, kind)
      const items = value as readonly Record<string, unknown>[]
      return items.reduce((sum, each) => sum ^ structOf(each, kind.listOf), 0n)
    }
  }
}

const structOf = (
  value: Readonly<Record<string, unknown>>,
  { struct, fields }: { readonly struct: string; readonly fields: readonly Field[] },
): bigint => {
  let sum = text(struct)
  for (const [json, go, kind] of fields) {
    const hash = parseHash(value[json], kind)
    if (hash !== undefined) sum = finish(sum ^ pair(text(go), hash))
  }
  return sum
}

const SPEC = {
  struct: 'EC2NodeClassSpec',
  fields: [
    ['associatePublicIPAddress', 'AssociatePublicIPAddress', 'bool'],
    ['userData', 'UserData', 'text'],
    ['role', 'Role', 'plainText'],
    ['instanceProfile', 'InstanceProfile', 'text'],
    ['tags', 'Tags', 'map'],
    [
      'blockDeviceMappings',
      'BlockDeviceMappings',
      {
        listOf: {
          struct: 'BlockDeviceMapping',
          fields: [
            ['deviceName', 'DeviceName', 'text'],
            [
              'ebs',
              'EBS',
              {
                struct: 'BlockDevice',
                fields: [
                  ['deleteOnTermination', 'DeleteOnTermination', 'bool'],
                  ['encrypted', 'Encrypted', 'bool'],
                  ['iops', 'IOPS', 'int64'],
                  ['kmsKeyID', 'KMSKeyID', 'text'],
                  ['snapshotID', 'SnapshotID', 'text'],
                  ['throughput', 'Throughput', 'int64'],
                  ['volumeInitializationRate', 'VolumeInitializationRate', 'int32'],
                  ['volumeSize', 'VolumeSize', 'text'],
                  ['volumeType', 'VolumeType', 'text'],
                ],
              },
            ],
            ['rootVolume', 'RootVolume', 'plainBool'],
          ],
        },
      },
    ],
    ['instanceStorePolicy', 'InstanceStorePolicy', 'text'],
    ['detailedMonitoring', 'DetailedMonitoring', 'bool'],
    [
      'metadataOptions',
      'MetadataOptions',
      {
        struct: 'MetadataOptions',
        fields: [
          ['httpEndpoint', 'HTTPEndpoint', 'text'],
          ['httpProtocolIPv6', 'HTTPProtocolIPv6', 'text'],
          ['httpPutResponseHopLimit', 'HTTPPutResponseHopLimit', 'int64'],
          ['httpTokens', 'HTTPTokens', 'text'],
        ],
      },
    ],
    ['context', 'Context', 'text'],
  ],
} as const satisfies { readonly struct: string; readonly fields: readonly Field[] }

/** Returns the v6 hash of an EC2NodeClass. `kubelet` is JSON text in Go's format. It is absent if there are no kubelet settings. */
export const upstreamNodeClassHash = (of: {
  readonly spec: object
  readonly family: string
  readonly caBundle: string
  readonly kubelet?: string
}): string =>
  (
    structOf(of.spec as Record<string, unknown>, SPEC) ^
    text(of.family) ^
    text(of.caBundle) ^
    text(of.kubelet ?? 'null')
  ).toString()

const TAINT = {
  struct: 'Taint',
  fields: [
    ['key', 'Key', 'plainText'],
    ['value', 'Value', 'plainText'],
    ['effect', 'Effect', 'plainText'],
  ],
} as const satisfies { readonly struct: string; readonly fields: readonly Field[] }

const HOUR = 3_600_000_000_000n

/** Returns the v3 hash of a NodePool, computed from the template of its nodes. */
export const upstreamNodePoolHash = (template: {
  readonly labels?: Readonly<Record<string, string>>
  readonly taints?: readonly object[]
  readonly startupTaints?: readonly object[]
  readonly nodeClassRef: object
  readonly expireAfterHours?: number
}): string => {
  const meta = structOf({ labels: template.labels }, { struct: 'ObjectMeta', fields: [['labels', 'Labels', 'map']] })
  const expiry =
    template.expireAfterHours === undefined
      ? undefined
      : finish(text('NillableDuration') ^ pair(text('Duration'), fnv1(le(BigInt(template.expireAfterHours) * HOUR))))
  let spec = structOf(
    { ...template },
    {
      struct: 'NodeClaimTemplateSpec',
      fields: [
        ['taints', 'Taints', { listOf: TAINT }],
        ['startupTaints', 'StartupTaints', { listOf: TAINT }],
        [
          'nodeClassRef',
          'NodeClassRef',
          {
            struct: 'NodeClassReference',
            fields: [
              ['kind', 'Kind', 'plainText'],
              ['name', 'Name', 'plainText'],
              ['group', 'Group', 'plainText'],
            ],
          },
        ],
      ],
    },
  )
  if (expiry !== undefined) spec = finish(spec ^ pair(text('ExpireAfter'), expiry))
  let whole = text('NodeClaimTemplate')
  if (template.labels !== undefined) whole = finish(whole ^ pair(text('ObjectMeta'), meta))
  return finish(whole ^ pair(text('Spec'), spec)).toString()
}
