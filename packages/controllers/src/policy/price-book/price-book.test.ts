import { type ClusterPolicy, karpenterKinds, kinds, policyKinds } from '@kerf/apis'
import { expect, test } from 'vitest'
import {
  apiError,
  createDeployment,
  createDisruptablePool,
  createPendingPods,
  createPool,
  createPoolOfType,
  type Harness,
  patchPool,
} from '../../testing/harness/index.ts'
import { harnessPerTest } from '../../testing/harness-per-test.ts'

// docs/spec/policies.md#price-book

const start = harnessPerTest()

const setBook = async (w: Harness, priceBook: object): Promise<void> => {
  await w.admin.create(policyKinds.ClusterPolicy, {
    apiVersion: 'kerf.sh/v1alpha1',
    kind: 'ClusterPolicy',
    metadata: { name: 'default' },
    spec: { priceBook },
  } as ClusterPolicy)
}

const document = (...prices: readonly string[]): string =>
  `unit: USD/hour\nasOf: 2026-01-01\nprices:\n${prices.map((price) => `- ${price}\n`).join('')}`

const setPrices = async (w: Harness, ...prices: readonly string[]): Promise<void> => {
  await w.admin.create(kinds.ConfigMap, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'kerf-prices', namespace: 'kube-system' },
    data: { 'prices.yaml': document(...prices) },
  })
}

const changePrices = (w: Harness, text: string | null): Promise<unknown> =>
  w.admin.patch(
    kinds.ConfigMap,
    { name: 'kerf-prices', namespace: 'kube-system' },
    { type: 'merge', body: { data: { 'prices.yaml': text } } },
  )

const policy = async (w: Harness) => (await w.read(policyKinds.ClusterPolicy, 'default')) as ClusterPolicy | undefined

const accepted = async (w: Harness) => {
  const [condition] = (await policy(w))?.status?.conditions ?? []
  return `${condition?.status}: ${condition?.message}`
}

const launched = async (w: Harness) =>
  (await w.claims()).map(({ metadata }) => metadata.labels?.['node.kubernetes.io/instance-type'])

const cheap = '{instanceType: s-16x-amd64-linux, price: 0.001}'
const monthly = 'unit: USD/month\nasOf: 2026-01-01\nprices: [{instanceType: s-16x-amd64-linux, price: 1}]'

test('plans and launches use declared prices; status and metrics show them', async () => {
  const w = await start()
  await setPrices(w, cheap)
  await setBook(w, { configMap: {} })
  await createPool(w)
  await createPendingPods(w, 1)
  await w.pass(60_000)
  expect(await launched(w)).toEqual(['s-16x-amd64-linux'])
  expect(await accepted(w)).toBe('True: ')
  expect((await policy(w))?.status?.priceBook).toMatchObject({
    source: 'ConfigMap kerf-prices (prices.yaml)',
    prices: [
      {
        instanceType: 's-16x-amd64-linux',
        capacityType: 'on-demand',
        zone: '',
        usdPerHour: '0.001',
        asOf: '2026-01-01',
      },
    ],
  })
  expect(await w.metric('kerf_price_book_usd_per_hour')).toBe(0.001)
  expect(await w.metric('kerf_price_book_timestamp_seconds')).toBe(Date.parse('2026-01-01') / 1000)
  expect(await w.metric('kerf_price_book_failing')).toBe(0)
  expect(await w.metric('karpenter_nodepools_cost_total')).toBe(0.001)
})

test('consolidation uses declared prices, and the cloud’s prices return when the section is removed', async () => {
  const w = await start()
  await createDisruptablePool(w)
  const onDemand = { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] }
  await patchPool(w, 'general', { spec: { template: { spec: { requirements: [onDemand] } } } })
  await createDeployment(w, 'web', 1, '1')
  await w.pass(60_000)
  const [before] = await launched(w)
  await setPrices(w, cheap)
  await setBook(w, { configMap: {} })
  await w.pass(180_000)
  expect(await launched(w)).not.toEqual([before])
  expect(await launched(w)).toEqual(['s-16x-amd64-linux'])
  await w.admin.delete(policyKinds.ClusterPolicy, { name: 'default' })
  await w.pass(180_000)
  expect(await launched(w)).toEqual([before])
  expect(await w.metric('kerf_price_book_usd_per_hour')).toBe(0)
})

