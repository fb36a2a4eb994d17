import { karpenterKinds } from '@kerf/apis'
import { expect, onTestFinished, test } from 'vitest'
import { createAzureHarness } from '../testing/azure-harness.ts'
import { launch, minutes } from '../testing/launch.ts'

test('the network interface and the disk of a VM stay until the VM is gone, even without a NodeClaim', async () => {
  // With an immediate network interface, `launch` does not wait for the virtual clock.
  const harness = await createAzureHarness({ durations: { nic: 0, creation: 20_000, deletion: 4_000 } })
  onTestFinished(() => harness.stop())
  const { azure, client, clock } = harness
  const names = () => azure.resources().map(({ type, name }) => `${type} ${name}`)
  await launch(harness, 'a')
  azure.faults.standing('VirtualMachines_Delete', { code: 'AuthorizationFailed', status: 403 })
  await client.delete(karpenterKinds.NodeClaim, { name: 'a' })
  await clock.advance(minutes(15))
  expect(azure.vms.all()).toHaveLength(1)
  expect(azure.count('NetworkInterfaces_Delete', 'Disks_Delete')).toBe(0)
  azure.faults.recover()
  await clock.advance(minutes(15))
  expect(names()).toEqual([])
})
