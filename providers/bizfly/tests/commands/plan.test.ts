import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bizflyNodeClassDescriptor, bizflyNodeClassKind } from '@kerf/provider-bizfly/node-class'
import { nodePool, pod } from '@kerf/testing'
import { expect, onTestFinished, test } from 'vitest'
import { runPlan } from '../../../../packages/cli/src/plan/run-plan.ts'

/** Plans for one pod of three vCPUs. */
const plan = async (output: 'json' | 'table'): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'kerf-plan-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const nodeClassRef = { group: bizflyNodeClassKind.group, kind: bizflyNodeClassKind.kind, name: 'default' }
  const items = [
    bizflyNodeClassDescriptor.example,
    nodePool('general', { requirements: [], templateSpec: { nodeClassRef } }),
    pod('a', { requests: { cpu: '3' } }),
  ]
  const file = join(folder, 'cluster.json')
  await writeFile(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }))
  let text = ''
  const stream = { write: (part: string) => (text += part) }
  await runPlan(
    { diff: false, explainCost: false, output, filename: [file], instanceTypes: 'bizfly' },
    { stdout: stream, stderr: output === 'json' ? { write: () => undefined } : stream, env: {} },
  )
  return text
}

test('a plan minimises the weight, and states that the weight is not an amount of money', async () => {
  const { nodeClaims, region } = JSON.parse(await plan('json'))
  // The example class allows premium servers in HN1 and HN2.
  expect(region).toBe('HN')
  expect(nodeClaims).toMatchObject([
    { zones: ['HN1', 'HN2'], cheapest: { instanceType: 'p4a.4c_8g', price: expect.closeTo((0.04 + 0.008) * 1.5, 9) } },
  ])
  const text = await plan('table')
  expect(text).toContain(
    'Bizfly Cloud publishes no prices: the plan minimises a weight, which is not an amount of money',
  )
  expect(text).toContain('0.01 for each vCPU and 0.001 for each GiB, times 1 (basic), 1.5 (premium)')
  expect(text).toContain('NodeOverlays set prices')
})
