import { enumField, listField, mapField, object, optional, text, whole, yesNo } from '@kerf/apis/schema'

/**
 * The fields of an EC2NodeClass for the instance itself: volumes, network, metadata, tags
 * (`providers/aws/docs/spec/aws-node-class.md#nested-types`, `providers/aws/docs/spec/aws-node-class.md#admission-rules`).
 */

/**
 * Matches whole numbers of Gi, G, Ti or T within the limits of EBS. As in upstream, it also accepts `Ti` and `T` without a number, which
 * have no meaning.
 */
const VOLUME_SIZE =
  '^(([1-9][0-9]{0,3}|[1-4][0-9]{4}|5[0-8][0-9]{3}|59000)Gi|([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-3][0-9]{3}|64000)G|([1-9]|[1-5][0-7]|58)?Ti|([1-9]|[1-5][0-9]|6[0-4])?T)$'

const ebs = object(
  {
    deleteOnTermination: optional(yesNo({ description: 'Whether the volume is deleted with the instance.' })),
    encrypted: optional(
      yesNo({
        description: 'Whether the volume is encrypted. The instance type must support encryption.',
      }),
    ),
    iops: optional(
      whole({
        description: 'IOPS, for gp3, io1 and io2. 0 or absent: the default of EC2.',
        format: 'int64',
      }),
    ),
    kmsKeyID: optional(text({ description: 'The key ID, key ARN or alias for the encryption of the volume.' })),
    snapshotID: optional(text({ description: 'The snapshot of the volume.' })),
    throughput: optional(
      whole({ description: 'Throughput in MiB/s, for gp3. 0 or absent: the default of EC2.', format: 'int64' }),
    ),
    volumeInitializationRate: optional(
      whole({
        description: 'Rate in MiB/s at which the volume is initialized from the snapshot. Requires snapshotID.',
        format: 'int32',
        minimum: 100,
        maximum: 300,
      }),
    ),
    volumeSize: optional(
      text({
        description: 'The size in whole Gi, G, Ti or T. At least the size of the snapshot, if one is set.',
        pattern: VOLUME_SIZE,
      }),
    ),
    volumeType: optional(
      enumField(['standard', 'io1', 'io2', 'gp2', 'sc1', 'st1', 'gp3'], { description: 'The type of the volume.' }),
    ),
  },
  {
    description: 'The EBS volume.',
    rules: [
      {
        rule: 'has(self.snapshotID) || has(self.volumeSize)',
        message: 'a volume needs "snapshotID" or "volumeSize"',
      },
      {
        rule: "!has(self.volumeInitializationRate) || (has(self.snapshotID) && self.snapshotID != '')",
        message: '"volumeInitializationRate" needs a "snapshotID"',
      },
    ],
  },
)

export const blockDeviceMappings = () =>
  optional(
    listField(
      object(
        {
          deviceName: optional(text({ description: 'The device name, for example /dev/xvda.' })),
          ebs: optional(ebs),
          rootVolume: optional(
            yesNo({
              description:
                'Whether the kubelet stores its files on this volume. The size of the volume is then the ephemeral storage of the node. At most one mapping.',
            }),
          ),
        },
        { description: 'One volume.' },
      ),
      {
        description: 'The volumes of the instance. They replace all default volumes of the image family.',
        listType: 'atomic',
        maxItems: 50,
        rules: [
          {
            rule: 'self.filter(x, has(x.rootVolume) && x.rootVolume).size() <= 1',
            message: 'at most one mapping may have "rootVolume: true"',
          },
        ],
      },
    ),
  )

export const networkInterfaces = () =>
  optional(
    listField(
      object(
        {
          networkCardIndex: whole({ description: 'The network card, from 0.', format: 'int32', minimum: 0 }),
          deviceIndex: whole({ description: 'The device on the card, from 0.', format: 'int32', minimum: 0 }),
          interfaceType: enumField(['interface', 'efa-only'], {
            description: 'interface for IP traffic, or efa-only for an Elastic Fabric Adapter without an IP address.',
          }),
        },
        { description: 'One network interface.' },
      ),
      {
        description: 'The network interfaces of the instance. Absent: one, or as many as the requested EFAs need.',
        listType: 'atomic',
        maxItems: 150,
        rules: [
          {
            rule: "self.size() == 0 || self.exists(x, x.networkCardIndex == 0 && x.deviceIndex == 0 && x.interfaceType == 'interface')",
            message:
              'the interface with networkCardIndex 0 and deviceIndex 0 is the primary one and must be of type "interface"',
          },
          {
            rule: 'self.all(x, self.exists_one(y, x.networkCardIndex == y.networkCardIndex && x.deviceIndex == y.deviceIndex))',
            message: 'no two interfaces may have the same networkCardIndex and deviceIndex',
          },
          {
            rule: "self.all(x, x.interfaceType != 'efa-only' || self.exists_one(y, y.interfaceType == 'efa-only' && x.networkCardIndex == y.networkCardIndex))",
            message: 'a network card may have only one interface of type "efa-only"',
          },
        ],
      },
    ),
  )

