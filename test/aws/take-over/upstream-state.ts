import {
  apiVersionOf,
  type EC2NodeClass,
  type EC2NodeClassSpec,
  formatTime,
  type KubeObject,
  karpenterKinds,
  kinds,
  type Node,
  type NodeClaim,
  type NodePool,
  type Pod,
  type ResourceKind,
} from '@kerf/apis'
import type { FakeAws } from '@kerf/provider-aws/testing'
import { type Clock, isConflict, type KubeClient } from '@kerf/runtime'
import { upstreamNodeClassHash, upstreamNodePoolHash } from './upstream-hash.ts'

/** As nodes are given it; the spec's vectors have it too. */
export const CA_BUNDLE = 'test-ca-bundle'
const CLUSTER = 'demo'
const REGION = 'us-east-1'
const ROLE = 'role-1'

/** What the vectors of `spec/aws.md` 1.9 are made from. */
export const vectorSpec = {
  role: ROLE,
  tags: { 'keyTag-1': 'valueTag-1', 'keyTag-2': 'valueTag-2' },
  context: 'fake-context',
  detailedMonitoring: false,
  associatePublicIPAddress: false,
  metadataOptions: {
    httpEndpoint: 'disabled',
    httpProtocolIPv6: 'disabled',
    httpPutResponseHopLimit: 1,
    httpTokens: 'optional',
  },
  blockDeviceMappings: [
    {
      deviceName: 'map-device-1',
      ebs: {
        deleteOnTermination: false,
        encrypted: false,
        iops: 0,
        kmsKeyID: 'fakeKMSKeyID',
        snapshotID: 'fakeSnapshot',
        throughput: 0,
        volumeSize: '2G',
        volumeType: 'standard',
      },
    },
    { deviceName: 'map-device-2' },
  ],
  userData: 'userdata-test-1',
} as const

const discovery = { 'karpenter.sh/discovery': 'demo' }
const selectors = {
  subnetSelectorTerms: [{ tags: discovery }],
  securityGroupSelectorTerms: [{ tags: discovery }],
} satisfies Partial<EC2NodeClassSpec>
/** What the schema fills in. */
const metadataOptions = {
  httpEndpoint: 'enabled',
  httpProtocolIPv6: 'disabled',
  httpPutResponseHopLimit: 1,
  httpTokens: 'required',
} as const

type Amis = NonNullable<NonNullable<EC2NodeClass['status']>['amis']>

interface UpstreamClass {
  readonly spec: EC2NodeClassSpec
  readonly hash: string
  readonly amis: Amis
}

const ACCELERATORS = 'karpenter.k8s.aws/instance-accelerator-count'
const GPUS = 'karpenter.k8s.aws/instance-gpu-count'
const arch = (value: string) => ({ key: 'kubernetes.io/arch', operator: 'In', values: [value] })
const without = (key: string) => ({ key, operator: 'DoesNotExist' })
const standard = (value: string) => [arch(value), without(GPUS), without(ACCELERATORS)]

const kubelet = {
  evictionHard: { 'memory.available': '5%' },
  maxPods: 40,
  systemReserved: { cpu: '100m', memory: '200Mi' },
}
const al2023: EC2NodeClassSpec = {
  ...selectors,
  amiSelectorTerms: [{ alias: 'al2023@latest' }],
  role: ROLE,
  tags: { team: 'web' },
  userData: '#!/bin/bash\necho "hello from the user"\n',
  instanceStorePolicy: 'RAID0',
  metadataOptions,
  blockDeviceMappings: [
    {
      deviceName: '/dev/xvda',
      ebs: { deleteOnTermination: true, encrypted: true, volumeSize: '50Gi', volumeType: 'gp3' },
      rootVolume: true,
    },
  ],
  kubelet,
}
const bottlerocket: EC2NodeClassSpec = {
  ...selectors,
  amiSelectorTerms: [{ alias: 'bottlerocket@1.46.0' }],
  role: ROLE,
  userData: '[settings.host-containers.admin]\nenabled = true\n',
  metadataOptions,
}
const custom: EC2NodeClassSpec = {
  ...selectors,
  ...vectorSpec,
  blockDeviceMappings: [...vectorSpec.blockDeviceMappings],
  amiFamily: 'Custom',
  amiSelectorTerms: [{ id: 'ami-x86' }],
}

