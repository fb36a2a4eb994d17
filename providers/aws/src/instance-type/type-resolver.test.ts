import { expect, test } from 'vitest'
import { createAwsHarness, never } from '../testing/aws-harness.ts'

test('types that did not change are the same objects, even if other types run out of capacity', async () => {
  const harness = await createAwsHarness()
  try {
    const { types, insufficient } = harness.provider.deps
    const nodeClass = await harness.nodeClass()
    const before = await types.resolve(nodeClass, never)
    expect(await types.resolve(nodeClass, never)).toBe(before)
    insufficient.markOffering(
      { capacityType: 'spot', instanceType: 'm5.large', zone: 'us-east-1a' },
      'InsufficientInstanceCapacity',
    )
    const after = await types.resolve(nodeClass, never)
    expect(after.filter((type, index) => type !== before[index]).map(({ name }) => name)).toEqual(['m5.large'])
    insufficient.markSubnet('subnet-b', 'InsufficientFreeAddressesInSubnet')
    const third = await types.resolve(nodeClass, never)
    const open = third.flatMap(({ offerings }) => offerings.filter(({ available }) => available))
    expect(open.some(({ requirements }) => requirements.some(({ values }) => values?.includes('us-east-1b')))).toBe(
      false,
    )
    await harness.clock.advance(181_000)
    expect(await types.resolve(nodeClass, never)).toEqual(before)
  } finally {
    harness.stop()
  }
})

test('another order of the subnets changes nothing, but other subnets do', async () => {
  const harness = await createAwsHarness()
  try {
    const { types } = harness.provider.deps
    const nodeClass = await harness.nodeClass()
    const before = await types.resolve(nodeClass, never)
    const subnets = nodeClass.status?.subnets ?? []
    const reordered = { ...nodeClass, status: { ...nodeClass.status, subnets: subnets.toReversed() } }
    expect(await types.resolve(reordered, never)).toBe(before)
    const fewer = { ...nodeClass, status: { ...nodeClass.status, subnets: subnets.slice(0, 1) } }
    expect(await types.resolve(fewer, never)).not.toBe(before)
    await expect(types.resolve({ ...nodeClass, status: { subnets: [] } }, never)).rejects.toThrow(/has no subnets yet/)
  } finally {
    harness.stop()
  }
})

test('the memory that nodes reported replaces the estimate, until the image changes', async () => {
  const harness = await createAwsHarness()
  try {
    const { types, discoveredMemory } = harness.provider.deps
    const nodeClass = await harness.nodeClass()
    const resolvedMemory = async (of = nodeClass) =>
      (await types.resolve(of, never)).find(({ name }) => name === 'm5.large')?.capacity['memory']
    const estimate = await resolvedMemory()
    const seen = 7_900_000_000_000_000_000n as NonNullable<typeof estimate>
    discoveredMemory.observe(nodeClass, 'm5.large', seen)
    expect(await resolvedMemory()).toBe(seen)
    // An amount that is larger than that of another node is ignored.
    discoveredMemory.observe(nodeClass, 'm5.large', (seen + 1n) as typeof seen)
    expect(await resolvedMemory()).toBe(seen)
    const [image] = nodeClass.status?.amis ?? []
    const other = {
      ...nodeClass,
      status: { ...nodeClass.status, amis: image === undefined ? [] : [{ ...image, id: 'ami-new' }] },
    }
    expect(await resolvedMemory(other)).toBe(estimate)
  } finally {
    harness.stop()
  }
})
