import { type ClusterPolicy, policyKinds } from '@kerf/apis'
import { expect, test } from 'vitest'
import {
  createDeployment,
  createDisruptablePool,
  createPendingPods,
  createPool,
  type Harness,
  patchPool,
} from '../../testing/harness/index.ts'
import { harnessPerTest } from '../../testing/harness-per-test.ts'

// docs/spec/policies.md#commitments

const start = harnessPerTest()

const TYPE = 's-16x-amd64-linux'
const CAPACITY_TYPE = 'karpenter.sh/capacity-type'

type CommitmentSpecs = NonNullable<ClusterPolicy['spec']['commitments']>

const setCommitments = async (w: Harness, ...commitments: CommitmentSpecs): Promise<void> => {
  await w.admin.create(policyKinds.ClusterPolicy, {
    apiVersion: 'kerf.sh/v1alpha1',
    kind: 'ClusterPolicy',
    metadata: { name: 'default' },
    spec: { commitments },
  })
}

const prepaid = (count: number, more: object = {}): CommitmentSpecs[number] => ({
  name: 'reserved',
  prepaid: { instanceType: TYPE, count, share: '1', ...more },
})

const policy = async (w: Harness) => (await w.read(policyKinds.ClusterPolicy, 'default')) as ClusterPolicy | undefined

const accepted = async (w: Harness) => {
  const [condition] = (await policy(w))?.status?.conditions ?? []
  return `${condition?.status}: ${condition?.message}`
}

const launched = async (w: Harness) =>
  (await w.claims()).map(({ metadata }) => metadata.labels?.['node.kubernetes.io/instance-type']).sort()

const apart = {
  labels: { app: 'a' },
  spec: {
    affinity: {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'a' } } },
        ],
      },
    },
  },
}

const onDemandPool = async (w: Harness): Promise<void> => {
  await createDisruptablePool(w)
  const onDemand = { key: CAPACITY_TYPE, operator: 'In', values: ['on-demand'] }
  await patchPool(w, 'general', { spec: { template: { spec: { requirements: [onDemand] } } } })
}

test('prepaid instances are launched first, and only as many as are covered; status and metrics show their use', async () => {
  const w = await start()
  await setCommitments(w, prepaid(5, { share: '0.5', usdPerHour: '0.25' }))
  await createPool(w)
  await createPendingPods(w, 1, apart)
  await w.pass(60_000)
  expect(await launched(w)).toEqual([TYPE])
  expect((await w.claims())[0]?.metadata.labels?.[CAPACITY_TYPE]).toBe('on-demand')
  expect((await policy(w))?.status?.commitments).toEqual([
    { name: 'reserved', state: 'Active', covers: '2', used: '1', unused: '1' },
  ])
  expect(await w.metric('kerf_commitment_instances', { commitment: 'reserved' })).toBe(2)
  expect(await w.metric('kerf_commitment_unused_instances', { commitment: 'reserved' })).toBe(1)
  expect(await w.metric('kerf_commitment_unused_usd_per_hour', { commitment: 'reserved' })).toBe(0.25)
  expect(await w.metric('karpenter_nodepools_cost_total')).toBe(0)
  await createPendingPods(w, 3, apart, 'more')
  await w.pass(60_000)
  const types = await launched(w)
  expect(types).toHaveLength(4)
  expect(types.filter((type) => type === TYPE)).toHaveLength(2)
  expect(await w.metric('kerf_commitment_unused_instances', { commitment: 'reserved' })).toBe(0)
})

test('consolidation fills unused commitments, keeps covered nodes, and goes on when the commitment ends', async () => {
  const w = await start()
  await onDemandPool(w)
  await createDeployment(w, 'web', 1, '1')
  await w.pass(60_000)
  const [before] = await launched(w)
  expect(before).not.toBe(TYPE)
  const end = new Date(w.clock.now() + 600_000).toISOString().replace(/\.\d+/, '')
  await setCommitments(w, prepaid(1, { end }))
  await w.pass(180_000)
  expect(await launched(w)).toEqual([TYPE])
  await w.pass(180_000)
  expect(await launched(w)).toEqual([TYPE])
  expect(w.messages('Unconsolidatable').join()).toContain('Commitment reserved pays for the node')
  await w.pass(600_000)
  expect(await accepted(w)).toContain('commitment reserved has ended. Remedy: remove it, or correct its end.')
  expect(await launched(w)).toEqual([before])
})

test('a discount lowers the prices of the cloud, and goes with the policy', async () => {
  const w = await start()
  await onDemandPool(w)
  await createDeployment(w, 'web', 1, '1')
  await w.pass(60_000)
  const [before] = await launched(w)
  await setCommitments(w, { name: 'negotiated', discount: { factor: '0.001', instanceTypes: ['s-16x-*'] } })
  await w.pass(180_000)
  expect(await launched(w)).toEqual(['s-16x-amd64-linux'])
  expect(await accepted(w)).toBe('True: ')
  await w.admin.delete(policyKinds.ClusterPolicy, { name: 'default' })
  await w.pass(180_000)
  expect(await launched(w)).toEqual([before])
})

test.each<[string, CommitmentSpecs, string]>([
  [
    'an unknown instance type',
    [{ ...prepaid(1, { instanceType: 'm5.lagre' }) }],
    'no NodePool offers the instance type m5.lagre',
  ],
  ['an unknown zone', [prepaid(1, { zone: 'nowhere' })], `no NodePool offers ${TYPE} on-demand in the zone nowhere`],
  ['a share that leaves no instance', [prepaid(1, { share: '0.5' })], 'covers no instance'],
  [
    'two discounts on the same types',
    [
      { name: 'a', discount: { factor: '0.9' } },
      { name: 'b', discount: { factor: '0.8' } },
    ],
    'commitments a and b are discounts on the same instance types; the first in the list applies',
  ],
  [
    'a discount on nothing',
    [{ name: 'a', discount: { factor: '0.9', instanceTypes: ['z9.*'] } }],
    'no NodePool offers an instance type with this discount',
  ],
])('the condition names %s, and pods get nodes all the same', async (_name, commitments, text) => {
  const w = await start()
  await setCommitments(w, ...commitments)
  await createPool(w)
  await createPendingPods(w, 1)
  await w.pass(60_000)
  expect(await accepted(w)).toContain('True: ')
  expect(await accepted(w)).toContain(text)
  expect(await launched(w)).toHaveLength(1)
})