test.each([
  ['the ConfigMap is invalid', (w: Harness) => changePrices(w, monthly), 'unit must be "USD/hour", found "USD/month"'],
  ['the key is gone', (w: Harness) => changePrices(w, null), 'has no key prices.yaml'],
  [
    'the ConfigMap is gone',
    (w: Harness) => w.admin.delete(kinds.ConfigMap, { name: 'kerf-prices', namespace: 'kube-system' }),
    'ConfigMap kerf-prices does not exist in namespace kube-system. Create it',
  ],
])(
  '%s: the last prices stay in force, even after a restart, and the condition has the reason',
  async (_name, damage, text) => {
    const w = await start()
    await setPrices(w, cheap)
    await setBook(w, { configMap: {} })
    await createPool(w)
    await w.pass(20_000)
    await damage(w)
    await w.pass(90_000)
    expect(await accepted(w)).toContain(text)
    expect(await accepted(w)).toContain('The 1 prices read at ')
    expect(await w.metric('kerf_price_book_failing')).toBe(1)
    w.restart()
    await createPendingPods(w, 1)
    await w.pass(60_000)
    expect(await launched(w)).toEqual(['s-16x-amd64-linux'])
  },
)

test('if the policy changes to a source that cannot be read, the prices of the old source end', async () => {
  const w = await start()
  await setPrices(w, cheap)
  await setBook(w, { configMap: {} })
  await createPool(w)
  await w.pass(20_000)
  const change = (priceBook: object) =>
    w.admin.patch(policyKinds.ClusterPolicy, { name: 'default' }, { type: 'merge', body: { spec: { priceBook } } })
  await change({ configMap: { key: 'other.yaml' } })
  await w.pass(30_000)
  expect(await accepted(w)).toMatch(/^False: .*has no key other\.yaml.* No declared price is in force\.$/)
  expect((await policy(w))?.status?.priceBook).toBeUndefined()
  await createPendingPods(w, 1)
  await w.pass(60_000)
  expect(await launched(w)).not.toEqual(['s-16x-amd64-linux'])
})

test('prices stay in force if a source that fails gets another exchange rate', async () => {
  const w = await start()
  const currency = (usd: string) => ({ code: 'EUR', usd, date: '2026-01-01' })
  await setPrices(w)
  await changePrices(w, document(cheap).replace('USD', 'EUR'))
  await setBook(w, { configMap: {}, currency: currency('1.08') })
  await createPool(w)
  await w.pass(20_000)
  await changePrices(w, null)
  await w.admin.patch(
    policyKinds.ClusterPolicy,
    { name: 'default' },
    { type: 'merge', body: { spec: { priceBook: { currency: currency('1.2') } } } },
  )
  await w.pass(90_000)
  expect(await accepted(w)).toContain('The 1 prices read at ')
})

test('without prices, Kerf uses the prices of the cloud, and the condition has the remedy', async () => {
  const w = await start()
  await setBook(w, { configMap: {} })
  await createPool(w)
  await createPendingPods(w, 1)
  await w.pass(60_000)
  expect(await launched(w)).toHaveLength(1)
  expect(await accepted(w)).toBe(
    'False: spec.priceBook: ConfigMap kerf-prices does not exist in namespace kube-system. Create it, or correct spec.priceBook.configMap.name. No declared price is in force.',
  )
})

test('nothing is launched before the first read; a temporary failure does not count as a read', async () => {
  let isDown = true
  const w = await start({
    fault: ({ verb, ref }) => (isDown && verb === 'get' && ref?.name === 'kerf-prices' ? apiError(503) : undefined),
  })
  await setPrices(w, cheap)
  await setBook(w, { configMap: {} })
  await createPool(w)
  await createPendingPods(w, 1)
  await w.pass(30_000)
  expect(await w.claims()).toEqual([])
  isDown = false
  await w.pass(120_000)
  expect(await launched(w)).toEqual(['s-16x-amd64-linux'])
})

test('an instance type that no NodePool offers is reported', async () => {
  const w = await start()
  await setPrices(w, cheap, '{instanceType: m5.largee, price: 1}')
  await setBook(w, { configMap: {} })
  await createPool(w)
  await w.pass(60_000)
  expect(await accepted(w)).toBe(
    'True: spec.priceBook: no NodePool offers the instance types m5.largee. Correct their names, or remove their prices.',
  )
})

test('a NodeOverlay changes the declared price', async () => {
  const w = await start({ gates: { NodeOverlay: true } })
  await setPrices(w, cheap)
  await setBook(w, { configMap: {} })
  await w.admin.create(karpenterKinds.NodeOverlay, {
    apiVersion: 'karpenter.sh/v1alpha1',
    kind: 'NodeOverlay',
    metadata: { name: 'double' },
    spec: { requirements: [], priceAdjustment: '+100%' },
  })
  await createPoolOfType(w, 's-16x-amd64-linux')
  await createPendingPods(w, 1)
  await w.pass(60_000)
  expect(await w.metric('karpenter_nodepools_cost_total')).toBeCloseTo(0.002, 9)
})
