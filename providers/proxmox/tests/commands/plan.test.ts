import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { proxmoxNodeClassDescriptor, proxmoxNodeClassKind } from '@kerf/provider-proxmox/node-class'
import { nodePool, pod } from '@kerf/testing'
import { expect, onTestFinished, test } from 'vitest'
import { runPlan } from '../../../../packages/cli/src/plan/run-plan.ts'

/** Plans for one pod of three CPUs. */
const plan = async (output: 'json' | 'table', status: object = {}): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'kerf-plan-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const nodeClassRef = { group: proxmoxNodeClassKind.group, kind: proxmoxNodeClassKind.kind, name: 'default' }
  const items = [
    { ...proxmoxNodeClassDescriptor.example, status },
    nodePool('general', { requirements: [], templateSpec: { nodeClassRef } }),
    pod('a', { requests: { cpu: '3' } }),
  ]
  const file = join(folder, 'cluster.json')
  await writeFile(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }))
  let text = ''
  const stream = { write: (part: string) => (text += part) }
  await runPlan(
    { diff: false, explainCost: false, output, filename: [file], instanceTypes: 'proxmox' },
    { stdout: stream, stderr: output === 'json' ? { write: () => undefined } : stream, env: {} },
  )
  return text
}

test('a plan minimises the weight, and states that the weight is not an amount of money', async () => {
  const { nodeClaims } = JSON.parse(await plan('json'))
  const price = expect.closeTo(4 * 0.025 + (8 * 1024 ** 3 * 0.001) / 1e9, 9)
  expect(nodeClaims).toMatchObject([
    { zones: ['pve-1', 'pve-2', 'pve-3'], cheapest: { instanceType: 'c1.4VCPU-8GB', price } },
  ])
  const text = await plan('table')
  expect(text).toContain(
    'guests of Proxmox have no prices: the plan minimises a weight, which is not an amount of money',
  )
  expect(text).toContain('0.025 for each CPU and 0.001 for each 10^9 bytes of memory, half of it for spot')
  expect(text).toContain('NodeOverlays set prices')
})

test('a class that the controller has resolved has its own hypervisors', async () => {
  const { nodeClaims } = JSON.parse(await plan('json', { selectedZones: ['lab/pve-9/9000'] }))
  expect(nodeClaims).toMatchObject([{ zones: ['pve-9'] }])
})