export const upstreamClasses: Readonly<Record<string, UpstreamClass>> = {
  al2023: {
    spec: al2023,
    hash: upstreamNodeClassHash({
      spec: al2023,
      family: 'AL2023',
      caBundle: CA_BUNDLE,
      kubelet:
        '{"evictionHard":{"memory.available":"5%"},"maxPods":40,"systemReserved":{"cpu":"100m","memory":"200Mi"}}',
    }),
    amis: [
      { id: 'ami-arm', name: 'al2023-arm', requirements: standard('arm64') },
      { id: 'ami-gpu', name: 'al2023-gpu', requirements: [arch('amd64'), { key: GPUS, operator: 'Exists' }] },
      { id: 'ami-x86', name: 'al2023-x86', requirements: standard('amd64') },
    ],
  },
  bottlerocket: {
    spec: bottlerocket,
    hash: upstreamNodeClassHash({ spec: bottlerocket, family: 'Bottlerocket', caBundle: CA_BUNDLE }),
    amis: [
      { id: 'ami-br', name: 'bottlerocket-x86', requirements: standard('amd64') },
      {
        id: 'ami-br',
        name: 'bottlerocket-x86',
        requirements: [arch('amd64'), { key: ACCELERATORS, operator: 'Exists' }],
      },
    ],
  },
  // The first vector of the spec, as it stands there.
  custom: {
    spec: custom,
    hash: '11148166120438674859',
    amis: [{ id: 'ami-x86', name: 'al2023-x86', requirements: [arch('amd64')] }],
  },
}

const STARTUP = [{ key: 'example.com/agent', effect: 'NoSchedule' }] as const
const DEDICATED = [{ key: 'dedicated', value: 'data', effect: 'NoSchedule' }] as const

interface UpstreamPool {
  readonly nodeClass: keyof typeof upstreamClasses & string
  readonly spec: NodePool['spec']
  readonly hash: string
}

const classRef = (name: string) => ({ group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name }) as const
const capacity = (...values: readonly string[]) =>
  ({ key: 'karpenter.sh/capacity-type', operator: 'In', values: [...values] }) as const
const category = { key: 'karpenter.k8s.aws/instance-category', operator: 'In', values: ['c', 'm', 'r'] } as const

export const upstreamPools: Readonly<Record<string, UpstreamPool>> = {
  web: {
    nodeClass: 'al2023',
    spec: {
      template: {
        metadata: { labels: { team: 'web' } },
        spec: {
          nodeClassRef: classRef('al2023'),
          requirements: [capacity('spot', 'on-demand'), category],
          expireAfter: '720h',
        },
      },
      disruption: {
        consolidationPolicy: 'WhenEmptyOrUnderutilized',
        consolidateAfter: '30s',
        budgets: [{ nodes: '10%' }],
      },
      limits: { cpu: '1000' },
    },
    hash: upstreamNodePoolHash({ labels: { team: 'web' }, nodeClassRef: classRef('al2023'), expireAfterHours: 720 }),
  },
  data: {
    nodeClass: 'bottlerocket',
    spec: {
      template: {
        spec: {
          nodeClassRef: classRef('bottlerocket'),
          requirements: [capacity('on-demand')],
          taints: DEDICATED.map((taint) => ({ ...taint })),
          expireAfter: 'Never',
        },
      },
      // Nothing may go: a claim of this pool has drifted before.
      disruption: { consolidationPolicy: 'WhenEmpty', consolidateAfter: 'Never', budgets: [{ nodes: '0' }] },
    },
    hash: upstreamNodePoolHash({ taints: DEDICATED, nodeClassRef: classRef('bottlerocket') }),
  },
  batch: {
    nodeClass: 'custom',
    spec: {
      template: {
        spec: {
          nodeClassRef: classRef('custom'),
          requirements: [capacity('on-demand')],
          startupTaints: STARTUP.map((taint) => ({ ...taint })),
          expireAfter: '720h',
        },
      },
      disruption: { consolidationPolicy: 'WhenEmpty', consolidateAfter: '1h', budgets: [{ nodes: '10%' }] },
    },
    hash: upstreamNodePoolHash({ startupTaints: STARTUP, nodeClassRef: classRef('custom'), expireAfterHours: 720 }),
  },
  fixed: {
    nodeClass: 'al2023',
    spec: {
      replicas: 2,
      template: {
        spec: {
          nodeClassRef: classRef('al2023'),
          requirements: [capacity('on-demand'), category],
          expireAfter: '720h',
        },
      },
      disruption: { consolidationPolicy: 'WhenEmpty', consolidateAfter: 'Never', budgets: [{ nodes: '10%' }] },
    },
    hash: upstreamNodePoolHash({ nodeClassRef: classRef('al2023'), expireAfterHours: 720 }),
  },
}

