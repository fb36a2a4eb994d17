import { coreVocabulary, type NodePool, type Pod, type PodSpec, parseResources } from '@kerf/apis'
import type { InstanceType, Offering, RequirementSpec } from '../instance-type.ts'
import type { Plan } from '../plan.ts'
import type { ClusterSnapshot, NodeState } from '../snapshot.ts'
import { schedule } from './schedule.ts'

const ZONE = 'topology.kubernetes.io/zone'
const HOST = 'kubernetes.io/hostname'
const TYPES = 60
const NODES = 12
const PODS = 240
const ROUNDS = 16

const isIn = (key: string, ...values: readonly string[]): RequirementSpec => ({ key, operator: 'In', values })

const ZONES = ['a', 'b', 'c']
const CAPACITY_TYPES = ['on-demand', 'spot']

const instanceType = (index: number): InstanceType => {
  const cpu = 2 * (1 + (index % 12))
  const memory = cpu * (index % 3 === 0 ? 8 : 4)
  const offering = (zone: string, capacityType: string): Offering => ({
    requirements: [isIn('karpenter.sh/capacity-type', capacityType), isIn(ZONE, zone)],
    price: (cpu + memory / 8 + index / 100) * (capacityType === 'spot' ? 0.4 : 1),
    available: true,
  })
  return {
    name: `t-${index}`,
    requirements: [
      isIn('node.kubernetes.io/instance-type', `t-${index}`),
      isIn('kubernetes.io/arch', 'amd64'),
      isIn('kubernetes.io/os', 'linux'),
      isIn('karpenter.sh/capacity-type', ...CAPACITY_TYPES),
      isIn(ZONE, ...ZONES),
    ],
    offerings: ZONES.flatMap((zone) => CAPACITY_TYPES.map((capacityType) => offering(zone, capacityType))),
    capacity: parseResources({ cpu: `${cpu}`, memory: `${memory}Gi`, pods: '110' }),
    overhead: { kubeReserved: parseResources({ cpu: '100m' }) },
  }
}

const node = (index: number): NodeState => ({
  name: `n-${index}`,
  hostName: `n-${index}`,
  nodeName: `n-${index}`,
  labels: { [HOST]: `n-${index}`, [ZONE]: ZONES[index % ZONES.length] ?? '', 'kubernetes.io/os': 'linux' },
  taints: [],
  capacity: parseResources({ cpu: '4', memory: '8Gi', pods: '110' }),
  allocatable: parseResources({ cpu: '2', memory: '4Gi', pods: '20' }),
  initialized: true,
  managed: true,
  hasNode: true,
  nodePool: 'warm-up',
  markedForDeletion: false,
  pods: [],
})

const pool: NodePool = {
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'warm-up' },
  spec: {
    limits: { cpu: '100000' },
    template: { spec: { nodeClassRef: { group: 'g', kind: 'K', name: 'n' }, requirements: [], expireAfter: 'Never' } },
    disruption: { consolidateAfter: '0s', consolidationPolicy: 'WhenEmpty', budgets: [] },
  },
}

const looking = (key: string, app: string) => ({ topologyKey: key, labelSelector: { matchLabels: { app } } })

/** Pod specs that together run each separate code path of the engine. */
const demands = (app: string): readonly Partial<PodSpec>[] => [
  {},
  { nodeSelector: { [ZONE]: 'b' } },
  { topologySpreadConstraints: [{ maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule', ...looking(ZONE, app) }] },
  { topologySpreadConstraints: [{ maxSkew: 2, whenUnsatisfiable: 'DoNotSchedule', ...looking(HOST, app) }] },
  { affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [looking(ZONE, app)] } } },
  { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [looking(HOST, app)] } } },
  {
    affinity: {
      podAntiAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: looking(ZONE, app) }],
      },
    },
  },
]

const pod = (index: number): Pod => {
  const kind = index % 7
  const app = `app-${kind}-${index % 3}`
  const requests = { cpu: `${100 * (1 + (index % 5))}m`, memory: `${128 * (1 + (index % 4))}Mi` }
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `p-${index}`, namespace: 'default', uid: `${(index * 7919) % 1000}-${index}`, labels: { app } },
    spec: { containers: [{ name: 'c', resources: { requests } }], ...demands(app)[kind] },
  }
}

/** Each decision gets new objects. The engine caches data per object, so reused objects would skip the code that reads them. */
const decide = (planBudget: number): Plan => {
  const snapshot: ClusterSnapshot = {
    pools: [{ nodePool: pool, instanceTypes: Array.from({ length: TYPES }, (_, index) => instanceType(index)) }],
    nodes: Array.from({ length: NODES }, (_, index) => node(index)),
    daemonPods: [],
    namespaces: [],
    persistentVolumeClaims: [],
    persistentVolumes: [],
    storageClasses: [],
    csiNodes: [],
  }
  const pods = Array.from({ length: PODS }, (_, index) => pod(index))
  return schedule(snapshot, pods, { vocabulary: coreVocabulary, planBudget })
}

/**
 * Makes decisions about a small made-up cluster until V8 has compiled the code of the engine. Without warm-up, the first decision of a
 * process takes five to ten times as long as the tenth. A controller calls this before it becomes leader; it takes about 0.2 s. Returns the
 * last plan.
 */
export const warmUp = (rounds = ROUNDS): Plan => {
  for (let round = 1; round < rounds; round++) decide(round % 4 === 0 ? 500 : 0)
  return decide(0)
}
