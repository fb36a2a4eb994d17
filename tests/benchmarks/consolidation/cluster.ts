import {
  type Condition,
  formatResources,
  groupVersion,
  karpenterKinds,
  kinds,
  labels,
  type Node,
  type NodeClaim,
  type NodePool,
  type Pod,
  type Quantity,
  type UsdPerHour,
} from '@kerf/apis'
import { type InstanceType, nodePrice, type Resources } from '@kerf/engine'
import { SeededRandom } from '@kerf/runtime'

const CREATED = '2026-01-01T00:00:00Z'
const TEAM = 'bench.kerf.dev/team'
const PODS_PER_NODE = 30
const POOLS = 20
/**
 * The number of NodePools that are each for one team. They are the last pools of the list. They are tainted, and only their team's pods
 * select them.
 */
const TEAM_POOLS = 6
/** The number of pods per node that have anti-affinity to similar pods: one in ten. */
const APART_PER_NODE = PODS_PER_NODE / 10
const ZONES = ['test-zone-a', 'test-zone-b', 'test-zone-c', 'test-zone-d'] as const
const nodeClassRef = { group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name: 'default' } as const

export interface BenchCluster {
  readonly pools: readonly NodePool[]
  readonly nodes: readonly Node[]
  readonly claims: readonly NodeClaim[]
  readonly pods: readonly Pod[]
}

/** The NodePool, the zone and the utilization of a node. */
interface Place {
  readonly pool: number
  readonly zone: string
  readonly capacityType: 'spot' | 'on-demand'
  readonly used: number
}

const condition = (type: string): Condition => ({
  type,
  status: 'True',
  reason: type,
  message: '',
  lastTransitionTime: CREATED,
  observedGeneration: 1,
})

const poolName = (pool: number): string => `pool-${String(pool).padStart(2, '0')}`
const poolTeam = (pool: number): string | undefined => (pool >= POOLS - TEAM_POOLS ? `team-${pool}` : undefined)
/** Returns whether the NodePool may launch spot capacity. Four of ten pools may, and all nodes of these four are spot. */
const isSpotPool = (pool: number): boolean => pool % 5 < 2

const poolObject = (pool: number): NodePool => {
  const team = poolTeam(pool)
  return {
    apiVersion: groupVersion(karpenterKinds.NodePool),
    kind: 'NodePool',
    metadata: { name: poolName(pool), uid: `uid-${poolName(pool)}`, generation: 1, creationTimestamp: CREATED },
    spec: {
      disruption: { consolidateAfter: '0s', budgets: [{ nodes: '10%' }] },
      template: {
        metadata: { labels: team === undefined ? {} : { [TEAM]: team } },
        spec: {
          nodeClassRef,
          expireAfter: 'Never',
          ...(team === undefined ? {} : { taints: [{ key: TEAM, value: team, effect: 'NoSchedule' as const }] }),
          requirements: [
            { key: labels.os, operator: 'In', values: ['linux'] },
            { key: labels.arch, operator: 'In', values: ['amd64'] },
            {
              key: labels.capacityType,
              operator: 'In',
              values: isSpotPool(pool) ? ['spot', 'on-demand'] : ['on-demand'],
            },
          ],
        },
      },
    },
    status: { conditions: [condition('ValidationSucceeded'), condition('NodeClassReady'), condition('Ready')] },
  }
}

/** Returns the allocatable capacity of a node. */
const freeCapacity = ({ capacity, overhead }: InstanceType): Resources =>
  Object.fromEntries(
    Object.entries(capacity).map(([name, amount]) => [
      name,
      (amount - (overhead.kubeReserved?.[name] ?? 0n)) as Quantity,
    ]),
  )

/** Returns the objects of a running node that Kerf has launched. Also used for replacements. */
export const nodeObjects = (node: {
  readonly name: string
  readonly pool: NodePool
  readonly type: InstanceType
  readonly zone: string
  readonly capacityType: string
}): { readonly node: Node; readonly claim: NodeClaim } => {
  const { name, pool, type, zone, capacityType } = node
  const providerID = `bench://${name}`
  const { taints, requirements } = pool.spec.template.spec
  const carried = {
    ...pool.spec.template.metadata?.labels,
    [labels.nodePool]: pool.metadata.name,
    [labels.instanceType]: type.name,
    [labels.zone]: zone,
    [labels.capacityType]: capacityType,
    [labels.os]: 'linux',
    [labels.arch]: 'amd64',
    [labels.hostname]: name,
    [labels.registered]: 'true',
    [labels.initialized]: 'true',
  }
  const capacity = formatResources(type.capacity)
  const allocatable = formatResources(freeCapacity(type))
  return {
    node: {
      apiVersion: 'v1',
      kind: kinds.Node.kind,
      metadata: { name, uid: `uid-${name}`, creationTimestamp: CREATED, labels: carried },
      spec: { providerID, ...(taints === undefined ? {} : { taints }) },
      status: { capacity, allocatable, conditions: [{ type: 'Ready', status: 'True' }] },
    },
    claim: {
      apiVersion: groupVersion(karpenterKinds.NodeClaim),
      kind: karpenterKinds.NodeClaim.kind,
      metadata: { name: `claim-${name}`, uid: `uid-claim-${name}`, creationTimestamp: CREATED, labels: carried },
      spec: { nodeClassRef, requirements: requirements ?? [], ...(taints === undefined ? {} : { taints }) },
      status: {
        providerID,
        nodeName: name,
        capacity,
        allocatable,
        conditions: ['Launched', 'Registered', 'Initialized', 'Consolidatable', 'Ready'].map(condition),
      },
    },
  }
}