/** What AWS publishes of the types that the nodes are of. */
const machines = {
  'm5.large': {
    category: 'm',
    generation: '5',
    family: 'm5',
    cpu: '2',
    memory: '8192',
    capacity: '7577Mi',
    free: '6803Mi',
  },
  'c5.large': {
    category: 'c',
    generation: '5',
    family: 'c5',
    cpu: '2',
    memory: '4096',
    capacity: '3788Mi',
    free: '3114Mi',
  },
} as const

const zones = { a: 'use1-az1', b: 'use1-az2', c: 'use1-az3' } as const

/** A node of upstream's, as far as it got. */
interface UpstreamNode {
  readonly claim: string
  readonly pool: keyof typeof upstreamPools & string
  readonly type: keyof typeof machines
  readonly zone: keyof typeof zones
  readonly image: string
  readonly spot: boolean
  readonly pods: string
  readonly stage: 'running' | 'launching' | 'deleting'
  /** What the pod on it asks for; none for a node without pods. */
  readonly pod?: Readonly<Record<string, string>>
}

const busy = { cpu: '1500m', memory: '2Gi' }
const webNode = { pool: 'web', type: 'm5.large', image: 'ami-x86', spot: true, pods: '40' } as const
export const upstreamNodes: readonly UpstreamNode[] = [
  { ...webNode, claim: 'web-7hx2k', zone: 'a', stage: 'running', pod: busy },
  { ...webNode, claim: 'web-q9c4d', zone: 'b', stage: 'running', pod: busy },
  {
    claim: 'data-b5mzp',
    pool: 'data',
    type: 'm5.large',
    zone: 'b',
    image: 'ami-br',
    spot: false,
    pods: '29',
    stage: 'running',
    pod: busy,
  },
  {
    claim: 'batch-x4wtn',
    pool: 'batch',
    type: 'c5.large',
    zone: 'c',
    image: 'ami-x86',
    spot: false,
    pods: '29',
    stage: 'running',
    pod: { cpu: '1', memory: '1Gi' },
  },
  ...(['fixed-2k8vd', 'fixed-lr6sj'] as const).map(
    (claim, index): UpstreamNode => ({
      claim,
      pool: 'fixed',
      type: 'm5.large',
      zone: index === 0 ? 'a' : 'c',
      image: 'ami-x86',
      spot: false,
      pods: '40',
      stage: 'running',
    }),
  ),
  { ...webNode, claim: 'web-launching', zone: 'a', stage: 'launching' },
  { ...webNode, claim: 'web-deleting', zone: 'c', stage: 'deleting', pod: { cpu: '100m', memory: '64Mi' } },
]

/** Which fingerprints the state carries: those of this version, or older ones with other values. */
export type HashAge = 'current' | 'older'

/** With older fingerprints this claim has drifted already. */
export const DRIFTED_BEFORE = 'data-b5mzp'

const OLDER = { nodeClass: 'v5', nodePool: 'v2' } as const

