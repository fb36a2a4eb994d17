import {
  apiVersionOf,
  formatTime,
  type KubeObject,
  karpenterKinds,
  kinds,
  type NodePool,
  type ResourceKind,
} from '@kerf/apis'
import type { FakeAws } from '@kerf/provider-aws/testing'
import { type Clock, isConflict, type KubeClient } from '@kerf/runtime'
import { CLUSTER, profileOf, REGION, ROLE, upstreamClasses } from './upstream-classes.ts'
import {
  amountsOf,
  freeOf,
  instanceIdOf,
  instanceSizes,
  nodeNameOf,
  providerIdOf,
  type UpstreamNode,
  upstreamNodes,
  zones,
} from './upstream-nodes.ts'
import {
  claimOf,
  classStamps,
  DRIFTED_BEFORE,
  type HashAge,
  instanceOf,
  nodeOf,
  podOf,
  poolStamps,
  waitingPod,
} from './upstream-objects.ts'
import { upstreamPools } from './upstream-pools.ts'

const HOUR = 3_600_000

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
 * claim whose instance it has just launched, and one that it drains. The objects are what
 * `docs/spec/resources.md#nodeclaim`, `docs/spec/resources.md#condition-machinery`,
 * `docs/spec/resources.md#condition-types` and `docs/spec/aws-node-class.md`, `docs/spec/aws.md`,
 * `docs/spec/aws-controllers.md` say of them.
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
        memory: `${sum((node) => Number.parseInt(instanceSizes[node.type].capacity, 10))}Mi`,
        nodes: `${counted.length}`,
        pods: `${sum((node) => Number(node.pods))}`,
        'vpc.amazonaws.com/pod-eni': `${sum(() => 9)}`,
      },
    })
  }
  return { booted: new Set(upstreamNodes.map(instanceIdOf)) }
}

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