interface Workload {
  readonly app: string
  readonly cpu: number
  readonly memory: number
  readonly isApart: boolean
}

const podObject = (index: number, node: string, team: string | undefined, workload: Workload): Pod => {
  const { app, cpu, memory, isApart } = workload
  const podLabels = { app, ...(team === undefined ? {} : { team }) }
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `pod-${index}`,
      namespace: 'default',
      uid: `uid-pod-${index}`,
      creationTimestamp: CREATED,
      labels: podLabels,
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: app, uid: app, controller: true }],
    },
    spec: {
      nodeName: node,
      containers: [{ name: 'app', image: 'app', resources: { requests: { cpu: `${cpu}m`, memory: `${memory}Mi` } } }],
      ...(team === undefined
        ? {}
        : { nodeSelector: { [TEAM]: team }, tolerations: [{ key: TEAM, operator: 'Equal', value: team }] }),
      ...(isApart
        ? {
            affinity: {
              podAntiAffinity: {
                requiredDuringSchedulingIgnoredDuringExecution: [
                  { topologyKey: labels.hostname, labelSelector: { matchLabels: podLabels } },
                ],
              },
            },
          }
        : {}),
    },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
  }
}

/**
 * Returns a cluster whose load has gone down: 20 NodePools, 30 pods on every node, a tenth of them with anti-affinity to similar pods, and
 * nodes that are between a third and nearly full. The same count and seed give the same cluster.
 */
export const benchCluster = (count: number, types: readonly InstanceType[], seed: number): BenchCluster => {
  const random = new SeededRandom(seed)
  const between = (low: number, high: number): number => low + Math.floor(random.next() * (high - low + 1))
  const pick = <T>(from: readonly [T, ...T[]] | readonly T[]): T | undefined => from[between(0, from.length - 1)]
  const workloads = Array.from({ length: Math.max(40, count / 5) }, (_, index) => ({
    app: `app-${index}`,
    cpu: 50 * between(1, 20),
    memory: 128 * between(1, 24),
    isApart: false,
  }))
  const apart = Array.from({ length: Math.max(12, count / 20) }, (_, index) => ({
    app: `apart-${index}`,
    cpu: 50 * between(2, 12),
    memory: 128 * between(2, 12),
    isApart: true,
  }))
  const pools = Array.from({ length: POOLS }, (_, pool) => poolObject(pool))
  const nodes: Node[] = []
  const claims: NodeClaim[] = []
  const pods: Pod[] = []
  for (let index = 0; index < count; index++) {
    const name = `node-${String(index).padStart(5, '0')}`
    const place: Place = {
      pool: index % POOLS,
      zone: pick(ZONES) ?? '',
      capacityType: isSpotPool(index % POOLS) ? 'spot' : 'on-demand',
      used: 0.35 + 0.6 * random.next(),
    }
    const pool = pools[place.pool]
    const team = poolTeam(place.pool)
    const mine: Workload[] = Array.from({ length: PODS_PER_NODE - APART_PER_NODE }, () => pick(workloads)).filter(
      (workload) => workload !== undefined,
    )
    // Take adjacent entries of the list, so that the pods of a node all differ.
    const first = between(0, apart.length - 1)
    for (let each = 0; each < APART_PER_NODE; each++)
      mine.push(...apart.slice((first + each) % apart.length).slice(0, 1))
    const type = cheapestFor(types, mine, place)
    if (pool === undefined || type === undefined) throw new Error(`nothing is large enough for ${name}`)
    const made = nodeObjects({ name, pool, type, zone: place.zone, capacityType: place.capacityType })
    nodes.push(made.node)
    claims.push(made.claim)
    for (const workload of mine) pods.push(podObject(pods.length, name, team, workload))
  }
  return { pools, nodes, claims, pods }
}

/** Returns the cheapest instance type on which the pods use at most the fraction `used` of the capacity. */
const cheapestFor = (
  types: readonly InstanceType[],
  pods: readonly Workload[],
  { used, zone, capacityType }: Place,
): InstanceType | undefined => {
  const cpu = pods.reduce((sum, pod) => sum + pod.cpu, 0) / used
  const memory = pods.reduce((sum, pod) => sum + pod.memory, 0) / used
  let best: { readonly type: InstanceType; readonly price: UsdPerHour } | undefined
  for (const type of types) {
    const price = nodePrice(type, { [labels.zone]: zone, [labels.capacityType]: capacityType }) ?? 0
    const room = freeCapacity(type)
    const has = (resource: string): number => Number(room[resource] ?? 0n) / 1e9
    if (1_000 * has('cpu') < cpu || has('memory') / 2 ** 20 < memory || has('pods') < pods.length) continue
    if (best === undefined || price < best.price) best = { type, price }
  }
  return best?.type
}