const classStamps = (name: string, age: HashAge): Readonly<Record<string, string>> => ({
  'karpenter.k8s.aws/ec2nodeclass-hash': age === 'current' ? (upstreamClasses[name]?.hash ?? '') : '4711',
  'karpenter.k8s.aws/ec2nodeclass-hash-version': age === 'current' ? 'v6' : OLDER.nodeClass,
})
const poolStamps = (name: string, age: HashAge): Readonly<Record<string, string>> => ({
  'karpenter.sh/nodepool-hash': age === 'current' ? (upstreamPools[name]?.hash ?? '') : '815',
  'karpenter.sh/nodepool-hash-version': age === 'current' ? 'v3' : OLDER.nodePool,
})

const indexOf = ({ claim }: UpstreamNode): number => upstreamNodes.findIndex((each) => each.claim === claim)
/** Instances of upstream's; of the claim in mid-launch too, which does not know of it. */
export const instanceIdOf = (node: UpstreamNode): string => `i-0a1b2c3d4e5f6000${indexOf(node)}`
export const nodeNameOf = (node: UpstreamNode): string => `ip-10-0-${indexOf(node)}-17.ec2.internal`
const zoneOf = ({ zone }: UpstreamNode): string => `${REGION}${zone}`
const providerIdOf = (node: UpstreamNode): string => `aws:///${zoneOf(node)}/${instanceIdOf(node)}`

export const profileOf = (className: string): string =>
  `${CLUSTER}_${{ al2023: '4327187431487283452', bottlerocket: '982374982374', custom: '1120938120938' }[className]}`

const labelsOf = (node: UpstreamNode): Readonly<Record<string, string>> => {
  const machine = machines[node.type]
  return {
    ...upstreamPools[node.pool]?.spec.template.metadata?.labels,
    'karpenter.k8s.aws/ec2nodeclass': upstreamPools[node.pool]?.nodeClass ?? '',
    'karpenter.k8s.aws/instance-capability-flex': 'false',
    'karpenter.k8s.aws/instance-category': machine.category,
    'karpenter.k8s.aws/instance-cpu': machine.cpu,
    'karpenter.k8s.aws/instance-cpu-manufacturer': 'intel',
    'karpenter.k8s.aws/instance-family': machine.family,
    'karpenter.k8s.aws/instance-generation': machine.generation,
    'karpenter.k8s.aws/instance-hypervisor': 'nitro',
    'karpenter.k8s.aws/instance-memory': machine.memory,
    'karpenter.k8s.aws/instance-size': 'large',
    'karpenter.k8s.aws/instance-tenancy': 'default',
    'karpenter.sh/capacity-type': node.spot ? 'spot' : 'on-demand',
    'karpenter.sh/nodepool': node.pool,
    'kubernetes.io/arch': 'amd64',
    'kubernetes.io/os': 'linux',
    'node.kubernetes.io/instance-type': node.type,
    'topology.k8s.aws/zone-id': zones[node.zone],
    'topology.kubernetes.io/region': REGION,
    'topology.kubernetes.io/zone': zoneOf(node),
  }
}

const amountsOf = (node: UpstreamNode) => ({
  cpu: '2',
  'ephemeral-storage': '50Gi',
  memory: machines[node.type].capacity,
  pods: node.pods,
  'vpc.amazonaws.com/pod-eni': '9',
})
const freeOf = (node: UpstreamNode) => ({
  ...amountsOf(node),
  cpu: '1830m',
  'ephemeral-storage': '44Gi',
  memory: machines[node.type].free,
})

const truths = (types: readonly string[], lastTransitionTime: string) =>
  [...types, 'Ready'].map((type) => ({
    lastTransitionTime,
    message: '',
    observedGeneration: 1,
    reason: type,
    status: 'True' as const,
    type,
  }))

/** What a loaded state is found again by. */
export interface LoadedState {
  /** The instances that have their Nodes. */
  readonly booted: ReadonlySet<string>
}