export const placementGroupSelector = () =>
  optional(
    object(
      {
        name: optional(text({ description: 'The name of the placement group.', minLength: 1 })),
        id: optional(text({ description: 'The ID of the placement group.', pattern: '^pg-[0-9a-z]+$' })),
      },
      {
        description: 'The placement group of the instances. It must exist.',
        rules: [
          { rule: 'has(self.name) || has(self.id)', message: 'one of "name" and "id" is required' },
          { rule: '!(has(self.name) && has(self.id))', message: '"name" and "id" may not be given together' },
        ],
      },
    ),
  )

const onOff = (description: string, fallback: 'enabled' | 'disabled') =>
  optional(enumField(['enabled', 'disabled'], { description, default: fallback }))

export const metadataOptions = () =>
  optional(
    object(
      {
        httpEndpoint: onOff('Whether the instance metadata service is enabled.', 'enabled'),
        httpProtocolIPv6: onOff('Whether its IPv6 endpoint is enabled.', 'disabled'),
        httpPutResponseHopLimit: optional(
          whole({
            description: 'Hop limit of its responses. With 1, pods without host network cannot use the service.',
            format: 'int64',
            minimum: 1,
            maximum: 64,
            default: 1,
          }),
        ),
        httpTokens: optional(
          enumField(['required', 'optional'], {
            description: 'Whether requests need a token (IMDSv2).',
            default: 'required',
          }),
        ),
      },
      {
        description: 'Options of the instance metadata service.',
        default: {
          httpEndpoint: 'enabled',
          httpProtocolIPv6: 'disabled',
          httpPutResponseHopLimit: 1,
          httpTokens: 'required',
        },
      },
    ),
  )

const seconds = (description: string, minimum: number, maximum: number) =>
  optional(whole({ description, format: 'int32', minimum, maximum }))

export const connectionTracking = () =>
  optional(
    object(
      {
        tcpEstablishedTimeout: seconds('Timeout in seconds of idle TCP connections.', 60, 432000),
        udpStreamTimeout: seconds('Timeout in seconds of UDP flows with traffic in both directions.', 60, 180),
        udpTimeout: seconds('Timeout in seconds of UDP flows with traffic in one direction.', 30, 60),
      },
      {
        description:
          'Idle timeouts of the connection tracking of network interfaces. Restricts launches to Nitro instance types.',
        rules: [
          {
            rule: 'has(self.tcpEstablishedTimeout) || has(self.udpStreamTimeout) || has(self.udpTimeout)',
            message: 'set at least one timeout',
          },
        ],
      },
    ),
  )

export const cpuOptions = () =>
  optional(
    object(
      {
        nestedVirtualization: optional(
          enumField(['enabled', 'disabled'], {
            description:
              'Whether nested virtualization is enabled. If enabled, it restricts launches to instance types that support it.',
          }),
        ),
      },
      { description: 'Options of the processor.' },
    ),
  )

/** Tags that identify the owner of an instance. */
const ownershipTags = [
  'eks:eks-cluster-name',
  'karpenter.sh/nodepool',
  'karpenter.sh/nodeclaim',
  'karpenter.k8s.aws/ec2nodeclass',
] as const

export const ec2Tags = () =>
  optional(
    mapField(text({ description: 'The value of the tag.' }), {
      description:
        'Tags of all created resources: instances, volumes, network interfaces, fleets, spot requests, launch templates, instance profiles. Kerf adds its ownership tags; you may not set them.',
      rules: [
        { rule: "self.all(k, k != '')", message: 'a tag needs a key' },
        ...ownershipTags.map((tag) => ({
          rule: `self.all(k, k != '${tag}')`,
          message: `the tag "${tag}" is set by the controller and may not be set here`,
        })),
        {
          rule: "self.all(k, !k.startsWith('kubernetes.io/cluster'))",
          message: 'tags that begin with "kubernetes.io/cluster" are set by the controller and may not be set here',
        },
      ],
    }),
  )
