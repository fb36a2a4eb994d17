import {
  formatTime,
  groupVersion,
  type KubeObject,
  karpenterKinds,
  kinds,
  type NodePool,
  type ResourceKind,
} from '@kerf/apis'
import { ec2NodeClassKind } from '@kerf/provider-aws/node-class'
import type { FakeAws } from '@kerf/provider-aws/testing'
import type { Clock, KubeClient } from '@kerf/runtime'
import { overConflicts } from '@kerf/runtime/testing'
import { CLUSTER, profileName, REGION, ROLE, upstreamClasses } from './upstream-classes.ts'
import {
  instanceSizes,
  type UpstreamNode,
  upstreamAmounts,
  upstreamFree,
  upstreamInstanceId,
  upstreamNodeName,
  upstreamNodes,
  upstreamProviderId,
  zones,
} from './upstream-nodes.ts'
import {
  classStamps,
  DRIFTED_BEFORE,
  type HashAge,
  poolStamps,
  upstreamClaim,
  upstreamInstance,
  upstreamNode,
  upstreamPod,
  waitingPod,
} from './upstream-objects.ts'
import { upstreamPools } from './upstream-pools.ts'

const HOUR = 3_600_000

const CLASS_CONDITIONS = [
  'AMIsReady',
  'SubnetsReady',
  'SecurityGroupsReady',
  'InstanceProfileReady',
  'ValidationSucceeded',
  'PlacementGroupReady',
  'CapacityReservationsReady',
]

const truths = (types: readonly string[], lastTransitionTime: string) =>
  [...types, 'Ready'].map((type) => ({
    lastTransitionTime,
    message: '',
    observedGeneration: 1,
    reason: type,
    status: 'True' as const,
    type,
  }))

/** Identifies a loaded state. */
export interface LoadedState {
  /** The ids of the instances that have Nodes. */
  readonly booted: ReadonlySet<string>
}

/**
 * Creates the cluster and the account that upstream Karpenter leaves if it is stopped during its work: one NodeClaim whose instance has
 * just been launched, and one claim whose node is draining. The objects follow `docs/spec/resources.md#nodeclaim`,
 * `docs/spec/resources.md#condition-machinery`, `docs/spec/resources.md#condition-types`, `providers/aws/docs/spec/aws-node-class.md`,
 * `providers/aws/docs/spec/aws.md` and `providers/aws/docs/spec/aws-controllers.md`.
 */
export const loadUpstreamState = async (
  client: KubeClient,
  aws: FakeAws,
  clock: Clock,
  age: HashAge = 'current',
): Promise<LoadedState> => {
  prepareAccount(aws)
  const loader = new UpstreamLoader(client, aws, clock, age)
  await loader.loadClasses()
  const pools = await loader.loadPools()
  for (const node of upstreamNodes) {
    const pool = pools.get(node.pool)
    if (pool === undefined) throw new Error(`there is no pool ${node.pool}`)
    await loader.loadNode(node, pool)
  }
  for (const name of pools.keys()) await loader.countPool(name)
  return { booted: new Set(upstreamNodes.map(upstreamInstanceId)) }
}

class UpstreamLoader {
  readonly #client: KubeClient
  readonly #aws: FakeAws
  readonly #clock: Clock
  readonly #age: HashAge
  readonly #now: string

  constructor(client: KubeClient, aws: FakeAws, clock: Clock, age: HashAge) {
    this.#client = client
    this.#aws = aws
    this.#clock = clock
    this.#age = age
    this.#now = formatTime(clock.now())
  }

  async #status<T extends KubeObject>(kind: ResourceKind<T>, name: string, value: unknown): Promise<T> {
    const patch = { type: 'merge', body: { status: value } } as const
    return await overConflicts(() => this.#client.patch(kind, { name }, patch, { subresource: 'status' }))
  }