/**
 * Puts a cluster and an account there as upstream Karpenter leaves them when it is stopped in the middle of its work: a
 * claim whose instance it has just launched, and one that it drains. The objects are what `spec/core-api.md` 1.5, 1.9,
 * 1.10 and `spec/aws.md` 1.6 to 1.9, 2.20, 3.6 say of them.
 */
export const loadUpstreamState = async (
  client: KubeClient,
  aws: FakeAws,
  clock: Clock,
  age: HashAge = 'current',
): Promise<LoadedState> => {
  const now = formatTime(clock.now())
  const status = async <T extends KubeObject>(kind: ResourceKind<T>, name: string, value: unknown): Promise<T> => {
    for (;;) {
      try {
        return await client.patch(kind, { name }, { type: 'merge', body: { status: value } }, { subresource: 'status' })
      } catch (error) {
        if (!isConflict(error)) throw error
      }
    }
  }
  prepareAccount(aws)

  for (const [name, { spec, amis }] of Object.entries(upstreamClasses)) {
    const made = await client.create(karpenterKinds.EC2NodeClass, {
      apiVersion: apiVersionOf(karpenterKinds.EC2NodeClass),
      kind: 'EC2NodeClass',
      metadata: { name, annotations: classStamps(name, age), finalizers: ['karpenter.k8s.aws/termination'] },
      spec,
    })
    const profile = profileOf(name)
    const path = `/karpenter/${REGION}/${CLUSTER}/${made.metadata.uid}/`
    aws.iam.profiles.set(profile, { name: profile, path, roles: [ROLE], tags: {} })
    const dependents = [
      'AMIsReady',
      'SubnetsReady',
      'SecurityGroupsReady',
      'InstanceProfileReady',
      'ValidationSucceeded',
      'PlacementGroupReady',
      'CapacityReservationsReady',
    ]
    await status(karpenterKinds.EC2NodeClass, name, {
      amis,
      conditions: truths(dependents, now),
      instanceProfile: profile,
      securityGroups: [{ id: 'sg-1', name: 'nodes' }],
      subnets: (['a', 'b', 'c'] as const).map((zone) => ({
        id: `subnet-${zone}`,
        zone: `${REGION}${zone}`,
        zoneID: zones[zone],
      })),
    })
  }

  const pools = new Map<string, NodePool>()
  for (const [name, { spec }] of Object.entries(upstreamPools)) {
    const made = await client.create(karpenterKinds.NodePool, {
      apiVersion: apiVersionOf(karpenterKinds.NodePool),
      kind: 'NodePool',
      metadata: { name, annotations: poolStamps(name, age) },
      spec,
    })
    pools.set(name, made)
  }

  for (const node of upstreamNodes) {
    const pool = pools.get(node.pool)
    if (pool === undefined) throw new Error(`there is no pool ${node.pool}`)
    const claim = await client.create(karpenterKinds.NodeClaim, claimOf(node, pool, age))
    aws.ec2.instances.set(instanceIdOf(node), { data: instanceOf(node, clock) })
    if (node.stage === 'launching') {
      await client.create(kinds.Pod, waitingPod(node))
      await status(karpenterKinds.NodeClaim, node.claim, {
        conditions: ['Launched', 'Registered', 'Initialized', 'Ready'].map((type) => ({
          lastTransitionTime: now,
          message: 'object is awaiting reconciliation',
          observedGeneration: 1,
          reason: 'AwaitingReconciliation',
          status: 'Unknown',
          type,
        })),
      })
      continue
    }
    await client.create(kinds.Node, nodeOf(node, claim))
    await status(kinds.Node, nodeNameOf(node), { capacity: amountsOf(node), allocatable: freeOf(node) })
    if (node.pod !== undefined) await client.create(kinds.Pod, podOf(node, node.pod))
    await status(karpenterKinds.NodeClaim, node.claim, {
      allocatable: freeOf(node),
      capacity: amountsOf(node),
      conditions: truths(
        [
          ...(age === 'older' && node.claim === DRIFTED_BEFORE ? ['Drifted'] : []),
          'Launched',
          'Registered',
          'Initialized',
          'ConsistentStateFound',
        ],
        now,
      ).map((each) =>
        each.type === 'Drifted' ? { ...each, reason: 'NodeClassDrift', message: 'NodeClassDrift' } : each,
      ),
      imageID: node.image,
      ...(node.pod === undefined ? {} : { lastPodEventTime: formatTime(clock.now() - HOUR) }),
      nodeName: nodeNameOf(node),
      providerID: providerIdOf(node),
    })
    if (node.stage === 'deleting') {
      await client.delete(karpenterKinds.NodeClaim, { name: node.claim })
      await client.delete(kinds.Node, { name: nodeNameOf(node) })
    }
  }

  for (const name of pools.keys()) {
    const counted = upstreamNodes.filter(({ pool, stage }) => pool === name && stage === 'running')
    const sum = (of: (node: UpstreamNode) => number): number => counted.reduce((total, node) => total + of(node), 0)
    await status(karpenterKinds.NodePool, name, {
      conditions: truths(['ValidationSucceeded', 'NodeClassReady', 'NodeRegistrationHealthy'], now),
      nodeClassObservedGeneration: 1,
      nodes: counted.length,
      resources: {
        cpu: `${sum(() => 2)}`,
        'ephemeral-storage': `${sum(() => 50)}Gi`,
        memory: `${sum((node) => Number.parseInt(machines[node.type].capacity, 10))}Mi`,
        nodes: `${counted.length}`,
        pods: `${sum((node) => Number(node.pods))}`,
        'vpc.amazonaws.com/pod-eni': `${sum(() => 9)}`,
      },
    })
  }
  return { booted: new Set(upstreamNodes.map(instanceIdOf)) }
}

