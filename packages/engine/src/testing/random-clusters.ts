import type { Affinity, NodePool, Pod, PodAffinityTerm, Taint, TopologySpreadConstraint } from '@kerf/apis'
import { parseQuantity } from '@kerf/apis'
import { nodePool, pod } from '@kerf/testing'
import fc from 'fast-check'
import type { InstanceType, Offering } from '../instance-type.ts'
import type { ClusterSnapshot, NodeState } from '../snapshot.ts'

/**
 * This file generates small random clusters with difficult cases: missing offerings, overlapping selectors, and many pods that cannot be
 * placed.
 */

const ZONES = ['a', 'b', 'c'] as const
const ZONE = 'topology.kubernetes.io/zone'
const HOST = 'kubernetes.io/hostname'
const CAPACITY_TYPE = 'karpenter.sh/capacity-type'

const isIn = (key: string, ...values: readonly string[]) => ({ key, operator: 'In' as const, values })

export const makeInstanceType = (
  name: string,
  cpu: string,
  memory: string,
  offerings: readonly { readonly zone: string; readonly capacityType: string; readonly price: number }[],
  pods = '20',
): InstanceType => ({
  name,
  requirements: [
    isIn('node.kubernetes.io/instance-type', name),
    isIn('kubernetes.io/arch', 'amd64'),
    isIn('kubernetes.io/os', 'linux'),
    isIn(ZONE, ...ZONES),
    isIn(CAPACITY_TYPE, 'on-demand', 'spot'),
  ],
  offerings: offerings.map(
    ({ zone, capacityType, price }): Offering => ({
      requirements: [isIn(CAPACITY_TYPE, capacityType), isIn(ZONE, zone)],
      price,
      available: true,
    }),
  ),
  capacity: { cpu: parseQuantity(cpu), memory: parseQuantity(memory), pods: parseQuantity(pods) },
  overhead: { kubeReserved: { cpu: parseQuantity('100m'), memory: parseQuantity('10Mi') } },
})

const offering = fc.record({
  zone: fc.constantFrom(...ZONES),
  capacityType: fc.constantFrom('on-demand', 'spot'),
  price: fc.integer({ min: 1, max: 40 }).map((price) => price / 10),
})

const catalogue = fc
  .array(
    fc.record({
      cpu: fc.constantFrom('1', '2', '4', '8'),
      memory: fc.constantFrom('1Gi', '2Gi', '4Gi', '16Gi'),
      pods: fc.constantFrom('3', '20'),
      offerings: fc.uniqueArray(offering, {
        minLength: 1,
        maxLength: 4,
        selector: ({ zone, capacityType }) => zone + capacityType,
      }),
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map((types) =>
    types.map(({ cpu, memory, pods, offerings }, i) => makeInstanceType(`t${i}`, cpu, memory, offerings, pods)),
  )

const taint = fc.constantFrom<Taint>(
  { key: 'team', value: 'x', effect: 'NoSchedule' },
  { key: 'soft', value: 'y', effect: 'PreferNoSchedule' },
)

const pool = fc.record({
  zones: fc.option(fc.uniqueArray(fc.constantFrom(...ZONES), { minLength: 1 }), { nil: undefined }),
  spotOnly: fc.boolean(),
  label: fc.option(fc.constantFrom('u', 'v'), { nil: undefined }),
  weight: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
  taints: fc.oneof(
    { weight: 3, arbitrary: fc.constant<Taint[]>([]) },
    { weight: 1, arbitrary: fc.array(taint, { maxLength: 1 }) },
  ),
  limits: fc.oneof(
    { weight: 3, arbitrary: fc.constant(undefined) },
    {
      weight: 1,
      arbitrary: fc.constantFrom<Record<string, string>>({ cpu: '6' }, { nodes: '2' }, { cpu: '20', memory: '8Gi' }),
    },
  ),
})

export const makeNodePool = (
  name: string,
  options: {
    readonly zones?: readonly string[] | undefined
    readonly spotOnly?: boolean
    readonly label?: string | undefined
    readonly weight?: number | undefined
    readonly taints?: readonly Taint[]
    readonly limits?: Readonly<Record<string, string>> | undefined
  } = {},
): NodePool =>
  nodePool(name, {
    weight: options.weight,
    limits: options.limits,
    requirements: [
      ...(options.zones === undefined ? [] : [isIn(ZONE, ...options.zones)]),
      ...(options.spotOnly === true ? [isIn(CAPACITY_TYPE, 'spot')] : []),
    ],
    templateMetadata: { labels: options.label === undefined ? {} : { 'example.com/tier': options.label } },
    templateSpec: {
      taints: (options.taints ?? []).map(({ key, value, effect }) => ({
        key,
        effect,
        ...(value === undefined ? {} : { value }),
      })),
      expireAfter: '720h',
    },
  })

const appName = fc.constantFrom('one', 'two', 'three')
const topologyKey = fc.constantFrom(ZONE, ZONE, HOST, CAPACITY_TYPE)

const affinityTerm = fc
  .record({ app: appName, topologyKey })
  .map(({ app, topologyKey: key }): PodAffinityTerm => ({ topologyKey: key, labelSelector: { matchLabels: { app } } }))
const weighted = fc.record({ weight: fc.integer({ min: 1, max: 5 }), podAffinityTerm: affinityTerm })
const seldom = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constant<T[]>([]) },
    { weight: 1, arbitrary: fc.array(arbitrary, { minLength: 1, maxLength: 2 }) },
  )

const spread = fc.record({
  app: appName,
  topologyKey,
  maxSkew: fc.integer({ min: 1, max: 2 }),
  whenUnsatisfiable: fc.constantFrom<'DoNotSchedule' | 'ScheduleAnyway'>(
    'DoNotSchedule',
    'DoNotSchedule',
    'ScheduleAnyway',
  ),
  minDomains: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined, freq: 5 }),
  nodeTaintsPolicy: fc.constantFrom<'Honor' | 'Ignore'>('Honor', 'Ignore'),
  nodeAffinityPolicy: fc.constantFrom<'Honor' | 'Ignore'>('Honor', 'Ignore'),
})

