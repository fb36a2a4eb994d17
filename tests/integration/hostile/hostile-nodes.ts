import { karpenterKinds, kinds } from '@kerf/apis'
import { kwokNodeClassKind } from '@kerf/provider-kwok/node-class'
import fc from 'fast-check'
import type { HostileObject } from './hostile-object.ts'
import {
  annotations,
  anyQuantity,
  BUILT_IN,
  expression,
  labelKey,
  labels,
  labelValue,
  objectName,
  quantity,
} from './hostile-words.ts'

/** Keeps ordinary pods away from hostile NodePools. Otherwise, ordinary pods might depend on nodes that a pool's author has broken. */
const FENCE = { key: 'tenant', value: 'hostile', effect: 'NoSchedule' }

const nodeClassRef = fc.constantFrom(
  { group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name: 'default' },
  { group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name: 'missing' },
  { group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name: 'constructor' },
  { group: 'constructor', kind: 'constructor', name: 'constructor' },
)

/** A requirement that uses none of the labels that are forbidden in a NodePool or NodeClaim. */
const requirement = expression.filter(
  ({ key }) => !['karpenter.sh/nodepool', 'kubernetes.io/hostname'].includes(key) && !key.includes('beta.'),
)

const duration = fc.constantFrom('Never', '0s', '1s', '1h30m', '87600h')
const metadata = fc.record({ labels, annotations })

const template = fc
  .record({
    requirements: fc.array(requirement, { maxLength: 3 }),
    nodeClassRef,
    expireAfter: duration,
    taints: fc.array(fc.record({ key: labelKey, effect: fc.constantFrom('NoSchedule', 'PreferNoSchedule') }), {
      maxLength: 1,
    }),
    startupTaints: fc.array(fc.record({ key: labelKey, effect: fc.constantFrom('NoSchedule', 'NoExecute') }), {
      maxLength: 1,
    }),
  })
  .map((spec) => ({ ...spec, taints: [FENCE, ...spec.taints] }))

const budget = fc.constantFrom(
  { nodes: '0' },
  { nodes: '100%' },
  { nodes: '99999999999999999999' },
  { nodes: '10%', schedule: '0 0 31 2 *', duration: '1h' },
  { nodes: '1', schedule: '@daily', duration: '99999h' },
  { nodes: '1', schedule: 'TZ=Nowhere/Nothing * * * * *', duration: '1h' },
  { nodes: '1', schedule: 'a b c d e', duration: '1h' },
  { nodes: '5%', reasons: [] },
)

const amounts = fc.dictionary(fc.constantFrom<string>('cpu', 'memory', 'nodes', ...BUILT_IN), anyQuantity, {
  maxKeys: 3,
})

export const hostilePool: fc.Arbitrary<HostileObject> = fc
  .tuple(
    objectName(),
    metadata,
    fc.record({ metadata: fc.record({ labels, annotations }), spec: template }),
    fc.record(
      {
        limits: amounts,
        weight: fc.constantFrom(1, 100),
        disruption: fc.record(
          {
            consolidateAfter: duration,
            consolidationPolicy: fc.constantFrom('WhenEmpty', 'WhenEmptyOrUnderutilized', 'Balanced'),
            budgets: fc.array(budget, { minLength: 1, maxLength: 3 }),
          },
          { requiredKeys: ['consolidateAfter'] },
        ),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([name, meta, pooled, rest]) => ({
    kind: karpenterKinds.NodePool,
    object: {
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodePool',
      metadata: { name, ...meta },
      spec: { template: pooled, ...rest },
    },
  }))

/** A NodeClaim that a user created manually. */
export const hostileClaim: fc.Arbitrary<HostileObject> = fc
  .tuple(
    objectName(),
    metadata,
    template,
    fc.record({ resources: fc.record({ requests: amounts }) }, { requiredKeys: [] }),
    fc.constantFrom({}, { 'karpenter.sh/nodepool': 'missing' }, { 'karpenter.sh/nodepool': 'constructor' }),
  )
  .map(([name, meta, spec, rest, pool]) => ({
    kind: karpenterKinds.NodeClaim,
    object: {
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodeClaim',
      metadata: { name, ...meta, labels: { ...meta.labels, ...pool } },
      spec: { ...spec, ...rest },
    },
  }))

export const hostileNodeClass: fc.Arbitrary<HostileObject> = fc
  .tuple(objectName(), metadata, fc.constantFrom('0s', '1s', '100h'))
  .map(([name, meta, nodeRegistrationDelay]) => ({
    kind: kwokNodeClassKind,
    object: {
      apiVersion: 'karpenter.kwok.sh/v1alpha1',
      kind: 'KWOKNodeClass',
      metadata: { name, ...meta },
      spec: { nodeRegistrationDelay },
    },
  }))

export const hostileNode: fc.Arbitrary<HostileObject> = fc
  .tuple(
    objectName(),
    metadata,
    fc.constantFrom(
      {},
      { 'karpenter.sh/nodepool': 'missing' },
      { 'karpenter.sh/nodepool': 'constructor', 'karpenter.sh/registered': 'true' },
      { 'kubernetes.io/hostname': 'constructor', 'topology.kubernetes.io/zone': '' },
      { 'node.kubernetes.io/instance-type': 'toString', 'karpenter.sh/capacity-type': 'constructor' },
    ),
    fc.constantFrom({}, { providerID: 'constructor' }, { providerID: 'kwok://same' }, { providerID: '' }),
    fc.record(
      { cpu: anyQuantity, memory: anyQuantity, pods: fc.constantFrom('0', '1', '1e3', '1e18') },
      { requiredKeys: [] },
    ),
  )
  .map(([name, meta, joined, spec, capacity]) => ({
    kind: kinds.Node,
    object: {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name, ...meta, labels: { ...meta.labels, ...joined } },
      spec: { ...spec, taints: [FENCE] },
      status: { capacity, allocatable: capacity },
    },
  }))

/** A NodeOverlay whose requirements match no instance type of the ordinary NodePool. */
export const hostileOverlay: fc.Arbitrary<HostileObject> = fc
  .tuple(
    objectName(),
    metadata,
    fc
      .constantFrom<string>(...BUILT_IN)
      .chain((key) => labelValue.map((value) => ({ key, operator: 'In', values: [value] }))),
    fc.oneof(
      fc.record({ price: fc.constantFrom('0', '0.000001', '99999999') }),
      fc.record({ priceAdjustment: fc.constantFrom('+0.1', '-100%', '+99999%') }),
      fc.record({
        capacity: fc.dictionary(fc.constantFrom(...BUILT_IN.map((name) => `example.com/${name}`)), quantity),
      }),
    ),
    fc.constantFrom(1, 10_000),
  )
  .map(([name, meta, selecting, change, weight]) => ({
    kind: karpenterKinds.NodeOverlay,
    object: {
      apiVersion: 'karpenter.sh/v1alpha1',
      kind: 'NodeOverlay',
      metadata: { name, ...meta },
      spec: { requirements: [selecting], weight, ...change },
    },
  }))