const HOUR = 3_600_000

/** What of the account upstream goes by, and a launch template of it that is left over. */
const prepareAccount = ({ ec2, ssm, iam }: FakeAws): void => {
  iam.roles.add(ROLE)
  ec2.images.push({
    ImageId: 'ami-br',
    Name: 'bottlerocket-x86',
    Architecture: 'x86_64',
    CreationDate: '2026-01-01T00:00:00.000Z',
    State: 'available',
  })
  ssm.parameters.set('/aws/service/bottlerocket/aws-k8s-1.36/x86_64/1.46.0/image_id', 'ami-br')
  const template = (name: string, cluster: string) => ({
    id: `lt-${name}`,
    name: `karpenter.k8s.aws/${name}`,
    data: {},
    tags: {
      [`kubernetes.io/cluster/${cluster}`]: 'owned',
      'eks:eks-cluster-name': cluster,
      'karpenter.k8s.aws/ec2nodeclass': 'al2023',
      'karpenter.sh/nodepool': 'web',
    },
  })
  for (const left of [template('7623748273682736', CLUSTER), template('1', 'other')]) ec2.templates.set(left.name, left)
}

const claimOf = (node: UpstreamNode, pool: NodePool, age: HashAge): NodeClaim => {
  const { spec } = pool.spec.template
  const className = upstreamPools[node.pool]?.nodeClass ?? ''
  const isLaunched = node.stage !== 'launching'
  const planned = {
    ...pool.spec.template.metadata?.labels,
    'karpenter.k8s.aws/ec2nodeclass': className,
    'karpenter.sh/nodepool': node.pool,
  }
  return {
    apiVersion: apiVersionOf(karpenterKinds.NodeClaim),
    kind: 'NodeClaim',
    metadata: {
      name: node.claim,
      generateName: `${node.pool}-`,
      annotations: {
        ...poolStamps(node.pool, age),
        ...(pool.spec.replicas === undefined ? { 'karpenter.sh/nodeclaim-min-values-relaxed': 'false' } : {}),
        ...(isLaunched
          ? {
              ...classStamps(className, age),
              'compatibility.karpenter.k8s.aws/cluster-name-tagged': 'true',
              'karpenter.k8s.aws/instance-profile-name': profileOf(className),
              'karpenter.k8s.aws/tagged': 'true',
            }
          : {}),
      },
      finalizers: ['karpenter.sh/termination'],
      labels: isLaunched ? labelsOf(node) : planned,
      ownerReferences: [
        {
          apiVersion: 'karpenter.sh/v1',
          blockOwnerDeletion: true,
          kind: 'NodePool',
          name: node.pool,
          uid: pool.metadata.uid ?? '',
        },
      ],
    },
    spec: {
      ...(spec.expireAfter === undefined ? {} : { expireAfter: spec.expireAfter }),
      nodeClassRef: spec.nodeClassRef,
      ...(spec.taints === undefined ? {} : { taints: spec.taints }),
      ...(spec.startupTaints === undefined ? {} : { startupTaints: spec.startupTaints }),
      requirements: [
        ...(spec.requirements ?? []),
        { key: 'karpenter.sh/nodepool', operator: 'In', values: [node.pool] },
        { key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['c5.large', 'm5.large', 'm5.xlarge'] },
      ],
      resources: { requests: { ...(node.pod ?? busy), pods: '3' } },
    },
  }
}

