import { formatTime, groupVersion, karpenterKinds, kinds, labels, type NodePool } from '@kerf/apis'
import { clusterApiNodeClassKind } from '@kerf/provider-cluster-api/node-class'
import {
  clusterApiAnnotations,
  clusterObject,
  installClusterApi,
  MachineSetSimulator,
  NAMESPACE,
  readMachine,
  sizedDeployment,
} from '@kerf/provider-cluster-api/testing'
import { type KubeClient, mapLimit, type SeededRandom, silentLogger, type VirtualClock } from '@kerf/runtime'
import { nodePool } from '@kerf/testing'

export const CLUSTER = 'bed'
const POOL = 'default'
const CLASS_REF = { group: 'karpenter.cluster.x-k8s.io', kind: 'ClusterAPINodeClass', name: 'default' } as const
const SIZE = { type: 'small', zone: 'zone-a', capacityType: 'on-demand' } as const
const DEPLOYMENT = 'workers'
const AT_ONCE = 20
/** The maximum number of checks until a new MachineDeployment has Machines with Nodes. */
const LOOKS = 12
const BETWEEN_LOOKS = 2_000

interface Clusters {
  readonly clock: VirtualClock
  readonly random: SeededRandom
  /** Clients with administrator permissions. */
  readonly management: KubeClient
  readonly workload: KubeClient
}

/** Returns a NodePool that never consolidates, so that the cluster is idle. */
const restingPool = (): NodePool => ({
  ...nodePool(POOL, { disruption: { consolidationPolicy: 'WhenEmpty', consolidateAfter: 'Never' } }),
  spec: {
    template: { spec: { nodeClassRef: CLASS_REF, requirements: [], expireAfter: 'Never' } },
    disruption: { consolidationPolicy: 'WhenEmpty', consolidateAfter: 'Never' },
  },
})

/**
 * Creates two settled clusters with this many nodes. The simulated controllers of Cluster API create the Machines, and each has the
 * NodeClaim that Kerf creates.
 */
export const settledNodes = async (clusters: Clusters, count: number): Promise<void> => {
  const { clock, random, management, workload } = clusters
  await installClusterApi(management, 'v1beta2')
  const simulator = new MachineSetSimulator({ clock, random, management, workload, log: silentLogger })
  await management.create(simulator.kinds.Cluster, clusterObject(simulator.kinds, CLUSTER))
  const annotations = {
    [clusterApiAnnotations.replicasWanted]: String(count),
    [clusterApiAnnotations.replicasOfOthers]: '0',
  }
  const { type, zone, capacityType } = SIZE
  await simulator.addDeployment(DEPLOYMENT, sizedDeployment(type, zone, capacityType, { replicas: count, annotations }))
  for (let look = 0; look < LOOKS; look++) {
    await simulator.look()
    await clock.advance(BETWEEN_LOOKS)
  }
  const kind = clusterApiNodeClassKind
  await workload.create(kind, {
    apiVersion: groupVersion(kind),
    kind: kind.kind,
    metadata: { name: CLASS_REF.name },
    spec: {},
  })
  await workload.create(karpenterKinds.NodePool, restingPool())
  const machines = (await management.list(simulator.kinds.Machine)).items.map((object) => readMachine(object))
  const forever = new AbortController().signal
  await mapLimit(
    machines,
    AT_ONCE,
    async (machine) => {
      const claim = `${POOL}-${machine.name}`
      const uid = await createClaim(clusters, claim, machine)
      const { namespace, name } = machine
      await management.patch(
        simulator.kinds.Machine,
        { namespace, name },
        {
          type: 'merge',
          body: {
            metadata: {
              labels: { 'node.cluster.x-k8s.io/karpenter-member': '' },
              annotations: {
                [clusterApiAnnotations.nodeClaimUid]: uid,
                [clusterApiAnnotations.nodeClaim]: claim,
                [clusterApiAnnotations.nodePool]: POOL,
              },
            },
          },
        },
      )
    },
    forever,
  )
}

/** Creates the NodeClaim of a Machine, and its Node as Kerf leaves it. Returns the uid of the claim. */
const createClaim = async (
  { clock, workload }: Clusters,
  name: string,
  machine: ReturnType<typeof readMachine>,
): Promise<string> => {
  const at = formatTime(clock.now())
  const own = {
    [labels.nodePool]: POOL,
    [labels.capacityType]: SIZE.capacityType,
    [labels.instanceType]: SIZE.type,
    [labels.zone]: SIZE.zone,
    [labels.arch]: 'amd64',
    [labels.os]: 'linux',
  }
  const kind = karpenterKinds.NodeClaim
  const { metadata } = await workload.create(kind, {
    apiVersion: groupVersion(kind),
    kind: kind.kind,
    metadata: {
      name,
      labels: own,
      finalizers: ['karpenter.sh/termination'],
      annotations: {
        [clusterApiAnnotations.machine]: `${NAMESPACE}/${machine.name}`,
        [clusterApiAnnotations.machineDeployment]: `${NAMESPACE}/${DEPLOYMENT}`,
      },
    },
    spec: { nodeClassRef: CLASS_REF, expireAfter: 'Never', requirements: [] },
  })
  const node = await workload.get(kinds.Node, { name: machine.name })
  const { capacity, allocatable } = node.status ?? {}
  const conditions = ['Launched', 'Registered', 'Initialized', 'Ready'].map((type) => ({
    ...{ type, status: 'True', reason: type, message: '', lastTransitionTime: at, observedGeneration: 1 },
  }))
  const status = { capacity, allocatable, nodeName: machine.name, providerID: machine.providerId, conditions }
  await workload.patch(kind, { name }, { type: 'merge', body: { status } }, { subresource: 'status' })
  const registered = { ...own, 'karpenter.sh/registered': 'true', 'karpenter.sh/initialized': 'true' }
  await workload.patch(
    kinds.Node,
    { name: machine.name },
    {
      type: 'merge',
      body: { metadata: { labels: registered, finalizers: ['karpenter.sh/termination'] }, spec: { taints: null } },
    },
  )
  return metadata.uid ?? ''
}
