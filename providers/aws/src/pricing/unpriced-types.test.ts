import { apiVersionOf, karpenterKinds, labels } from '@kerf/apis'
import { coordinatesOf, isInsufficientCapacity } from '@kerf/provider-contract'
import { expect, test } from 'vitest'
import { type AwsWorld, createAwsWorld, never } from '../testing/aws-world.ts'
import { ec2Type } from '../testing/type-table.ts'

/** A type that no price list contains yet. */
const TYPE = 'm99.large'

const newType = (nodeOverlay: boolean): Promise<AwsWorld> =>
  createAwsWorld({
    nodeOverlay,
    before: ({ ec2 }) => {
      ec2.types = [...ec2.types, { ...ec2Type('m5.large'), InstanceType: TYPE }]
      ec2.unpriced.add(TYPE)
    },
  })

const offeringsOf = async ({ provider, pool }: AwsWorld) =>
  (await provider.instanceTypes(pool(), never))
    .filter(({ name }) => name === TYPE)
    .flatMap((type) =>
      type.offerings.map((offering) => ({ ...coordinatesOf(type, offering), ...offering, requirements: undefined })),
    )

const request = { requirements: [{ key: labels.instanceType, operator: 'In' as const, values: [TYPE] }] }

const overlay = async ({ client, clock }: AwsWorld, spec: object, isValid = true): Promise<void> => {
  const kind = karpenterKinds.NodeOverlay
  const object = { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: { name: 'price' }, spec } as never
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
  const world = await newType(false)
  try {
    const offerings = await offeringsOf(world)
    expect(offerings.map(({ capacityType, zone }) => `${capacityType} ${zone}`).toSorted()).toEqual(
      ['on-demand', 'spot'].flatMap((kind) => ['a', 'b', 'c'].map((zone) => `${kind} us-east-1${zone}`)),
    )
    expect(offerings.every(({ available, price }) => !available && price === undefined)).toBe(true)
    const failure = await world.provider.create(await world.claim('a', request), never).catch((error: unknown) => error)
    expect(isInsufficientCapacity(failure)).toBe(true)
    expect(world.aws.ec2.launches).toEqual([])
  } finally {
    world.stop()
  }
})

const byType = { price: '1.5', requirements: [{ key: labels.instanceType, operator: 'In', values: [TYPE] }] }

test('a NodeOverlay with a price makes the type available, for plans and launches', async () => {
  const world = await newType(true)
  try {
    await overlay(world, byType)
    const offerings = await offeringsOf(world)
    expect(offerings).toHaveLength(6)
    expect(offerings.every(({ available, price }) => available && price === 1.5)).toBe(true)
    await world.provider.create(await world.claim('a', request), never)
    expect(world.aws.ec2.launches.map(({ type }) => type)).toEqual([TYPE])
    // Without the overlay the type has no price again.
    await world.client.delete(karpenterKinds.NodeOverlay, { name: 'price' })
    await world.clock.advance(1_000)
    expect((await offeringsOf(world)).every(({ available }) => !available)).toBe(true)
  } finally {
    world.stop()
  }
})

test.each([
  ['that is refused', byType, false],
  ['that adjusts what nobody knows', { ...byType, price: undefined, priceAdjustment: '+10%' }, true],
])('a NodeOverlay %s does not make it available', async (_what, spec, isValid) => {
  const world = await newType(true)
  try {
    await overlay(world, spec, isValid)
    expect((await offeringsOf(world)).every(({ available }) => !available)).toBe(true)
  } finally {
    world.stop()
  }
})
