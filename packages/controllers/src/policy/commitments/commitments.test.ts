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
  expect(await w.metric('kerf_commitment_units', { commitment: 'reserved', unit: 'instances' })).toBe(2)
  expect(await w.metric('kerf_commitment_unused_units', { commitment: 'reserved', unit: 'instances' })).toBe(1)
  expect(await w.metric('kerf_commitment_unused_usd_per_hour', { commitment: 'reserved' })).toBe(0.25)
  expect(await w.metric('karpenter_nodepools_cost_total')).toBe(0)
  await createPendingPods(w, 3, apart, 'more')
  await w.pass(60_000)
  const types = await launched(w)
  expect(types).toHaveLength(4)
  expect(types.filter((type) => type === TYPE)).toHaveLength(2)
  expect(await w.metric('kerf_commitment_unused_units', { commitment: 'reserved', unit: 'instances' })).toBe(0)
})

test('consolidation fills unused commitments, keeps covered nodes, and continues when the commitment ends', async () => {
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

test.each<[string, object, object]>([
  // An instance of this type has 16 vCPUs and 32 normalised units, and costs $0.468719476736 an hour.
  ['normalised units', { normalizedUnits: '40' }, { unit: 'normalizedUnits', covers: '40', used: '32', unused: '8' }],
  ['vCPUs', { vcpus: 20 }, { unit: 'vcpus', covers: '20', used: '16', unused: '4' }],
  [
    'a savings plan with a factor',
    { committedUsdPerHour: '0.3', rates: { factor: '0.5' } },
    { unit: 'usdPerHour', covers: '0.3', used: '0.234359738', unused: '0.065640262' },
  ],
  [
    'a savings plan with rates',
    { committedUsdPerHour: '0.3', rates: { instanceTypes: [{ instanceType: TYPE, usdPerHour: '0.25' }] } },
    { unit: 'usdPerHour', covers: '0.3', used: '0.25', unused: '0.05' },
  ],
])('%s cover one node and leave too little for another', async (_name, amount, use) => {
  const w = await start()
  const { unit } = use as { readonly unit: string }
  await setCommitments(w, { name: 'plan', prepaid: { instanceTypes: ['s-16x-amd64-linux'], share: '1', ...amount } })
  await createPool(w)
  await createPendingPods(w, 2, apart)
  await w.pass(60_000)
  expect((await launched(w)).filter((type) => type === TYPE)).toHaveLength(1)
  expect((await policy(w))?.status?.commitments).toEqual([{ name: 'plan', state: 'Active', ...use }])
  expect(await accepted(w)).toBe('True: ')
  const { unused } = use as { readonly unused: string }
  expect(await w.metric('kerf_commitment_unused_units', { commitment: 'plan', unit })).toBe(Number(unused))
})

test('a discount lowers the prices of the cloud until the policy is deleted', async () => {
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
  [
    'a family that no NodePool offers',
    [{ name: 'a', prepaid: { instanceTypes: ['z9.*'], vcpus: 8, share: '1' } }],
    'commitment a: no NodePool offers an instance type of z9.*',
  ],
  [
    'a plan without a rate for any type',
    [
      {
        name: 'a',
        prepaid: {
          committedUsdPerHour: '1',
          rates: { instanceTypes: [{ instanceType: 'z9.large', usdPerHour: '1' }] },
          share: '1',
        },
      },
    ],
    'commitment a: no instance type has a rate, so it stays unused',
  ],
  [
    'a rate above the price',
    [
      {
        name: 'a',
        prepaid: {
          committedUsdPerHour: '1',
          rates: { instanceTypes: [{ instanceType: TYPE, usdPerHour: '46.4' }] },
          share: '1',
        },
      },
    ],
    `the rate of ${TYPE} is above its on-demand price`,
  ],
  [
    'a share of nothing',
    [{ name: 'a', prepaid: { vcpus: 8, share: '0' } }],
    'commitment a covers nothing, because its amount times its share is 0',
  ],
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
])('the condition reports %s, and pods still get nodes', async (_name, commitments, text) => {
  const w = await start()
  await setCommitments(w, ...commitments)
  await createPool(w)
  await createPendingPods(w, 1)
  await w.pass(60_000)
  expect(await accepted(w)).toContain('True: ')
  expect(await accepted(w)).toContain(text)
  expect(await launched(w)).toHaveLength(1)
})
