import { formatTime, karpenterKinds } from '@kerf/apis'
import { createUpstreamNode, stampPool, trueCondition } from '@kerf/provider-kit/testing/upstream-node'
import type { KubeClient, VirtualClock } from '@kerf/runtime'
import { nodePool } from '@kerf/testing'
import type { LaunchDetails } from '../../src/api/launch-details.ts'
import { communityLabels, hashAnnotations, oracleLabels, type Upstream } from '../../src/names.ts'
import { communityHash } from '../../src/node-class/community-hash.ts'
import { type CommunityNodeClass, communityNodeClassKind } from '../../src/node-class/community-node-class.ts'
import { oracleHash } from '../../src/node-class/oracle-hash.ts'
import { type OracleNodeClass, oracleNodeClassKind } from '../../src/node-class/oracle-node-class.ts'
import type { FakeInstance } from '../../src/testing/fake-oci/fake-account.ts'
import type { FakeApi } from '../../src/testing/fake-oci/fake-api.ts'
import { IMAGE, REGION, SECURITY_GROUP, SUBNET } from '../../src/testing/fake-oci/names.ts'
import { communityLaunchCases, oracleLaunchCases } from '../../src/testing/launch-cases.ts'
import { createClasses, nodeClassKind } from '../../src/testing/oci-harness.ts'
import { registeredNode } from '../../src/testing/oci-node.ts'
import { upstreamLaunches } from '../../src/testing/upstream-launches.ts'

const HOUR = 3_600_000
const FINALIZER = 'karpenter.sh/termination'
export const POOL = 'default'

/** The cases of `launch-cases.ts` that have a node in the cluster: one on demand, and one preemptible. */
const CASES = [
  { index: 0, name: 'default-aaaaa' },
  { index: 2, name: 'default-bbbbb' },
] as const
export const claimNames: readonly string[] = CASES.map(({ name }) => name)

/** The status that a public provider writes. It lacks the conditions that only Kerf writes. */
const classStatus = (upstream: Upstream, at: string) =>
  upstream === 'community'
    ? {
        images: [{ id: IMAGE, name: 'image', compartmentId: '' }],
        subnets: [{ id: SUBNET, name: 'nodes' }],
        securityGroups: [{ id: SECURITY_GROUP, name: 'nodes' }],
        conditions: ['ImageReady', 'SubnetsReady', 'SecurityGroupsReady', 'Ready'].map((type) =>
          trueCondition(type, at),
        ),
      }
    : {
        volume: { images: [{ imageId: IMAGE, displayName: 'image' }] },
        network: {
          primaryVnic: {
            subnet: { subnetId: SUBNET, displayName: 'nodes' },
            networkSecurityGroups: [{ networkSecurityGroupId: SECURITY_GROUP, displayName: 'nodes' }],
          },
        },
        conditions: ['Image', 'Network', 'NodeCompartment', 'Ready'].map((type) => trueCondition(type, at)),
      }

const spec = {
  community: {
    ...communityLaunchCases[0]?.spec,
    ...{ imageSelector: [{ id: IMAGE }], subnetSelector: [{ id: SUBNET }] },
    securityGroupSelector: [{ id: SECURITY_GROUP }],
  },
  oracle: {
    ...oracleLaunchCases[0]?.spec,
    networkConfig: {
      primaryVnicConfig: {
        subnetConfig: { subnetId: SUBNET },
        networkSecurityGroupConfigs: [{ networkSecurityGroupId: SECURITY_GROUP }],
      },
    },
  },
} as const

/** Returns the hash annotations that the public provider writes to the class and to its NodeClaims. */
const hashStamps = (upstream: Upstream): Readonly<Record<string, string>> => {
  const { hash, version } = hashAnnotations[upstream]
  const of = (upstream === 'community' ? communityHash.of : oracleHash.of) as (each: {
    readonly spec: object
  }) => string
  return { [hash]: of({ spec: spec[upstream] }), [version]: 'v1' }
}

const createClass = async (client: KubeClient, upstream: Upstream, at: string): Promise<void> => {
  await createClasses(client, { [upstream]: spec[upstream] })
  const kind = (
    upstream === 'community' ? communityNodeClassKind : oracleNodeClassKind
  ) as typeof communityNodeClassKind
  const metadata = { annotations: hashStamps(upstream), finalizers: [FINALIZER] }
  const ref = { name: 'default' }
  await client.patch<CommunityNodeClass | OracleNodeClass>(kind, ref, { type: 'merge', body: { metadata } })
  const body = { status: classStatus(upstream, at) }
  await client.patch(kind, ref, { type: 'merge', body }, { subresource: 'status' })
}