const nodeTerm = fc.constantFrom(
  isIn(ZONE, 'a'),
  isIn(ZONE, 'b', 'c'),
  isIn(CAPACITY_TYPE, 'on-demand'),
  isIn('example.com/tier', 'u'),
  { key: 'example.com/tier', operator: 'NotIn' as const, values: ['v'] },
  { key: 'example.com/other', operator: 'DoesNotExist' as const },
)

interface App {
  readonly name: string
  readonly cpu: string
  readonly memory: string
  readonly replicas: number
  readonly zone: string | undefined
  readonly required: readonly (typeof nodeTerm extends fc.Arbitrary<infer T> ? T : never)[]
  readonly preferred: readonly (typeof nodeTerm extends fc.Arbitrary<infer T> ? T : never)[]
  readonly spread: readonly (typeof spread extends fc.Arbitrary<infer T> ? T : never)[]
  readonly affinity: readonly PodAffinityTerm[]
  readonly anti: readonly PodAffinityTerm[]
  readonly softAffinity: readonly { readonly weight: number; readonly podAffinityTerm: PodAffinityTerm }[]
  readonly softAnti: readonly { readonly weight: number; readonly podAffinityTerm: PodAffinityTerm }[]
  readonly tolerates: boolean
}

const app: fc.Arbitrary<App> = fc.record({
  name: appName,
  cpu: fc.constantFrom('100m', '300m', '900m', '1500m', '5'),
  memory: fc.constantFrom('64Mi', '500Mi', '3Gi'),
  replicas: fc.integer({ min: 1, max: 5 }),
  zone: fc.option(fc.constantFrom(...ZONES), { nil: undefined, freq: 4 }),
  required: seldom(nodeTerm),
  preferred: seldom(nodeTerm),
  spread: seldom(spread),
  affinity: seldom(affinityTerm),
  anti: seldom(affinityTerm),
  softAffinity: seldom(weighted),
  softAnti: seldom(weighted),
  tolerates: fc.boolean(),
})

const nodeSelectorTerm = (expression: App['required'][number]) => ({
  matchExpressions: [
    {
      key: expression.key,
      operator: expression.operator,
      ...('values' in expression ? { values: expression.values } : {}),
    },
  ],
})

