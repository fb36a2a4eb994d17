import type { KubeObject, NodePool } from '@kerf/apis'
import { nodeClassRef, nodePool } from '@kerf/testing'
import { STARTUP_TAINT } from './edited-cluster.ts'

type PoolSpec = Readonly<Record<string, unknown>>
type TemplateSpec = Readonly<Record<string, unknown>>

const is = (key: string, ...values: readonly string[]) => ({ key, operator: 'In', values })
const CAPACITY_TYPE = 'karpenter.sh/capacity-type'
const ZONE = 'topology.kubernetes.io/zone'
const LINUX = is('kubernetes.io/os', 'linux')
const AMD64 = is('kubernetes.io/arch', 'amd64')
const SMALL = { key: 'karpenter.kwok.sh/instance-cpu', operator: 'Lt', values: ['9'] }

/** Empty nodes are deleted, because kube-scheduler may bind a pod to another node than the one that was launched for it. */
const disruption = { consolidationPolicy: 'WhenEmpty', consolidateAfter: '30s' }

const poolWith = (name: string, spec: PoolSpec): NodePool => ({ ...nodePool(name), spec: spec as NodePool['spec'] })

/** Returns a Deployment whose pods each request `cpu`. */
export const deployment = (
  name: string,
  replicas: number,
  cpu: string,
  spec: object = {},
  annotations = {},
): KubeObject =>
  ({
    ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name, namespace: 'default' } },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name }, annotations },
        spec: {
          terminationGracePeriodSeconds: 1,
          containers: [{ name: 'main', image: 'main', resources: { requests: { cpu, memory: '512Mi' } } }],
          ...spec,
        },
      },
    },
  }) as KubeObject

/** Returns a PodDisruptionBudget for the pods of a Deployment. */
export const budget = (name: string, spec: object): KubeObject =>
  ({
    ...{ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name, namespace: 'default' } },
    spec: { selector: { matchLabels: { app: name } }, ...spec },
  }) as KubeObject

const SHOP = { nodeSelector: { team: 'shop' } }

/** The spec of the NodePool `edited` before each edit. */
const editedSpec = {
  weight: 20,
  disruption: { ...disruption, budgets: [{ nodes: '10%' }] },
  template: {
    metadata: { labels: { team: 'shop' } },
    spec: { nodeClassRef, requirements: [LINUX, AMD64, SMALL], expireAfter: '720h' },
  },
} as const

const { template } = editedSpec

/** The NodePool that takes pods which the edited one refuses. */
const otherPool = poolWith('other', {
  weight: 10,
  disruption: { ...disruption, budgets: [{ nodes: '10%' }] },
  template: { spec: { nodeClassRef, requirements: [LINUX, SMALL], expireAfter: '720h' } },
})

/** The objects of the cluster before anything is edited. */
export const cluster: readonly KubeObject[] = [
  otherPool,
  poolWith('edited', editedSpec),
  deployment('web', 6, '500m'),
  deployment('big', 3, '3', SHOP),
  deployment('zoned', 3, '700m', {
    ...SHOP,
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: ZONE,
        whenUnsatisfiable: 'DoNotSchedule',
        labelSelector: { matchLabels: { app: 'zoned' } },
      },
    ],
  }),
  deployment('arm', 2, '1', { nodeSelector: { 'kubernetes.io/arch': 'arm64' } }),
]

/** The changes to the cluster before the edit. */
export interface Situation {
  readonly name: string
  /** The fields of the NodePool that are changed first. */
  readonly before: PoolSpec
  /** The objects that are created after that. */
  readonly objects: readonly KubeObject[]
  /** Fields that every edit changes as well. */
  readonly with: PoolSpec
}

const inTemplate = (change: TemplateSpec): PoolSpec => ({
  template: { ...template, spec: { ...template.spec, ...change } },
})
const requiring = (...requirements: readonly object[]): PoolSpec => inTemplate({ requirements })
const labelled = (labels: object): PoolSpec => ({ template: { ...template, metadata: { labels } } })