  async loadClasses(): Promise<void> {
    for (const [name, { spec, amis }] of Object.entries(upstreamClasses)) {
      const made = await this.#client.create(ec2NodeClassKind, {
        apiVersion: groupVersion(ec2NodeClassKind),
        kind: 'EC2NodeClass',
        metadata: { name, annotations: classStamps(name, this.#age), finalizers: ['karpenter.k8s.aws/termination'] },
        spec,
      })
      const profile = profileName(name)
      const path = `/karpenter/${REGION}/${CLUSTER}/${made.metadata.uid}/`
      this.#aws.iam.profiles.set(profile, { name: profile, path, roles: [ROLE], tags: {} })
      await this.#status(ec2NodeClassKind, name, {
        amis,
        conditions: truths(CLASS_CONDITIONS, this.#now),
        instanceProfile: profile,
        securityGroups: [{ id: 'sg-1', name: 'nodes' }],
        subnets: (['a', 'b', 'c'] as const).map((zone) => ({
          id: `subnet-${zone}`,
          zone: `${REGION}${zone}`,
          zoneID: zones[zone],
        })),
      })
    }
  }

  async loadPools(): Promise<ReadonlyMap<string, NodePool>> {
    const pools = new Map<string, NodePool>()
    for (const [name, { spec }] of Object.entries(upstreamPools)) {
      const made = await this.#client.create(karpenterKinds.NodePool, {
        apiVersion: groupVersion(karpenterKinds.NodePool),
        kind: 'NodePool',
        metadata: { name, annotations: poolStamps(name, this.#age) },
        spec,
      })
      pools.set(name, made)
    }
    return pools
  }

  async loadNode(node: UpstreamNode, pool: NodePool): Promise<void> {
    const claim = await this.#client.create(karpenterKinds.NodeClaim, upstreamClaim(node, pool, this.#age))
    this.#aws.ec2.instances.set(upstreamInstanceId(node), { data: upstreamInstance(node, this.#clock) })
    if (node.stage === 'launching') {
      await this.#client.create(kinds.Pod, waitingPod(node))
      await this.#status(karpenterKinds.NodeClaim, node.claim, { conditions: this.#unknownConditions() })
      return
    }
    await this.#client.create(kinds.Node, upstreamNode(node, claim))
    await this.#status(kinds.Node, upstreamNodeName(node), {
      capacity: upstreamAmounts(node),
      allocatable: upstreamFree(node),
    })
    if (node.pod !== undefined) await this.#client.create(kinds.Pod, upstreamPod(node, node.pod))
    await this.#status(karpenterKinds.NodeClaim, node.claim, {
      allocatable: upstreamFree(node),
      capacity: upstreamAmounts(node),
      conditions: this.#runningConditions(node),
      imageID: node.image,
      ...(node.pod === undefined ? {} : { lastPodEventTime: formatTime(this.#clock.now() - HOUR) }),
      nodeName: upstreamNodeName(node),
      providerID: upstreamProviderId(node),
    })
    if (node.stage === 'deleting') {
      await this.#client.delete(karpenterKinds.NodeClaim, { name: node.claim })
      await this.#client.delete(kinds.Node, { name: upstreamNodeName(node) })
    }
  }

  #unknownConditions() {
    return ['Launched', 'Registered', 'Initialized', 'Ready'].map((type) => ({
      lastTransitionTime: this.#now,
      message: 'object is awaiting reconciliation',
      observedGeneration: 1,
      reason: 'AwaitingReconciliation',
      status: 'Unknown',
      type,
    }))
  }

  #runningConditions({ claim }: UpstreamNode) {
    const isDrifted = this.#age === 'older' && claim === DRIFTED_BEFORE
    const types = [...(isDrifted ? ['Drifted'] : []), 'Launched', 'Registered', 'Initialized', 'ConsistentStateFound']
    return truths(types, this.#now).map((each) =>
      each.type === 'Drifted' ? { ...each, reason: 'NodeClassDrift', message: 'NodeClassDrift' } : each,
    )
  }

  async countPool(name: string): Promise<void> {
    const counted = upstreamNodes.filter(({ pool, stage }) => pool === name && stage === 'running')
    const sum = (of: (node: UpstreamNode) => number): number => counted.reduce((total, node) => total + of(node), 0)
    await this.#status(karpenterKinds.NodePool, name, {
      conditions: truths(['ValidationSucceeded', 'NodeClassReady', 'NodeRegistrationHealthy'], this.#now),
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
}

/** Adds the role, image and parameter that upstream uses, and launch templates of upstream and of another cluster. */
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
