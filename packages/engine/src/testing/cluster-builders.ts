import type { Container, KubeObject, NodePool, NodeSelectorRequirement, Pod, PodSpec, Taint } from '@kerf/apis'
import { coreVocabulary, parseQuantity } from '@kerf/apis'
import { pod as buildPod } from '@kerf/testing'
import { schedule } from '../decision/schedule.ts'
import type { InstanceType } from '../instance-type.ts'
import type { Plan } from '../plan.ts'
import type { ScheduleOptions } from '../schedule-options.ts'
import type { ClusterSnapshot, NodeState } from '../snapshot.ts'
import { makeInstanceType, makeNodePool } from './random-clusters.ts'

/** This file builds clusters for tests. */

export const ZONE = 'topology.kubernetes.io/zone'
export const HOST = 'kubernetes.io/hostname'
export const CAPACITY_TYPE = 'karpenter.sh/capacity-type'

const ZONES = ['zone-1', 'zone-2', 'zone-3'] as const

/**
 * Returns an instance type with an on-demand offering in every zone, and a spot offering in the first two zones. Prices rise with the
 * number of the zone.
 */
export const instanceType = (
  name: string,
  cpu: number,
  memory: string,
  price = cpu / 10,
  pods = '110',
): InstanceType => {
  const type = makeInstanceType(
    name,
    `${cpu}`,
    memory,
    ZONES.flatMap((zone, i) => [
      { zone, capacityType: 'on-demand', price: price * (1 + i / 100) },
      ...(i < 2 ? [{ zone, capacityType: 'spot', price: price * (0.4 + i / 100) }] : []),
    ]),
    pods,
  )
  const requirements = type.requirements.map((each) => (each.key === ZONE ? { ...each, values: [...ZONES] } : each))
  return { ...type, requirements }
}

const instanceTypes: readonly InstanceType[] = [
  instanceType('m-1', 1, '4Gi'),
  instanceType('m-2', 2, '8Gi'),
  instanceType('m-4', 4, '16Gi'),
  instanceType('m-16', 16, '64Gi'),
]

export interface PoolOptionsInTest {
  readonly requirements?: readonly (NodeSelectorRequirement & { readonly minValues?: number })[]
  readonly weight?: number
  readonly limits?: Readonly<Record<string, string>>
  readonly taints?: readonly Taint[]
  readonly labels?: Readonly<Record<string, string>>
  readonly types?: readonly InstanceType[]
}

export interface PodOptionsInTest {
  readonly cpu?: string
  readonly memory?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly spec?: Partial<PodSpec>
  readonly container?: Partial<Container>
  readonly requests?: Readonly<Record<string, string>>
}

/** Pods of a batch are ordered by UID. Numbers in names are padded, so that `web-10` comes after `web-9`. */
const paddedUid = (name: string): string => `uid-${name.replaceAll(/\d+/g, (digits) => digits.padStart(6, '0'))}`

export const pod = (name: string, preferences: PodOptionsInTest = {}): Pod =>
  buildPod(name, {
    labels: preferences.labels ?? { app: name.replace(/-[0-9]+$/, '') },
    requests: { cpu: preferences.cpu ?? '500m', memory: preferences.memory ?? '256Mi', ...preferences.requests },
    container: preferences.container,
    spec: preferences.spec,
    metadata: { uid: paddedUid(name) },
  })

export const replicas = (count: number, name: string, preferences: PodOptionsInTest = {}): readonly Pod[] =>
  Array.from({ length: count }, (_, i) => pod(`${name}-${i}`, preferences))

