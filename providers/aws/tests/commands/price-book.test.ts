import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nodePool } from '@kerf/testing'
import { expect, onTestFinished, test } from 'vitest'
import { runPolicyLint } from '../../../../packages/cli/src/policy/run-lint.ts'

const lint = async (price: number): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'price-book-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'cluster.json')
  const asOf = new Date().toISOString().slice(0, 10)
  const items = [
    nodePool('general', {}),
    {
      apiVersion: 'kerf.sh/v1alpha1',
      kind: 'ClusterPolicy',
      metadata: { name: 'default' },
      spec: { priceBook: { configMap: {} } },
    },
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'kerf-prices', namespace: 'kube-system' },
      data: { 'prices.yaml': `unit: USD/hour\nasOf: ${asOf}\nprices: [{instanceType: m5.large, price: ${price}}]` },
    },
  ]
  await writeFile(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }))
  let text = ''
  await runPolicyLint(
    { filename: [file], output: 'text', instanceTypes: 'aws' },
    { stdout: { write: (part) => (text += part) }, stderr: { write: () => {} }, env: {} },
  )
  return text
}

test('lint: a monthly price is far from the price of EC2, and types without a declared price keep that price', async () => {
  expect(await lint(70)).toContain(
    'the prices of m5.large differ from the prices of the cloud by a factor of 20 or more',
  )
  expect(await lint(0.07)).toBe('no problems\n')
})
