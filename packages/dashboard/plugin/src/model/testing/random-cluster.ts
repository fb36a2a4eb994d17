import { nodePoolHash, setOwnValue } from '@kerf/apis'
import type { ClusterObjects } from '../cluster-snapshot.ts'
import { condition, nodeLabels, pod, pool, priceLabel, resources, unscheduled } from './cluster-objects.ts'

/** The current time in the tests, in milliseconds. */
export const LOOKED_AT = Date.parse('2026-01-01T12:00:00Z')

/** Returns a source of numbers from 0 to 1 that depends only on the seed. */
export const randomFrom = (seed: number): (() => number) => {
  let state = (seed + 1) * 0x9e3779b9
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export const poolKinds = ['open', 'tainted', 'other-team', 'limited', 'not-ready', 'static', 'deleting'] as const
export type PoolKind = (typeof poolKinds)[number]
const nodeStates = ['created', 'launched', 'registered', 'ready', 'not-ready', 'drifted', 'draining'] as const

/** The plan for a NodePool of the cluster. */
export interface PlannedPool {
  readonly name: string
  readonly kind: PoolKind
  /** Budgets that always apply: a number of nodes or a percentage, for all reasons or for one. */
  readonly budgets: readonly { readonly nodes: string; readonly reasons?: readonly string[] }[]
}

/** The plan for a NodeClaim and its Node. */
export interface PlannedNode {
  readonly name: string
  readonly pool: string
  readonly zone: string
  readonly capacityType: string
  /** In US dollars per hour. Absent if no label has it. */
  readonly price: number | undefined
  readonly state: (typeof nodeStates)[number]
  /** The requests of its pods, in thousandths of a CPU. Together they leave no space for another pod. */
  readonly requests: readonly number[]
}

/** The plan for a pending pod. */
export interface PlannedPod {
  readonly name: string
  readonly kind: 'small' | 'huge' | 'gated'
}

/** A cluster, and the plan from which it was made. Tests compute the expected numbers from the plan and not from the objects. */
export interface RandomCluster {
  readonly pools: readonly PlannedPool[]
  readonly plannedNodes: readonly PlannedNode[]
  readonly pending: readonly PlannedPod[]
  readonly objects: ClusterObjects
}

/** The allocatable CPU of a node, in thousandths. */
export const NODE_CPU = 1900

export const hasLaunched = ({ state }: PlannedNode): boolean => state !== 'created'
export const hasJoined = ({ state }: PlannedNode): boolean => !['created', 'launched'].includes(state)
export const isInitialized = (plan: PlannedNode): boolean => hasJoined(plan) && plan.state !== 'registered'

const LEAVING = { deletionTimestamp: '2026-01-01T11:59:00Z' }

const poolObject = ({ name, kind, budgets }: PlannedPool, used: number): object => {
  const made = pool({}, name)
  const isReady = kind !== 'not-ready'
  return {
    ...made,
    metadata: { ...made.metadata, ...(kind === 'deleting' ? LEAVING : {}) },
    spec: {
      ...made.spec,
      ...(kind === 'static' ? { replicas: 1 } : {}),
      ...(kind === 'limited' ? { limits: { cpu: String(used) } } : {}),
      disruption: { budgets },
      template: {
        metadata: { labels: { team: kind === 'other-team' ? 'b' : 'a' } },
        spec: {
          ...made.spec.template.spec,
          ...(kind === 'tainted' ? { taints: [{ key: 'gpu', value: 'true', effect: 'NoSchedule' }] } : {}),
        },
      },
    },
    status: {
      conditions: [
        {
          ...condition('NodeClassReady', isReady ? 'True' : 'False'),
          message: isReady ? '' : `class of ${name} is gone`,
        },
        condition('Ready', isReady ? 'True' : 'False'),
      ],
      resources: { cpu: String(used) },
    },
  }
}

const labelsFor = ({ name, pool: nodePool, zone, capacityType, price }: PlannedNode): object => {
  const labels: Record<string, string> = {
    ...nodeLabels(name, zone),
    'karpenter.sh/nodepool': nodePool,
    'karpenter.sh/capacity-type': capacityType,
  }
  if (price === undefined) delete labels[priceLabel]
  else setOwnValue(labels, priceLabel, String(price))
  return labels
}

const claimObject = (plan: PlannedNode, stored: unknown): object => {
  const { name, pool: nodePool, state } = plan
  const conditions = [
    ...(hasLaunched(plan) ? [condition('Launched')] : []),
    ...(hasJoined(plan) ? [condition('Registered')] : []),
    ...(isInitialized(plan) ? [condition('Initialized')] : []),
    ...(state === 'drifted' ? [{ ...condition('Drifted'), reason: 'NodeClassDrifted' }] : []),
  ]
  return {
    metadata: {
      name: `claim-${name}`,
      uid: `claim-${name}`,
      labels: labelsFor(plan),
      annotations: {
        'karpenter.sh/nodepool-hash': nodePoolHash(stored as never),
        'karpenter.sh/nodepool-hash-version': 'v3',
      },
      ...(state === 'draining' ? LEAVING : {}),
      ownerReferences: [{ kind: 'NodePool', name: nodePool, uid: `pool-${nodePool}` }],
    },
    spec: {
      nodeClassRef: { group: 'g', kind: 'K', name: 'default' },
      requirements: [],
      // A node that has not joined yet has no pods. The taint prevents it from getting pending pods.
      ...(hasJoined(plan) ? {} : { taints: [{ key: 'not-joined', effect: 'NoSchedule' }] }),
    },
    status: {
      ...(hasLaunched(plan) ? { providerID: `x:///${name}`, ...resources } : {}),
      ...(hasJoined(plan) ? { nodeName: name } : {}),
      conditions,
    },
  }
}

const nodeObject = (plan: PlannedNode): object => {
  const { 'karpenter.sh/initialized': initialized, ...labels } = labelsFor(plan) as Record<string, string>
  return {
    metadata: {
      name: plan.name,
      uid: `node-${plan.name}`,
      labels: isInitialized(plan) ? { ...labels, 'karpenter.sh/initialized': initialized } : labels,
      ownerReferences: [{ kind: 'NodeClaim', name: `claim-${plan.name}`, uid: `claim-${plan.name}` }],
    },
    spec: { providerID: `x:///${plan.name}` },
    status: { ...resources, conditions: [condition('Ready', plan.state === 'not-ready' ? 'False' : 'True')] },
  }
}

const cpu = (amount: number) => [
  { name: 'main', image: 'x', resources: { requests: { cpu: `${amount}m`, memory: '1Gi' } } },
]

const pendingObject = ({ name, kind }: PlannedPod): object => {
  const isGated = kind === 'gated'
  const spec = {
    containers: cpu(kind === 'huge' ? 50_000 : 500),
    nodeSelector: { team: 'a' },
    ...(isGated ? { schedulingGates: [{ name: 'x' }] } : {}),
  }
  return pod(name, spec, isGated ? { phase: 'Pending' } : unscheduled)
}

/**
 * Returns a cluster in which each pool has at most one reason to refuse a pod, and in which no node has space for
 * another pod.
 */
export const randomCluster = (seed: number): RandomCluster => {
  const random = randomFrom(seed)
  const below = (count: number): number => Math.floor(random() * count)
  const pick = <T>(all: readonly T[]): T => all[below(all.length)] as T
  const pools = Array.from({ length: 1 + below(5) }, (_, place): PlannedPool => {
    const budgets = Array.from({ length: 1 + below(3) }, () => ({
      nodes: random() < 0.5 ? String(below(4)) : `${below(11) * 10}%`,
      ...(random() < 0.3 ? { reasons: [pick(['Drifted', 'Empty', 'Underutilized'])] } : {}),
    }))
    return { name: `pool-${place}`, kind: pick(poolKinds), budgets }
  })
  const plannedNodes = Array.from({ length: below(25) }, (_, place): PlannedNode => {
    const first = 100 * (1 + below(8))
    const state = pick(nodeStates)
    const isUsed = !['created', 'launched'].includes(state)
    return {
      ...{ name: `m${place}`, pool: pick(pools).name, zone: pick(['z1', 'z2']), state },
      capacityType: pick(['spot', 'on-demand']),
      price: random() < 0.1 ? undefined : (1 + below(40)) / 40,
      requests: isUsed ? [first, NODE_CPU - first] : [],
    }
  })
  const pending = Array.from(
    { length: below(6) },
    (_, place): PlannedPod => ({ name: `p${place}`, kind: pick(['small', 'small', 'huge', 'gated']) }),
  )
  // A node that is being deleted no longer counts against the limit.
  const usedBy = (name: string): number =>
    plannedNodes.filter((each) => each.pool === name && hasLaunched(each) && each.state !== 'draining').length * 2
  const stored = new Map(pools.map((each) => [each.name, poolObject(each, usedBy(each.name))]))
  const bound = plannedNodes.flatMap(({ name, requests }) =>
    requests.map((amount, place) => pod(`${name}-${place}`, { nodeName: name, containers: cpu(amount) })),
  )
  return {
    pools,
    plannedNodes,
    pending,
    objects: {
      ...{ daemonSets: [], namespaces: [], persistentVolumeClaims: [], persistentVolumes: [], storageClasses: [] },
      pools: [...stored.values()],
      claims: plannedNodes.map((each) => claimObject(each, stored.get(each.pool))),
      nodes: plannedNodes.filter(hasJoined).map(nodeObject),
      pods: [...bound, ...pending.map(pendingObject)],
    },
  }
}
