import { type Condition, labels, type NodeClaim } from '@kerf/apis'
import { condition, node, nodeClaim, readyNodeLabels } from '@kerf/testing'

/** A name of the maximum length. */
export const LONG_NAME = `${'n'.repeat(60)}.${'n'.repeat(60)}.${'n'.repeat(60)}.${'n'.repeat(60)}.${'n'.repeat(9)}`
const PRICE = 'eks-node-viewer/instance-price'

/** A NodeClaim in an unusual state. `isGone` means that a user has deleted it. */
export interface OddClaim {
  readonly name: string
  readonly pool?: string
  readonly conditions?: readonly Condition[]
  readonly hasInstance?: boolean
  readonly node?: 'ready' | 'not ready' | 'missing'
  readonly price?: string
  readonly capacityType?: string
  readonly annotations?: Readonly<Record<string, string>>
  readonly isGone?: boolean
}

const steps = (...types: readonly string[]): readonly Condition[] => types.map((type) => condition(type))
const READY = steps('Launched', 'Registered', 'Initialized', 'Ready')
export const said = (type: string, status: Condition['status'], reason: string, message: string): Condition => ({
  ...condition(type, status, reason),
  message,
})
const running = { hasInstance: true, conditions: READY, node: 'ready', price: '0.2', capacityType: 'spot' } as const

export const oddClaims: readonly OddClaim[] = [
  { name: 'created' },
  {
    name: 'launching',
    conditions: [said('Launched', 'Unknown', 'AwaitingReconciliation', 'object is awaiting reconciliation')],
  },
  {
    name: 'no-capacity',
    conditions: [
      said('Launched', 'False', 'InsufficientCapacity', 'no spot capacity for any of 60 instance types in zone-a'),
    ],
  },
  {
    name: 'stuck',
    hasInstance: true,
    price: '0.4',
    capacityType: 'on-demand',
    conditions: [
      ...steps('Launched'),
      said('Registered', 'Unknown', 'NodeNotFound', 'Node not registered with cluster'),
    ],
  },
  {
    name: 'not-initialized',
    hasInstance: true,
    price: '0.4',
    capacityType: 'on-demand',
    node: 'not ready',
    conditions: [
      ...steps('Launched', 'Registered'),
      said(
        'Initialized',
        'Unknown',
        'StartupTaintsExist',
        'StartupTaint "node.cilium.io/agent-not-ready:NoExecute" still exists',
      ),
    ],
  },
  { name: 'plain', ...running },
  { name: 'plain-too', ...running, price: '0.35', capacityType: 'on-demand' },
  {
    name: 'drifted',
    ...running,
    conditions: [...READY, said('Drifted', 'True', 'NodePoolDrifted', 'NodePoolDrifted')],
  },
  {
    name: 'drifted-kept',
    ...running,
    pool: 'frozen',
    annotations: { 'karpenter.sh/do-not-disrupt': 'true' },
    conditions: [...READY, condition('Drifted', 'True', 'RequirementsDrifted')],
  },
  { name: 'consolidatable', ...running, conditions: [...READY, condition('Consolidatable')] },
  {
    name: 'disrupted',
    ...running,
    conditions: [...READY, said('DisruptionReason', 'True', 'Underutilized', 'Underutilized')],
  },
  {
    name: 'inconsistent',
    ...running,
    conditions: [
      ...READY,
      said(
        'ConsistentStateFound',
        'False',
        'ConsistencyCheckFailed',
        'expected 8 of resource memory, but found 4 (50 % of expected)',
      ),
    ],
  },
  {
    name: 'not-ready',
    ...running,
    node: 'not ready',
    conditions: [
      ...steps('Launched', 'Registered', 'Initialized'),
      said('Ready', 'False', 'NodeNotReady', 'kubelet stopped posting node status'),
    ],
  },
  { name: 'node-gone', ...running, node: 'missing' },
  { name: 'no-price', ...running, price: undefined as never },
  { name: 'free', ...running, price: '0' },
  { name: 'odd-price', ...running, price: 'much' },
  { name: 'at-limit', ...running, pool: 'limited' },
  { name: 'at-limit-too', ...running, pool: 'limited' },
  { name: 'payments-1', ...running, pool: 'tainted', capacityType: 'on-demand', price: '0.8' },
  { name: 'orphan', ...running, pool: 'nobody' },
  { name: 'static-1', ...running, pool: 'static' },
  {
    name: 'terminating',
    ...running,
    isGone: true,
    conditions: [...READY, said('InstanceTerminating', 'True', 'InstanceTerminating', '')],
  },
  {
    name: 'draining',
    ...running,
    isGone: true,
    conditions: [...READY, said('Drained', 'Unknown', 'Draining', 'Draining')],
  },
  {
    name: 'volumes',
    ...running,
    isGone: true,
    conditions: [...READY, condition('Drained'), said('VolumesDetached', 'Unknown', 'AwaitingVolumeDetachment', '')],
  },
  { name: 'never-launched-gone', isGone: true },
  { name: LONG_NAME, ...running },
]

const ZONES = ['zone-a', 'zone-b', 'zone-c'] as const
const capacity = { cpu: '4', memory: '16Gi', pods: '110' }

export const makeClaim = (odd: OddClaim, place: number): NodeClaim => {
  const { name, pool = 'general', conditions, price, capacityType = 'spot', annotations } = odd
  const providerID = `kwok://${name}`
  return nodeClaim(name, {
    pool,
    annotations,
    metadata: { finalizers: ['karpenter.sh/termination'] },
    labels: {
      [labels.instanceType]: 'm-4x-amd64-linux',
      [labels.zone]: ZONES[place % 3] ?? 'zone-a',
      ...(odd.hasInstance === true ? { [labels.capacityType]: capacityType } : {}),
      ...(price === undefined ? {} : { [PRICE]: price }),
    },
    conditions,
    spec: { nodeClassRef: { group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name: 'default' } },
    ...(odd.hasInstance === true ? { providerID, capacity } : {}),
    ...(odd.node === undefined ? {} : { nodeName: name }),
  })
}

export const makeNode = (
  { name, pool = 'general', node: state, price, capacityType = 'spot', conditions }: OddClaim,
  place: number,
) => {
  const has = (type: string): boolean =>
    conditions?.some((each) => each.type === type && each.status === 'True') ?? false
  return node(name, {
    pool,
    providerID: `kwok://${name}`,
    capacity,
    labels: {
      ...(has('Registered') ? { [labels.registered]: readyNodeLabels[labels.registered] } : {}),
      ...(has('Initialized') ? { [labels.initialized]: readyNodeLabels[labels.initialized] } : {}),
      [labels.instanceType]: 'm-4x-amd64-linux',
      [labels.hostname]: name.slice(0, 63).replace(/[^a-z0-9]+$/, ''),
      [labels.zone]: ZONES[place % 3] ?? 'zone-a',
      [labels.capacityType]: capacityType,
      ...(price === undefined ? {} : { [PRICE]: price }),
    },
    status: { conditions: [condition('Ready', state === 'ready' ? 'True' : 'False')] },
  })
}
