import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nodePool, pod } from '@kerf/testing'
import { expect, onTestFinished, test } from 'vitest'
import { runPlan } from '../plan/run-plan.ts'
import { runSimulate } from '../simulate/run-simulate.ts'
import { runPolicyExplain } from './run-explain.ts'
import { runPolicyLint } from './run-lint.ts'

const TYPE = 's-16x-amd64-linux'

const writeObjects = async (objects: readonly object[]): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'price-book-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'cluster.json')
  await writeFile(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }))
  return file
}

const today = new Date().toISOString().slice(0, 10)

const configMap = (text: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'kerf-prices', namespace: 'kube-system' },
  data: { 'prices.yaml': text },
})

const policy = (spec: object = { configMap: {} }, status?: object) => ({
  apiVersion: 'kerf.sh/v1alpha1',
  kind: 'ClusterPolicy',
  metadata: { name: 'default' },
  spec: { priceBook: spec },
  ...(status === undefined ? {} : { status }),
})

const prices = (text: string, asOf = today): string => `unit: USD/hour\nasOf: ${asOf}\nprices: [${text}]`
const cheap = prices(`{instanceType: ${TYPE}, price: 0.001}`)

const stored = (usdPerHour: string, asOf = today) => ({
  priceBook: {
    source: 'file /etc/prices.yaml',
    readAt: '2026-01-01T00:00:00Z',
    prices: [{ instanceType: TYPE, capacityType: 'on-demand', zone: '', usdPerHour, asOf }],
  },
})

const plan = async (objects: readonly object[], output: 'json' | 'table' = 'json') => {
  const file = await writeObjects([nodePool('general', {}), pod('a', { requests: { cpu: '900m' } }), ...objects])
  let [text, notes] = ['', '']
  await runPlan(
    { filename: [file], output, diff: false, explainCost: false },
    { stdout: { write: (part) => (text += part) }, stderr: { write: (part) => (notes += part) }, env: {} },
  )
  return { text, notes, first: output === 'json' ? JSON.parse(text).nodeClaims[0] : undefined }
}

test('a plan uses the ConfigMap among the files, and shows source and age of the price', async () => {
  const { first } = await plan([policy(), configMap(cheap)])
  expect(first).toMatchObject({
    cheapest: { instanceType: TYPE, price: 0.001 },
    priceOrigin: { source: 'ConfigMap kerf-prices (prices.yaml)', ageDays: 0 },
  })
  const { text } = await plan(
    [policy(), configMap(prices(`{instanceType: ${TYPE}, price: 0.001}`, '2020-01-01'))],
    'table',
  )
  expect(text).toMatch(/PRICE FROM/)
  expect(text).toMatch(/ConfigMap kerf-prices \(prices\.yaml\), \d+ days old/)
})

test('without a price book, and for offerings that it does not name', async () => {
  expect((await plan([])).first).not.toHaveProperty('priceOrigin')
  const { first } = await plan([policy(), configMap(prices('{instanceType: s-256x-amd64-linux, price: 99}'))])
  expect(first.priceOrigin).toEqual({ source: 'kwok' })
})

test('without the ConfigMap, a plan uses the prices in the status of the ClusterPolicy', async () => {
  const { first } = await plan([policy({ file: '/etc/prices.yaml' }, stored('0.002'))])
  expect(first).toMatchObject({
    cheapest: { instanceType: TYPE, price: 0.002 },
    priceOrigin: { source: 'file /etc/prices.yaml' },
  })
})

test('a refused ConfigMap leaves the prices of the status in force, and a note says why', async () => {
  const wrong = configMap(prices(`{instanceType: ${TYPE}, price: 0}`))
  const { first, notes } = await plan([policy(undefined, stored('0.002')), wrong])
  expect(first.cheapest.price).toBe(0.002)
  expect(notes).toContain(
    'price book: ConfigMap kerf-prices (prices.yaml): prices[0]: price must be a number above 0, found 0',
  )
  const { first: cloud, notes: missing } = await plan([policy()])
  expect(cloud.cheapest.instanceType).not.toBe(TYPE)
  expect(missing).toContain('is not among the objects')
})

test('a NodeOverlay changes the declared price', async () => {
  const overlay = {
    apiVersion: 'karpenter.sh/v1alpha1',
    kind: 'NodeOverlay',
    metadata: { name: 'double' },
    spec: { requirements: [], priceAdjustment: '+100%' },
  }
  const { first } = await plan([policy(), configMap(cheap), overlay])
  expect(first).toMatchObject({
    cheapest: { instanceType: TYPE, price: 0.002 },
    priceOrigin: { source: 'ConfigMap kerf-prices (prices.yaml), changed by a NodeOverlay' },
  })
})

const lint = async (objects: readonly object[]) => {
  const file = await writeObjects([nodePool('general', {}), ...objects])
  let text = ''
  const code = await runPolicyLint(
    { filename: [file], output: 'text' },
    { stdout: { write: (part) => (text += part) }, stderr: { write: () => {} }, env: {} },
  )
  return { code, text }
}

