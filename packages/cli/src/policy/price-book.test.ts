import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nodePool, pod } from '@kerf/testing'
import { expect, onTestFinished, test } from 'vitest'
import { runPlan } from '../plan/run-plan.ts'
import { runPolicyLint } from './run-lint.ts'

const TYPE = 's-16x-amd64-linux'

const fileOf = async (objects: readonly object[]): Promise<string> => {
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
  const file = await fileOf([nodePool('general', {}), pod('a', { requests: { cpu: '900m' } }), ...objects])
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
  const file = await fileOf([nodePool('general', {}), ...objects])
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