/** Returns the labels that the public provider writes to a NodeClaim with this size. */
const claimLabels = (upstream: Upstream, { details, faultDomain }: FakeInstance): Readonly<Record<string, string>> => {
  const isPreemptible = details.preemptibleInstanceConfig !== undefined
  const common = {
    'karpenter.sh/nodepool': POOL,
    'kubernetes.io/arch': 'amd64',
    'kubernetes.io/os': 'linux',
    'topology.kubernetes.io/region': REGION,
    'topology.kubernetes.io/zone': 'PHX-AD-1',
  }
  return upstream === 'community'
    ? {
        ...common,
        'karpenter.sh/capacity-type': isPreemptible ? 'preemptible' : 'on-demand',
        'node.kubernetes.io/instance-type': details.shape,
        [communityLabels.nodeClass]: 'default',
        [communityLabels.shape]: details.shape,
        [communityLabels.cpu]: `${(details.shapeConfig?.ocpus ?? 0) * 2}`,
        [communityLabels.memory]: `${(details.shapeConfig?.memoryInGBs ?? 0) * 1024}`,
        ...{ [communityLabels.networkBandwidth]: '1024', [communityLabels.maxVnics]: '2' },
        [communityLabels.isFlexible]: 'true',
      }
    : {
        ...common,
        'karpenter.sh/capacity-type': isPreemptible ? 'spot' : 'on-demand',
        'node.kubernetes.io/instance-type': `${details.shape}.2o.16g.1_1b`,
        ...{ [oracleLabels.nodeClass]: 'default', [oracleLabels.shape]: details.shape },
        ...{ [oracleLabels.flexible]: 'true', [oracleLabels.faultDomain]: faultDomain },
      }
}

/** Replaces the NodeClaim's name from the cases with another name everywhere in the launch. */
const renamed = (body: object, name: string): LaunchDetails =>
  JSON.parse(JSON.stringify(body).replaceAll('default-abcde', name))

/**
 * Creates the state that a public provider leaves behind: a class, a NodePool, two NodeClaims with their Nodes, and a pod on each Node. The
 * instances are created from the requests that the public provider really sent (`upstream-launches.ts`).
 */
export const loadUpstreamState = async (
  upstream: Upstream,
  client: KubeClient,
  { account }: FakeApi,
  clock: VirtualClock,
): Promise<readonly FakeInstance[]> => {
  const at = formatTime(clock.now())
  await createClass(client, upstream, at)
  const { group, kind } = nodeClassKind[upstream]
  const nodeClassRef = { group, kind, name: 'default' }
  const taints = [{ key: 'oci.oraclecloud.com/oke-is-preemptible', effect: 'NoSchedule' as const }]
  const capacityTypes = upstream === 'community' ? ['on-demand', 'preemptible'] : ['on-demand', 'spot']
  const requirement = { key: 'karpenter.sh/capacity-type', operator: 'In' as const, values: capacityTypes }
  const planned = nodePool(POOL, {
    requirements: [requirement],
    templateSpec: { nodeClassRef, expireAfter: '720h', taints },
    disruption: { consolidationPolicy: 'WhenEmpty', consolidateAfter: '30s', budgets: [{ nodes: '100%' }] },
  })
  const pool = await stampPool(client, await client.create(karpenterKinds.NodePool, planned))
  const launches = upstreamLaunches(upstream)
  const instances: FakeInstance[] = []
  for (const { index, name } of CASES) {
    const instance = account.put(renamed(launches[index]?.body ?? {}, name), 2 * HOUR)
    instances.push(instance)
    await createUpstreamNode(client, {
      ...{ pool, at, imageID: IMAGE, node: registeredNode(account, instance, upstream) },
      metadata: {
        name,
        annotations: {
          ...hashStamps(upstream),
          ...(upstream === 'community' ? { 'karpenter.k8s.oracle/tagged': 'true' } : {}),
        },
        labels: claimLabels(upstream, instance),
      },
      spec: { nodeClassRef, requirements: [requirement], taints },
      conditions: ['Launched', 'Registered', 'Initialized', 'ConsistentStateFound', 'Ready'],
    })
  }
  return instances
}
