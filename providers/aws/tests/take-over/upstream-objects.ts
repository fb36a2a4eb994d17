import { groupVersion, karpenterKinds, type Node, type NodeClaim, type NodePool, type Pod } from '@kerf/apis'
import type { Clock } from '@kerf/runtime'
import { CLUSTER, profileName, upstreamClasses } from './upstream-classes.ts'
import {
  busy,
  nodeIndex,
  type UpstreamNode,
  upstreamInstanceId,
  upstreamLabels,
  upstreamNodeName,
  upstreamProviderId,
  upstreamZone,
} from './upstream-nodes.ts'
import { upstreamPools } from './upstream-pools.ts'

/** Whether the objects have the hashes of this version, or different hashes of an older version. */
export type HashAge = 'current' | 'older'

/** The NodeClaim that has already drifted in the state with older hashes. */
export const DRIFTED_BEFORE = 'data-b5mzp'

const OLDER = { nodeClass: 'v5', nodePool: 'v2' } as const

export const classStamps = (name: string, age: HashAge): Readonly<Record<string, string>> => ({
  'karpenter.k8s.aws/ec2nodeclass-hash': age === 'current' ? (upstreamClasses[name]?.hash ?? '') : '4711',
  'karpenter.k8s.aws/ec2nodeclass-hash-version': age === 'current' ? 'v6' : OLDER.nodeClass,
})
export const poolStamps = (name: string, age: HashAge): Readonly<Record<string, string>> => ({
  'karpenter.sh/nodepool-hash': age === 'current' ? (upstreamPools[name]?.hash ?? '') : '815',
  'karpenter.sh/nodepool-hash-version': age === 'current' ? 'v3' : OLDER.nodePool,
})

export const upstreamClaim = (node: UpstreamNode, pool: NodePool, age: HashAge): NodeClaim => {
  const { spec } = pool.spec.template
  const className = upstreamPools[node.pool]?.nodeClass ?? ''
  const isLaunched = node.stage !== 'launching'
  const planned = {
    ...pool.spec.template.metadata?.labels,
    'karpenter.k8s.aws/ec2nodeclass': className,
    'karpenter.sh/nodepool': node.pool,
  }
  return {
    apiVersion: groupVersion(karpenterKinds.NodeClaim),
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
              'karpenter.k8s.aws/instance-profile-name': profileName(className),
              'karpenter.k8s.aws/tagged': 'true',
            }
          : {}),
      },
      finalizers: ['karpenter.sh/termination'],
      labels: isLaunched ? upstreamLabels(node) : planned,
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

export const upstreamNode = (node: UpstreamNode, claim: NodeClaim): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name: upstreamNodeName(node),
    annotations: { ...claim.metadata.annotations },
    finalizers: ['karpenter.sh/termination'],
    labels: {
      ...claim.metadata.labels,
      'karpenter.sh/do-not-sync-taints': 'true',
      'karpenter.sh/initialized': 'true',
      'karpenter.sh/registered': 'true',
      'kubernetes.io/hostname': upstreamNodeName(node),
      // Kubelets set these labels too. The node controller adds them later to a Node without them, at an unpredictable time.
      'beta.kubernetes.io/arch': 'amd64',
      'beta.kubernetes.io/os': 'linux',
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
    providerID: upstreamProviderId(node),
    taints: [
      ...(claim.spec.taints ?? []),
      ...(node.stage === 'deleting' ? [{ key: 'karpenter.sh/disrupted', effect: 'NoSchedule' as const }] : []),
    ],
  },
})

/** Returns the pod for which upstream created the launching NodeClaim. */
export const waitingPod = (node: UpstreamNode): Pod => {
  const { nodeName: _, ...spec } = upstreamPod(node, busy).spec
  return { ...upstreamPod(node, busy), spec }
}

export const upstreamPod = (node: UpstreamNode, requests: Readonly<Record<string, string>>): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: `on-${node.claim}`, namespace: 'default', labels: { app: node.pool } },
  spec: {
    nodeName: upstreamNodeName(node),
    nodeSelector: { 'karpenter.sh/nodepool': node.pool },
    terminationGracePeriodSeconds: 5,
    tolerations: [{ key: 'dedicated', operator: 'Exists' }],
    containers: [{ name: 'app', image: 'nginx', resources: { requests } }],
  },
})

export const upstreamInstance = (node: UpstreamNode, clock: Clock) => {
  const className = upstreamPools[node.pool]?.nodeClass ?? ''
  const isTagged = node.stage !== 'launching'
  const tags = {
    ...upstreamClasses[className]?.spec.tags,
    [`kubernetes.io/cluster/${CLUSTER}`]: 'owned',
    'eks:eks-cluster-name': CLUSTER,
    'karpenter.k8s.aws/ec2nodeclass': className,
    'karpenter.sh/nodepool': node.pool,
    ...(isTagged ? { 'karpenter.sh/nodeclaim': node.claim, Name: upstreamNodeName(node) } : {}),
  }
  return {
    InstanceId: upstreamInstanceId(node),
    InstanceType: node.type,
    ImageId: node.image,
    SubnetId: `subnet-${node.zone}`,
    Placement: { AvailabilityZone: upstreamZone(node), Tenancy: 'default' as const },
    LaunchTime: new Date(clock.now() - (isTagged ? 48 * 3_600_000 : 5_000)),
    Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })),
    SecurityGroups: [{ GroupId: 'sg-1' }],
    NetworkInterfaces: [{ InterfaceType: 'interface' }],
    ...(node.spot ? { SpotInstanceRequestId: `sir-${nodeIndex(node)}`, InstanceLifecycle: 'spot' as const } : {}),
  }
}
