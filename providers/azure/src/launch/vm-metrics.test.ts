import { expect, onTestFinished, test } from 'vitest'
import { createAzureHarness } from '../testing/azure-harness.ts'
import { expectRejection, launch, minutes, never } from '../testing/launch.ts'

const about = (zone: string) =>
  `size="Standard_D2_v5",zone="southcentralus-${zone}",capacity_type="on-demand",nodepool="default"`

const harness = async () => {
  const made = await createAzureHarness({ durations: { nic: 0, creation: 20_000, deletion: 4_000 } })
  onTestFinished(() => made.stop())
  return made
}

const parseLines = (text: string): readonly string[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('karpenter_instance_vm_create'))
    .map((line) => line.replace(/image="[^"]+",/, ''))

const inZone = (zone: string) => ({
  requirements: [
    { key: 'node.kubernetes.io/instance-type', operator: 'In' as const, values: ['Standard_D2_v5'] },
    { key: 'topology.kubernetes.io/zone', operator: 'In' as const, values: [`southcentralus-${zone}`] },
    { key: 'karpenter.sh/capacity-type', operator: 'In' as const, values: ['on-demand'] },
  ],
})

test('a VM that Azure accepts is counted as started', async () => {
  const own = await harness()
  await launch(own, 'a', inZone('1'))
  expect(parseLines(await own.metrics())).toEqual([`karpenter_instance_vm_create_start_total{${about('1')}} 1`])
})

test('a refusal is counted with its code', async () => {
  const own = await harness()
  own.azure.vms.stockOuts = [{}]
  await expectRejection(own.provider.create(await own.claim('a', inZone('2')), never))
  expect(parseLines(await own.metrics())).toEqual([
    `karpenter_instance_vm_create_start_total{${about('2')}} 1`,
    `karpenter_instance_vm_create_failure_total{${about('2')},phase="sync",error_code="OverconstrainedZonalAllocationRequest"} 1`,
  ])
})

test('a VM that fails after it was accepted is counted separately', async () => {
  const own = await harness()
  own.azure.vms.laterFailures = [
    { pattern: {}, failure: { code: 'ZonalAllocationFailed', message: 'Allocation failed.' } },
  ]
  await launch(own, 'a', inZone('1'))
  await own.clock.advance(minutes(1))
  expect(parseLines(await own.metrics())).toContain(
    `karpenter_instance_vm_create_failure_total{${about('1')},phase="async",error_code="ZonalAllocationFailed"} 1`,
  )
})