const appPod = (each: App, number: number, replica: number): Pod => {
  const affinity: Affinity = {
    nodeAffinity: {
      ...(each.required.length > 0
        ? { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: each.required.map(nodeSelectorTerm) } }
        : {}),
      preferredDuringSchedulingIgnoredDuringExecution: each.preferred.map((expression, i) => ({
        weight: i + 1,
        preference: nodeSelectorTerm(expression),
      })),
    },
    podAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: each.affinity,
      preferredDuringSchedulingIgnoredDuringExecution: each.softAffinity,
    },
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: each.anti,
      preferredDuringSchedulingIgnoredDuringExecution: each.softAnti,
    },
  }
  const id = `${number}-${replica}`
  return pod(`pod-${id}`, {
    labels: { app: each.name },
    requests: { cpu: each.cpu, memory: each.memory },
    spec: {
      affinity,
      ...(each.zone === undefined ? {} : { nodeSelector: { [ZONE]: each.zone } }),
      topologySpreadConstraints: each.spread.map(
        ({ app: selected, minDomains, ...constraint }): TopologySpreadConstraint => ({
          ...constraint,
          labelSelector: { matchLabels: { app: selected } },
          ...(minDomains === undefined ? {} : { minDomains }),
        }),
      ),
      ...(each.tolerates ? { tolerations: [{ key: 'team', operator: 'Exists' as const }] } : {}),
    },
    metadata: { uid: `uid-${id}` },
  })
}

const appPods = (apps: readonly App[]): readonly Pod[] =>
  apps.flatMap((each, number) => Array.from({ length: each.replicas }, (_, replica) => appPod(each, number, replica)))

const node = fc.record({
  zone: fc.option(fc.constantFrom(...ZONES), { nil: undefined, freq: 5 }),
  capacityType: fc.constantFrom('on-demand', 'spot'),
  cpu: fc.constantFrom('2', '4'),
  initialized: fc.boolean(),
  markedForDeletion: fc.oneof(
    { weight: 5, arbitrary: fc.constant(false) },
    { weight: 1, arbitrary: fc.constant(true) },
  ),
  tainted: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  running: fc.array(app, { maxLength: 2 }),
})

const randomNode = (each: typeof node extends fc.Arbitrary<infer T> ? T : never, number: number): NodeState => {
  const name = `node-${number}`
  const free = { cpu: parseQuantity(each.cpu), memory: parseQuantity('8Gi'), pods: parseQuantity('10') }
  return {
    name,
    hostName: name,
    nodeName: name,
    labels: {
      [HOST]: name,
      [CAPACITY_TYPE]: each.capacityType,
      ...(each.zone === undefined ? {} : { [ZONE]: each.zone }),
    },
    taints: each.tainted ? [{ key: 'team', value: 'x', effect: 'NoSchedule' }] : [],
    capacity: free,
    allocatable: free,
    initialized: each.initialized,
    managed: true,
    hasNode: true,
    nodePool: 'pool-0',
    markedForDeletion: each.markedForDeletion,
    pods: each.running.map((running, i): Pod => {
      const pod = appPod({ ...running, cpu: '100m', memory: '64Mi' }, 100 + number, i)
      return { ...pod, spec: { ...pod.spec, nodeName: name }, status: { phase: 'Running' } }
    }),
  }
}

const daemon: Pod = pod('logs', {
  namespace: 'kube-system',
  requests: { cpu: '100m', memory: '100Mi' },
  spec: { nodeSelector: { [CAPACITY_TYPE]: 'on-demand' } },
})

export interface RandomCluster {
  readonly snapshot: ClusterSnapshot
  readonly pods: readonly Pod[]
}

export const randomCluster: fc.Arbitrary<RandomCluster> = fc
  .record({
    types: catalogue,
    pools: fc.array(pool, { minLength: 1, maxLength: 2 }),
    nodes: fc.array(node, { maxLength: 3 }),
    apps: fc.array(app, { minLength: 1, maxLength: 5 }),
    hasDaemon: fc.boolean(),
  })
  .map(({ types, pools, nodes, apps, hasDaemon }) => ({
    snapshot: {
      pools: pools.map((each, i) => ({ nodePool: makeNodePool(`pool-${i}`, each), instanceTypes: types })),
      nodes: nodes.map(randomNode),
      daemonPods: hasDaemon ? [daemon] : [],
      namespaces: [],
      persistentVolumeClaims: [],
      persistentVolumes: [],
      storageClasses: [],
      csiNodes: [],
    },
    pods: appPods(apps),
  }))
