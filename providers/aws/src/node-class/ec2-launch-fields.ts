import { listOf, mapOf, object, oneOf, optional, text, whole, yesNo } from '@kerf/apis/schema'

/**
 * The fields of an EC2NodeClass for the instance itself: volumes, network, metadata, tags
 * (`providers/aws/docs/spec/aws-node-class.md#nested-types`, `providers/aws/docs/spec/aws-node-class.md#admission-rules`).
 */

/** Integers of Gi, G, Ti or T within the limits of EBS. `Ti` and `T` without a number are accepted as in upstream, but are meaningless. */
const VOLUME_SIZE =
  '^(([1-9][0-9]{0,3}|[1-4][0-9]{4}|5[0-8][0-9]{3}|59000)Gi|([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-3][0-9]{3}|64000)G|([1-9]|[1-5][0-7]|58)?Ti|([1-9]|[1-5][0-9]|6[0-4])?T)$'

const ebs = object(
  {
    deleteOnTermination: optional(yesNo({ description: 'Whether the volume goes with the instance.' })),
    encrypted: optional(
      yesNo({
        description: 'Whether the volume is encrypted. Instances may only attach it if their type supports that.',
      }),
    ),
    iops: optional(
      whole({
        description: 'Input and output operations a second, for gp3, io1 and io2. 0 or absent: what EC2 gives.',
        format: 'int64',
      }),
    ),
    kmsKeyID: optional(text({ description: 'The key, key ARN or alias that the volume is encrypted with.' })),
    snapshotID: optional(text({ description: 'The snapshot the volume is made from.' })),
    throughput: optional(
      whole({ description: 'MiB a second, for gp3. 0 or absent: what EC2 gives.', format: 'int64' }),
    ),
    volumeInitializationRate: optional(
      whole({
        description: 'At how many MiB a second the snapshot is loaded into the volume. Needs snapshotID.',
        format: 'int32',
        minimum: 100,
        maximum: 300,
      }),
    ),
    volumeSize: optional(
      text({
        description: 'The size in whole Gi, G, Ti or T. At least the size of the snapshot, if there is one.',
        pattern: VOLUME_SIZE,
      }),
    ),
    volumeType: optional(
      oneOf(['standard', 'io1', 'io2', 'gp2', 'sc1', 'st1', 'gp3'], { description: 'The type of the volume.' }),
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
    listOf(
      object(
        {
          deviceName: optional(text({ description: 'The device that the instance sees, like /dev/xvda.' })),
          ebs: optional(ebs),
          rootVolume: optional(
            yesNo({
              description:
                'Whether the kubelet keeps its files on this volume: its size is then the ephemeral storage of the node. At most one.',
            }),
          ),
        },
        { description: 'One volume.' },
      ),
      {
        description: 'The volumes of the instance. Given, they take the place of all that the image family brings.',
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
    listOf(
      object(
        {
          networkCardIndex: whole({ description: 'The network card, from 0.', format: 'int32', minimum: 0 }),
          deviceIndex: whole({ description: 'The device on the card, from 0.', format: 'int32', minimum: 0 }),
          interfaceType: oneOf(['interface', 'efa-only'], {
            description: 'interface for IP traffic, efa-only for the Elastic Fabric Adapter without an IP address.',
          }),
        },
        { description: 'One network interface.' },
      ),
      {
        description: 'The network interfaces of the instance. Absent: one, or those that the requested EFAs need.',
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
        id: optional(text({ description: 'The id of the placement group.', pattern: '^pg-[0-9a-z]+$' })),
      },
      {
        description: 'The placement group that instances are launched into. It must exist.',
        rules: [
          { rule: 'has(self.name) || has(self.id)', message: 'one of "name" and "id" is needed' },
          { rule: '!(has(self.name) && has(self.id))', message: '"name" and "id" may not be given together' },
        ],
      },
    ),
  )

const onOff = (description: string, fallback: 'enabled' | 'disabled') =>
  optional(oneOf(['enabled', 'disabled'], { description, default: fallback }))

export const metadataOptions = () =>
  optional(
    object(
      {
        httpEndpoint: onOff('Whether the instance metadata service answers.', 'enabled'),
        httpProtocolIPv6: onOff('Whether it answers over IPv6.', 'disabled'),
        httpPutResponseHopLimit: optional(
          whole({
            description:
              'How many network hops its tokens survive: 1 keeps them from pods that do not use the network of the host.',
            format: 'int64',
            minimum: 1,
            maximum: 64,
            default: 1,
          }),
        ),
        httpTokens: optional(
          oneOf(['required', 'optional'], {
            description: 'Whether requests must carry a token (IMDSv2).',
            default: 'required',
          }),
        ),
      },
      {
        description: 'How the instance metadata service can be reached.',
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
        tcpEstablishedTimeout: seconds('Seconds that an idle TCP connection is remembered.', 60, 432000),
        udpStreamTimeout: seconds('Seconds that a UDP flow with traffic both ways is remembered.', 60, 180),
        udpTimeout: seconds('Seconds that a UDP flow with traffic one way is remembered.', 30, 60),
      },
      {
        description:
          'How long the network interfaces remember idle connections. Restricts launches to instance types on Nitro.',
        rules: [
          {
            rule: 'has(self.tcpEstablishedTimeout) || has(self.udpStreamTimeout) || has(self.udpTimeout)',
            message: 'give at least one timeout',
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
          oneOf(['enabled', 'disabled'], {
            description:
              'Whether virtual machines may run on the instance. Enabled, it restricts launches to instance types that can.',
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
    mapOf(text({ description: 'The value of the tag.' }), {
      description:
        'Tags for everything that is created: instances, volumes, network interfaces, fleets, spot requests, launch templates, instance profiles. Those that say whose an instance is are added and may not be given.',
      rules: [
        { rule: "self.all(k, k != '')", message: 'a tag needs a key' },
        ...ownershipTags.map((tag) => ({
          rule: `self.all(k, k != '${tag}')`,
          message: `the tag "${tag}" is set by the controller and may not be given`,
        })),
        {
          rule: "self.all(k, !k.startsWith('kubernetes.io/cluster'))",
          message: 'tags that begin with "kubernetes.io/cluster" are set by the controller and may not be given',
        },
      ],
    }),
  )