const nodeOf = (node: UpstreamNode, claim: NodeClaim): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name: nodeNameOf(node),
    annotations: { ...claim.metadata.annotations },
    finalizers: ['karpenter.sh/termination'],
    labels: {
      ...claim.metadata.labels,
      'karpenter.sh/do-not-sync-taints': 'true',
      'karpenter.sh/initialized': 'true',
      'karpenter.sh/registered': 'true',
      'kubernetes.io/hostname': nodeNameOf(node),
    },
    ownerReferences: [
      {
        apiVersion: 'karpenter.sh/v1',
        blockOwnerDeletion: true,
        kind: 'NodeClaim',
        name: node.claim,
        uid: claim.metadata.uid ?? '',
      },
    ],
  },
  spec: {
    providerID: providerIdOf(node),
    taints: [
      ...(claim.spec.taints ?? []),
      ...(node.stage === 'deleting' ? [{ key: 'karpenter.sh/disrupted', effect: 'NoSchedule' as const }] : []),
    ],
  },
})

/** The pod that the claim in mid-launch is for. */
const waitingPod = (node: UpstreamNode): Pod => {
  const { nodeName: _, ...spec } = podOf(node, busy).spec
  return { ...podOf(node, busy), spec }
}

const podOf = (node: UpstreamNode, requests: Readonly<Record<string, string>>): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: `on-${node.claim}`, namespace: 'default', labels: { app: node.pool } },
  spec: {
    nodeName: nodeNameOf(node),
    nodeSelector: { 'karpenter.sh/nodepool': node.pool },
    terminationGracePeriodSeconds: 5,
    tolerations: [{ key: 'dedicated', operator: 'Exists' }],
    containers: [{ name: 'app', image: 'nginx', resources: { requests } }],
  },
})

const instanceOf = (node: UpstreamNode, clock: Clock) => {
  const className = upstreamPools[node.pool]?.nodeClass ?? ''
  const isTagged = node.stage !== 'launching'
  const tags = {
    ...upstreamClasses[className]?.spec.tags,
    [`kubernetes.io/cluster/${CLUSTER}`]: 'owned',
    'eks:eks-cluster-name': CLUSTER,
    'karpenter.k8s.aws/ec2nodeclass': className,
    'karpenter.sh/nodepool': node.pool,
    ...(isTagged ? { 'karpenter.sh/nodeclaim': node.claim, Name: nodeNameOf(node) } : {}),
  }
  return {
    InstanceId: instanceIdOf(node),
    InstanceType: node.type,
    ImageId: node.image,
    SubnetId: `subnet-${node.zone}`,
    Placement: { AvailabilityZone: zoneOf(node), Tenancy: 'default' as const },
    LaunchTime: new Date(clock.now() - (isTagged ? 48 * 3_600_000 : 5_000)),
    Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })),
    SecurityGroups: [{ GroupId: 'sg-1' }],
    NetworkInterfaces: [{ InterfaceType: 'interface' }],
    ...(node.spot ? { SpotInstanceRequestId: `sir-${indexOf(node)}`, InstanceLifecycle: 'spot' as const } : {}),
  }
}