export const situations: readonly Situation[] = [
  { name: 'all pods run', before: {}, objects: [], with: {} },
  {
    name: 'the limit refuses pods',
    before: { limits: { cpu: '24' } },
    objects: [deployment('late', 2, '7', SHOP)],
    with: {},
  },
  {
    name: 'all nodes have drifted and one is guarded',
    before: { ...labelled({ team: 'shop', tier: 'web' }), disruption: { ...disruption, budgets: [{ nodes: '0' }] } },
    objects: [
      deployment('late', 2, '1500m', SHOP),
      deployment('guarded', 1, '1700m', SHOP, { 'karpenter.sh/do-not-disrupt': 'true' }),
    ],
    with: { disruption: { ...disruption, budgets: [{ nodes: '1' }] } },
  },
  {
    name: 'PodDisruptionBudgets are in the way',
    before: {},
    objects: [
      // The first two pods are never evicted: one budget allows no disruption, and the eviction API refuses a pod that two budgets select.
      deployment('single', 1, '1700m', SHOP),
      budget('single', { minAvailable: 1 }),
      deployment('twice', 1, '1700m', SHOP),
      budget('twice', { maxUnavailable: 1 }),
      { ...budget('twice', { maxUnavailable: 1 }), metadata: { name: 'twice-more', namespace: 'default' } },
      // The budget of these pods only delays a drain.
      deployment('pair', 2, '600m', SHOP),
      budget('pair', { maxUnavailable: 1 }),
      budget('zoned', { minAvailable: '67%' }),
    ],
    with: {},
  },
]

/** The edits. Each changes the spec of the NodePool `edited`. */
export const edits: Readonly<Record<string, PoolSpec>> = {
  weight: { weight: 1 },
  'a higher limit of cpu': { limits: { cpu: '64' } },
  'a lower limit of cpu': { limits: { cpu: '4' } },
  'no limit': { limits: undefined },
  'a limit of nodes': { limits: { nodes: '6' } },
  'budget of one node': { disruption: { ...disruption, budgets: [{ nodes: '1' }] } },
  'a taint': inTemplate({ taints: [{ key: 'team', value: 'x', effect: 'NoSchedule' }] }),
  'a startup taint': inTemplate({ startupTaints: [{ key: STARTUP_TAINT, effect: 'NoSchedule' }] }),
  'another label': labelled({ team: 'other' }),
  'one more label': labelled({ team: 'shop', rack: 'r1' }),
  'the first label again': labelled({ team: 'shop' }),
  expireAfter: inTemplate({ expireAfter: '480h' }),
  terminationGracePeriod: inTemplate({ terminationGracePeriod: '1h' }),
  'both architectures': requiring(LINUX, SMALL),
  'the other architecture': requiring(LINUX, SMALL, is('kubernetes.io/arch', 'arm64')),
  'on-demand only': requiring(LINUX, AMD64, SMALL, is(CAPACITY_TYPE, 'on-demand')),
  'one zone': requiring(LINUX, AMD64, SMALL, is(ZONE, 'test-zone-a')),
  'three zones': requiring(LINUX, AMD64, SMALL, is(ZONE, 'test-zone-b', 'test-zone-c', 'test-zone-d')),
  'one instance type': requiring(LINUX, AMD64, is('node.kubernetes.io/instance-type', 's-4x-amd64-linux')),
  'larger nodes': requiring(LINUX, AMD64, { ...SMALL, operator: 'Gt', values: ['7'] }),
}

/** Returns the NodePool with a changed spec. A field that is undefined is removed. */
export const withSpec = (stored: NodePool, change: PoolSpec): NodePool => {
  const spec = Object.fromEntries(
    Object.entries({ ...stored.spec, ...change }).filter(([, value]) => value !== undefined),
  )
  return { ...stored, spec } as NodePool
}