const euro = { code: 'EUR', usd: '1.08', date: '2020-01-01' }
test.each([
  ['a refused document', [policy(), configMap(prices(`{instanceType: ${TYPE}, price: -1}`))], 'found -1'],
  [
    'an unknown type',
    [policy(), configMap(prices('{instanceType: m5.largee, price: 1}'))],
    'no NodePool offers the instance types m5.largee',
  ],
  [
    'a monthly price, which is far from the estimate',
    [policy(), configMap(prices(`{instanceType: ${TYPE}, price: 600}`))],
    `the prices of ${TYPE} differ from the estimates of the provider by a factor of 300 or more`,
  ],
  ['types without a declared price', [policy(), configMap(cheap)], '143 of 144 instance types have no declared price'],
  [
    'old prices',
    [policy(), configMap(prices(`{instanceType: ${TYPE}, price: 1}`, '2020-01-01'))],
    '1 price of 1 are older than 90 days',
  ],
  [
    'an old exchange rate',
    [policy({ configMap: {}, currency: euro }), configMap(cheap.replace('USD', 'EUR'))],
    'the exchange rate of 2020-01-01 is older',
  ],
  ['no prices at all', [policy()], 'is not among the objects'],
])('lint: %s', async (_name, objects, problem) => {
  const { code, text } = await lint(objects)
  expect(text).toContain(problem)
  expect(code).toBe(3)
})

test('lint: an estimate of the provider may be far from the real price', async () => {
  // The estimate is $0.47.
  const { text } = await lint([policy(), configMap(prices(`{instanceType: ${TYPE}, price: 50}`))])
  expect(text).not.toContain('estimates of the provider')
})

test('explain lists the prices in force, with their age', async () => {
  const file = await writeObjects([
    nodePool('general', {}),
    policy(),
    configMap(
      prices(`{instanceType: ${TYPE}, price: 0.5}, {instanceType: ${TYPE}, capacityType: spot, zone: z, price: 0.2}`),
    ),
  ])
  const written: string[] = []
  const streams = { stdout: { write: (part: string) => written.push(part) }, stderr: { write: () => {} }, env: {} }
  expect(await runPolicyExplain({ filename: [file], output: 'text' }, streams)).toBe(0)
  expect(written.join('').replaceAll(today, 'TODAY')).toMatchInlineSnapshot(`
    "no ceilings: ClusterPolicy default has no section spec.ceilings

    Price book: 2 prices from ConfigMap kerf-prices (prices.yaml)

    TYPE               CAPACITY   ZONE   USD/HOUR  AS OF       DAYS
    s-16x-amd64-linux  on-demand  every       0.5  TODAY     0
    s-16x-amd64-linux  spot       z           0.2  TODAY     0
    "
  `)
  written.length = 0
  await runPolicyExplain({ filename: [file], output: 'json' }, streams)
  expect(JSON.parse(written.join('')).priceBook).toEqual({
    source: 'ConfigMap kerf-prices (prices.yaml)',
    prices: [
      { instanceType: TYPE, capacityType: 'on-demand', usdPerHour: 0.5, asOf: today, ageDays: 0 },
      { instanceType: TYPE, capacityType: 'spot', zone: 'z', usdPerHour: 0.2, asOf: today, ageDays: 0 },
    ],
  })
})

/** Returns the YAML blocks of the guide. */
const guideBlocks = (): readonly string[] => {
  const guide = readFileSync(new URL('../../../../docs/price-book.md', import.meta.url), 'utf8')
  return [...guide.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, block = '']) => block)
}

test('the first example of the guide is valid, and its plan is the one that the guide shows', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'price-book-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'prices.yaml')
  await writeFile(file, (guideBlocks()[0] ?? '').replaceAll('2026-11-30', today).replaceAll('2026-11-29', today))
  const onDemand = { key: 'karpenter.sh/capacity-type', operator: 'In' as const, values: ['on-demand'] }
  const types = {
    key: 'node.kubernetes.io/instance-type',
    operator: 'In' as const,
    values: ['c-1x-amd64-linux', 'c-4x-amd64-linux'],
  }
  const requirements = [onDemand, types]
  const cluster = await writeObjects([nodePool('general', { requirements }), pod('a', { requests: { cpu: '900m' } })])
  const options = { filename: [file, cluster], validate: 'strict' as const }
  let text = ''
  const streams = { stdout: { write: (part: string) => (text += part) }, stderr: { write: () => {} }, env: {} }
  expect(await runPolicyLint({ ...options, output: 'text' }, streams)).toBe(0)
  expect(text).toBe('no problems\n')
  text = ''
  await runPlan({ ...options, output: 'wide', diff: false, explainCost: false }, streams)
  expect(text).toContain('$0.0200')
  expect(text).toMatch(/PRICE +PRICE FROM/)
  expect(text).toContain('ConfigMap kerf-prices (prices.yaml), 0 days old')
})

test('kerf simulate uses the declared prices of each setting', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'price-book-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const workload = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', namespace: 'default' } }
  const template = {
    metadata: { labels: { app: 'web' } },
    spec: { containers: [{ name: 'a', image: 'a', resources: { requests: { cpu: '900m' } } }] },
  }
  const deployment = { ...workload, spec: { replicas: 1, selector: { matchLabels: { app: 'web' } }, template } }
  const plannedCost = async (...objects: readonly object[]): Promise<number> => {
    const file = await writeObjects([nodePool('general', {}), deployment, ...objects])
    let text = ''
    await runSimulate(
      { filename: [file], for: '30m', seed: 1, output: 'json', schema: false },
      { stdout: { write: (part) => (text += part) }, stderr: { write: () => {} }, now: () => 0, env: {} },
    )
    return JSON.parse(text).cost
  }
  const cloud = await plannedCost()
  expect(await plannedCost(policy(), configMap(cheap))).toBeLessThan(cloud / 5)
})
