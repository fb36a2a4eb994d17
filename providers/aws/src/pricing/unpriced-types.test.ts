import { groupVersion, karpenterKinds, labels } from '@kerf/apis'
import { isInsufficientCapacity, offeringCoordinates } from '@kerf/provider-contract'
import { expect, test, vi } from 'vitest'
import { type AwsHarness, createAwsHarness, never } from '../testing/aws-harness.ts'
import { ec2Type } from '../testing/type-table.ts'

/** An instance type that no price list contains yet. */
const TYPE = 'm99.large'

const newType = (nodeOverlay: boolean): Promise<AwsHarness> =>
  createAwsHarness({
    nodeOverlay,
    before: ({ ec2 }) => {
      ec2.types = [...ec2.types, { ...ec2Type('m5.large'), InstanceType: TYPE }]
      ec2.unpriced.add(TYPE)
    },
  })

const typeOfferings = async ({ provider, pool }: AwsHarness) =>
  (await provider.instanceTypes(pool(), never))
    .filter(({ name }) => name === TYPE)
    .flatMap((type) =>
      type.offerings.map((offering) => ({
        ...offeringCoordinates(type, offering),
        ...offering,
        requirements: undefined,
      })),
    )

const request = { requirements: [{ key: labels.instanceType, operator: 'In' as const, values: [TYPE] }] }

const overlay = async ({ client, clock }: AwsHarness, spec: object, isValid = true): Promise<void> => {
  const kind = karpenterKinds.NodeOverlay
  const object = { apiVersion: groupVersion(kind), kind: kind.kind, metadata: { name: 'price' }, spec } as never
  await client.create(kind, object)
  const conditions = ['ValidationSucceeded', 'Ready'].map((type) => ({
    type,
    status: isValid ? 'True' : 'False',
    reason: type,
    message: '',
    lastTransitionTime: '2026-01-01T00:00:00Z',
  }))
  const body = { status: { conditions } }
  await client.patch(kind, { name: 'price' }, { type: 'merge', body }, { subresource: 'status' })
  await clock.advance(1_000)
}

test('a type without a price stays listed in every zone, unavailable, because its nodes still need their type', async () => {
  const harness = await newType(false)
  try {
    const offerings = await typeOfferings(harness)
    expect(offerings.map(({ capacityType, zone }) => `${capacityType} ${zone}`).toSorted()).toEqual(
      ['on-demand', 'spot'].flatMap((kind) => ['a', 'b', 'c'].map((zone) => `${kind} us-east-1${zone}`)),
    )
    expect(offerings.every(({ available, price }) => !available && price === undefined)).toBe(true)
    const failure = await harness.provider
      .create(await harness.claim('a', request), never)
      .catch((error: unknown) => error)
    expect(isInsufficientCapacity(failure)).toBe(true)
    expect(harness.aws.ec2.launches).toEqual([])
  } finally {
    harness.stop()
  }
})

const byType = { price: '1.5', requirements: [{ key: labels.instanceType, operator: 'In', values: [TYPE] }] }

test('a NodeOverlay with a price makes the type available, for plans and launches', async () => {
  const harness = await newType(true)
  try {
    await overlay(harness, byType)
    const offerings = await typeOfferings(harness)
    expect(offerings).toHaveLength(6)
    expect(offerings.every(({ available, price }) => available && price === 1.5)).toBe(true)
    await harness.provider.create(await harness.claim('a', request), never)
    expect(harness.aws.ec2.launches.map(({ type }) => type)).toEqual([TYPE])
    // After the overlay is deleted, the instance type has no price.
    await harness.client.delete(karpenterKinds.NodeOverlay, { name: 'price' })
    await harness.clock.advance(1_000)
    expect((await typeOfferings(harness)).every(({ available }) => !available)).toBe(true)
  } finally {
    harness.stop()
  }
})

test('a declared price makes the type available, and launches compare with it', async () => {
  const harness = await newType(false)
  try {
    harness.declare(
      { instanceType: TYPE, capacityType: 'on-demand', price: 0.01, asOf: 0 },
      { instanceType: 'm5.large', capacityType: 'on-demand', price: 9, asOf: 0 },
    )
    const offerings = await typeOfferings(harness)
    expect(
      offerings.filter(({ available }) => available).map(({ capacityType, price }) => [capacityType, price]),
    ).toEqual(Array.from({ length: 3 }, () => ['on-demand', 0.01]))
    const requirements = [
      { key: labels.instanceType, operator: 'In' as const, values: [TYPE, 'm5.large'] },
      { key: labels.capacityType, operator: 'In' as const, values: ['on-demand'] },
    ]
    const call = vi.spyOn(harness.aws.ec2, 'createFleet')
    await harness.provider.create(await harness.claim('a', { requirements }), never)
    const overrides = call.mock.calls[0]?.[0].LaunchTemplateConfigs?.flatMap(({ Overrides = [] }) => Overrides) ?? []
    expect(new Set(overrides.map(({ InstanceType, Priority }) => `${InstanceType} ${Priority}`))).toEqual(
      new Set([`${TYPE} 0.01`, 'm5.large 9']),
    )
    harness.declare()
    expect((await typeOfferings(harness)).every(({ available }) => !available)).toBe(true)
  } finally {
    harness.stop()
  }
})

test.each([
  ['that is refused', byType, false],
  ['that adjusts an unknown price', { ...byType, price: undefined, priceAdjustment: '+10%' }, true],
])('a NodeOverlay %s does not make it available', async (_what, spec, isValid) => {
  const harness = await newType(true)
  try {
    await overlay(harness, spec, isValid)
    expect((await typeOfferings(harness)).every(({ available }) => !available)).toBe(true)
  } finally {
    harness.stop()
  }
})
