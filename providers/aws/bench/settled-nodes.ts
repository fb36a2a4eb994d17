import { formatTime, groupVersion, karpenterKinds } from '@kerf/apis'
import { type EC2NodeClassSpec, ec2NodeClassKind } from '@kerf/provider-aws/node-class'
import type { FakeAws } from '@kerf/provider-aws/testing'
import { type Clock, type KubeClient, mapLimit } from '@kerf/runtime'
import { createSettledNode } from '../../../tests/benchmarks/settled-node.ts'

const CLASS = 'default'
const POOL = 'default'
const CLUSTER = 'demo'
const TYPE = 'm5.large'
const ZONE = 'us-east-1a'
const DAY = 86_400_000
const AT_ONCE = 20

const classSpec: EC2NodeClassSpec = {
  role: 'KarpenterNodeRole-demo',
  amiSelectorTerms: [{ alias: 'al2023@latest' }],
  subnetSelectorTerms: [{ tags: { 'karpenter.sh/discovery': CLUSTER } }],
  securityGroupSelectorTerms: [{ tags: { 'karpenter.sh/discovery': CLUSTER } }],
}

const amounts = { cpu: '2', memory: '7577Mi', 'ephemeral-storage': '20Gi', pods: '29' }
const free = { cpu: '1930m', memory: '6903Mi', 'ephemeral-storage': '17Gi', pods: '29' }

/**
 * Creates an idle cluster that is a day old. It has a node class, a NodePool, and for each node the NodeClaim, Node and instance that
 * Karpenter creates. The NodePool never consolidates, and nothing has drifted.
 */
export const settledNodes = async (
  client: KubeClient,
  aws: FakeAws,
  clock: Clock,
  count: number,
): Promise<ReadonlySet<string>> => {
  const then = formatTime(clock.now() - DAY)
  await client.create(ec2NodeClassKind, {
    apiVersion: groupVersion(ec2NodeClassKind),
    kind: 'EC2NodeClass',
    metadata: { name: CLASS },
    spec: classSpec,
  })
  const nodeClassRef = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: CLASS }
  const pool = await client.create(karpenterKinds.NodePool, {
    apiVersion: groupVersion(karpenterKinds.NodePool),
    kind: 'NodePool',
    metadata: { name: POOL },
    spec: {
      template: { spec: { nodeClassRef, requirements: [], expireAfter: 'Never' } },
      disruption: { consolidationPolicy: 'WhenEmpty', consolidateAfter: 'Never' },
    },
  })

  const ids = Array.from({ length: count }, (_, index) => `i-${(0x10_0000 + index).toString(16).padStart(17, '0')}`)
  const order = new Map(ids.map((id, index) => [id, index]))
  await mapLimit(
    ids,
    AT_ONCE,
    async (id) => {
      const index = order.get(id) ?? 0
      const claimName = `${POOL}-${index}`
      const nodeName = `node-${index}`
      const providerID = `aws:///${ZONE}/${id}`
      const labels = {
        'karpenter.sh/nodepool': POOL,
        'karpenter.k8s.aws/ec2nodeclass': CLASS,
        'karpenter.sh/capacity-type': 'on-demand',
        'karpenter.k8s.aws/instance-tenancy': 'default',
        'node.kubernetes.io/instance-type': TYPE,
        'topology.kubernetes.io/zone': ZONE,
        'topology.kubernetes.io/region': 'us-east-1',
        'kubernetes.io/arch': 'amd64',
        'kubernetes.io/os': 'linux',
      }
      aws.ec2.instances.set(id, {
        data: {
          InstanceId: id,
          InstanceType: TYPE,
          ImageId: 'ami-x86',
          SubnetId: 'subnet-a',
          Placement: { AvailabilityZone: ZONE, Tenancy: 'default' },
          LaunchTime: new Date(clock.now() - DAY),
          Tags: Object.entries({
            Name: nodeName,
            [`kubernetes.io/cluster/${CLUSTER}`]: 'owned',
            'eks:eks-cluster-name': CLUSTER,
            'karpenter.k8s.aws/ec2nodeclass': CLASS,
            'karpenter.sh/nodepool': POOL,
            'karpenter.sh/nodeclaim': claimName,
          }).map(([Key, Value]) => ({ Key, Value })),
          SecurityGroups: [{ GroupId: 'sg-1' }],
          NetworkInterfaces: [{ InterfaceType: 'interface' }],
        },
      })
      await createSettledNode(client, {
        ...{ pool, claimName, nodeName, providerID, imageID: 'ami-x86', labels, since: then },
        claimAnnotations: {
          'compatibility.karpenter.k8s.aws/cluster-name-tagged': 'true',
          'karpenter.k8s.aws/tagged': 'true',
        },
        spec: {
          nodeClassRef,
          expireAfter: 'Never',
          requirements: [{ key: 'node.kubernetes.io/instance-type', operator: 'In', values: [TYPE] }],
        },
        ...{ capacity: amounts, allocatable: free },
      })
    },
    new AbortController().signal,
  )
  return new Set(ids)
}