export const node = (
  name: string,
  preferences: Partial<NodeState> & { readonly cpu?: string; readonly zone?: string } = {},
): NodeState => {
  const { cpu = '4', zone = 'zone-1', ...rest } = preferences
  const free = { cpu: parseQuantity(cpu), memory: parseQuantity('16Gi'), pods: parseQuantity('110') }
  return {
    name,
    hostName: name,
    nodeName: name,
    labels: {
      [HOST]: name,
      [ZONE]: zone,
      [CAPACITY_TYPE]: 'on-demand',
      'karpenter.sh/nodepool': 'general',
      'kubernetes.io/arch': 'amd64',
      ...rest.labels,
    },
    taints: [],
    capacity: free,
    allocatable: free,
    initialized: true,
    managed: true,
    hasNode: true,
    nodePool: 'general',
    markedForDeletion: false,
    pods: [],
    ...('labels' in rest ? Object.fromEntries(Object.entries(rest).filter(([key]) => key !== 'labels')) : rest),
  }
}

export class Cluster {
  readonly snapshot: ClusterSnapshot
  readonly options: ScheduleOptions

  constructor(snapshot: ClusterSnapshot, options: ScheduleOptions) {
    this.snapshot = snapshot
    this.options = options
  }

  pool(name: string, preferences: PoolOptionsInTest = {}): Cluster {
    const base = makeNodePool(name, {
      weight: preferences.weight,
      limits: preferences.limits,
      taints: preferences.taints ?? [],
    })
    const { template } = base.spec
    const nodePool: NodePool = {
      ...base,
      spec: {
        ...base.spec,
        template: {
          metadata: { labels: { ...preferences.labels } },
          spec: {
            ...template.spec,
            requirements: (preferences.requirements ?? []).map(({ values, ...each }) => ({
              ...each,
              values: [...(values ?? [])],
            })),
          },
        },
      },
    }
    return this.with({
      pools: [...this.snapshot.pools, { nodePool, instanceTypes: preferences.types ?? instanceTypes }],
    })
  }

  with(more: Partial<ClusterSnapshot>): Cluster {
    return new Cluster({ ...this.snapshot, ...more }, this.options)
  }

  set(options: Partial<ScheduleOptions>): Cluster {
    return new Cluster(this.snapshot, { ...this.options, ...options })
  }

  nodes(...nodes: readonly NodeState[]): Cluster {
    return this.with({ nodes: [...this.snapshot.nodes, ...nodes] })
  }

  schedule(...pods: readonly (Pod | readonly Pod[])[]): Outcome {
    return new Outcome(schedule(this.snapshot, pods.flat(), this.options))
  }
}

/** Returns an empty cluster with the improvement pass off, so that plans are those of the first pass. */
export const cluster = (): Cluster =>
  new Cluster(
    {
      pools: [],
      nodes: [],
      daemonPods: [],
      namespaces: [],
      persistentVolumeClaims: [],
      persistentVolumes: [],
      storageClasses: [],
      csiNodes: [],
    },
    { vocabulary: coreVocabulary, planBudget: 0 },
  )

const objectName = ({ metadata }: KubeObject): string => metadata.name

export class Outcome {
  readonly plan: Plan

  constructor(plan: Plan) {
    this.plan = plan
  }

  /** For each new node, the names of its pods. The largest group comes first. */
  get claims(): readonly (readonly string[])[] {
    return this.plan.claims
      .map(({ pods }) => pods.map(objectName).sort())
      .sort((a, b) => b.length - a.length || ((a[0] ?? '') < (b[0] ?? '') ? -1 : 1))
  }

  get sizes(): readonly number[] {
    return this.claims.map(({ length }) => length)
  }

  get failed(): readonly string[] {
    return this.plan.unschedulable.map((each) => objectName(each.pod)).sort()
  }

  get placements(): Readonly<Record<string, readonly string[]>> {
    return Object.fromEntries(this.plan.placements.map((each) => [each.node, each.pods.map(objectName).sort()]))
  }

  /** Returns the number of pods per zone on new nodes, by the cheapest offering of each node. */
  perZone(): Readonly<Record<string, number>> {
    const counts: Record<string, number> = {}
    for (const { cheapest, pods } of this.plan.claims)
      counts[cheapest.zone] = (counts[cheapest.zone] ?? 0) + pods.length
    return counts
  }

  reasonOf(name: string): string {
    return this.plan.unschedulable.find((each) => objectName(each.pod) === name)?.reasons[0]?.code ?? 'placed'
  }
}
