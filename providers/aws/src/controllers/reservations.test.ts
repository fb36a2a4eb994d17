import type { CapacityReservation } from '@aws-sdk/client-ec2'
import { type KubeObject, karpenterKinds, kinds, labels } from '@kerf/apis'
import { ApiError } from '@kerf/runtime'
import { node as buildNode } from '@kerf/testing'
import { expect, onTestFinished, test } from 'vitest'
import { parseProviderId } from '../instances/provider-id.ts'
import { awsLabels } from '../label-names.ts'
import { createAwsHarness, never } from '../testing/aws-harness.ts'

const HOUR = 3_600_000
const NOW = Date.UTC(2026, 0, 1)

test('reservations are used first, and become on-demand when they end; capacity blocks are drained before their end', async () => {
  const harness = await createAwsHarness({
    spec: { capacityReservationSelectorTerms: [{ tags: { team: '*' } }] },
    before: ({ ec2 }) => {
      const common = {
        OwnerId: '123456789012',
        InstanceMatchCriteria: 'targeted' as const,
        State: 'active' as const,
        Tags: [{ Key: 'team', Value: 'a' }],
      }
      ec2.reservations = [
        {
          ...common,
          CapacityReservationId: 'cr-1',
          InstanceType: 'r5.large',
          AvailabilityZone: 'us-east-1b',
          AvailableInstanceCount: 1,
        },
        {
          ...common,
          CapacityReservationId: 'cr-2',
          InstanceType: 'm5.4xlarge',
          AvailabilityZone: 'us-east-1c',
          AvailableInstanceCount: 1,
          ReservationType: 'capacity-block',
          EndDate: new Date(NOW + 2 * HOUR),
        },
        {
          ...common,
          CapacityReservationId: 'cr-3',
          InstanceType: 'c5.large',
          AvailabilityZone: 'us-east-1a',
          EndDate: new Date(NOW - 1),
        },
      ]
    },
  })
  try {
    const { aws, client, clock, provider } = harness
    expect(
      (await harness.nodeClass()).status?.capacityReservations?.map(({ id, reservationType }) => [id, reservationType]),
    ).toEqual([
      ['cr-1', 'default'],
      ['cr-2', 'capacity-block'],
    ])
    const launch = async (name: string, type: string) => {
      const claim = await harness.claim(name, {
        requirements: [{ key: labels.instanceType, operator: 'In', values: [type, 'm5.large'] }],
      })
      const view = await provider.create(claim, never)
      const ref = { name }
      await client.patch(karpenterKinds.NodeClaim, ref, { type: 'merge', body: { metadata: { labels: view.labels } } })
      const { providerID, imageID } = view
      await client.patch(
        karpenterKinds.NodeClaim,
        ref,
        { type: 'merge', body: { status: { providerID, imageID } } },
        { subresource: 'status' },
      )
      await clock.advance(1_000)
      return view
    }
    const view = await launch('a', 'r5.large')
    expect(view.labels).toMatchObject({
      [labels.instanceType]: 'r5.large',
      [labels.zone]: 'us-east-1b',
      [labels.capacityType]: 'reserved',
      [awsLabels.capacityReservationId]: 'cr-1',
      [awsLabels.capacityReservationType]: 'default',
      [awsLabels.capacityReservationInterruptible]: 'false',
    })
    // Kerf subtracts the first launch, so it treats the reservation as full and does not request it again.
    expect((await launch('b', 'r5.large')).labels[labels.capacityType]).not.toBe('reserved')
    expect((await launch('c', 'm5.4xlarge')).labels[awsLabels.capacityReservationId]).toBe('cr-2')

    const id = parseProviderId(view.providerID)?.instanceId ?? ''
    await client.create(
      kinds.Node,
      buildNode('n', { labels: { ...view.labels, [labels.registered]: 'true' }, providerID: view.providerID }),
    )
    const instance = aws.ec2.instances.get(id)
    if (instance === undefined) throw new Error('the instance runs')
    const { CapacityReservationId: _, ...rest } = instance.data
    aws.ec2.instances.set(id, { ...instance, data: rest })
    await clock.advance(61_000)
    const claim = await client.get(karpenterKinds.NodeClaim, { name: 'a' })
    const node = await client.get(kinds.Node, { name: 'n' })
    for (const { metadata } of [claim, node]) {
      expect(metadata.labels).toMatchObject({
        [labels.capacityType]: 'on-demand',
        [awsLabels.capacityReservationInterruptible]: 'false',
      })
      expect(metadata.labels).not.toHaveProperty([awsLabels.capacityReservationId])
    }
    expect(await provider.isDrifted(claim, never)).toBeUndefined()

    // Kerf drains the nodes of a capacity block forty minutes before the block ends.
    await clock.advance(HOUR)
    expect((await client.list(karpenterKinds.NodeClaim)).items.map(({ metadata }) => metadata.name)).toContain('c')
    await clock.advance(25 * 60_000)
    expect((await client.list(karpenterKinds.NodeClaim)).items.map(({ metadata }) => metadata.name).toSorted()).toEqual(
      ['a', 'b'],
    )
    expect(
      (await harness.nodeClass()).status?.capacityReservations?.find(({ id: each }) => each === 'cr-2')?.state,
    ).toBe('expiring')
  } finally {
    harness.stop()
  }
})

test('with the feature gate off there are no reservations, and no pod waits for one', async () => {
  const harness = await createAwsHarness({
    reservedCapacity: false,
    spec: { capacityReservationSelectorTerms: [{ id: 'cr-1' }] },
  })
  try {
    const { conditions = [], capacityReservations } = (await harness.nodeClass()).status ?? {}
    expect(conditions.map(({ type }) => type)).not.toContain('CapacityReservationsReady')
    expect(conditions.find(({ type }) => type === 'Ready')?.status).toBe('True')
    expect(capacityReservations).toBeUndefined()
  } finally {
    harness.stop()
  }
})

test('a node is drained from its block before the end, even if no class selects the block any more', async () => {
  const harness = await createAwsHarness({
    spec: { capacityReservationSelectorTerms: [{ id: 'cr-2' }] },
    before: ({ ec2 }) => {
      ec2.reservations = [
        {
          OwnerId: '123456789012',
          InstanceMatchCriteria: 'targeted',
          State: 'active',
          CapacityReservationId: 'cr-2',
          InstanceType: 'm5.4xlarge',
          AvailabilityZone: 'us-east-1c',
          AvailableInstanceCount: 1,
          ReservationType: 'capacity-block',
          EndDate: new Date(NOW + 2 * HOUR),
        },
      ]
    },
  })
  try {
    const { client, clock, provider } = harness
    const claim = await harness.claim('c', {
      requirements: [{ key: labels.instanceType, operator: 'In', values: ['m5.4xlarge'] }],
    })
    const { labels: found } = await provider.create(claim, never)
    expect(found[awsLabels.capacityReservationId]).toBe('cr-2')
    await client.patch(
      karpenterKinds.NodeClaim,
      { name: 'c' },
      { type: 'merge', body: { metadata: { labels: found } } },
    )
    await harness.change({ capacityReservationSelectorTerms: [{ tags: { no: 'such' } }] })
    const names = async () => (await client.list(karpenterKinds.NodeClaim)).items.map(({ metadata }) => metadata.name)
    await clock.advance(NOW + 2 * HOUR - 42 * 60_000 - clock.now())
    expect((await harness.nodeClass()).status?.capacityReservations ?? []).toEqual([])
    expect(await names()).toEqual(['c'])
    await clock.advance(4 * 60_000)
    expect(await names()).toEqual([])
  } finally {
    harness.stop()
  }
})

/**
 * Creates three NodeClaims with reserved instances. Afterwards a webhook of the cluster denies the requests for which `refuses` returns
 * true.
 */
const threeReserved = async (
  reservation: Partial<CapacityReservation>,
  refuses: (verb: string, kind: string, name: string) => boolean,
) => {
  const state = { isRefusing: false, refused: 0 }
  const harness = await createAwsHarness({
    spec: { capacityReservationSelectorTerms: [{ id: 'cr-1' }] },
    before: ({ ec2 }) => {
      ec2.reservations = [
        {
          OwnerId: '123456789012',
          InstanceMatchCriteria: 'targeted',
          State: 'active',
          CapacityReservationId: 'cr-1',
          InstanceType: 'm5.4xlarge',
          AvailabilityZone: 'us-east-1c',
          AvailableInstanceCount: 3,
          ...reservation,
        },
      ]
    },
    interceptor: {
      before: ({ verb, kind, ref }) => {
        if (!state.isRefusing || !refuses(verb, kind?.kind ?? '', ref?.name ?? '')) return
        state.refused++
        throw new ApiError({ code: 403, reason: 'Forbidden', message: 'a webhook does not allow it' })
      },
    },
  })
  onTestFinished(() => harness.stop())
  const { aws, client, clock, provider } = harness
  for (const name of ['a', 'b', 'c']) {
    const requirements = [{ key: labels.instanceType, operator: 'In' as const, values: ['m5.4xlarge'] }]
    const view = await provider.create(await harness.claim(name, { requirements }), never)
    expect(view.labels[awsLabels.capacityReservationId]).toBe('cr-1')
    const { providerID } = view
    const body = { metadata: { labels: view.labels } }
    await client.patch(karpenterKinds.NodeClaim, { name }, { type: 'merge', body })
    const status = { type: 'merge', body: { status: { providerID } } } as const
    await client.patch(karpenterKinds.NodeClaim, { name }, status, { subresource: 'status' })
    await client.create(
      kinds.Node,
      buildNode(`node-${name}`, { labels: { ...view.labels, [labels.registered]: 'true' }, providerID }),
    )
  }
  await clock.advance(1_000)
  state.isRefusing = true
  return { aws, client, clock, state }
}

test('a node that must not be relabelled does not stop the others', async () => {
  const { aws, client, clock, state } = await threeReserved({}, (verb, kind, name) => {
    return verb === 'patch' && kind === 'Node' && name === 'node-a'
  })
  for (const [id, instance] of aws.ec2.instances) {
    const { CapacityReservationId: _, ...data } = instance.data
    aws.ec2.instances.set(id, { ...instance, data })
  }
  await clock.advance(61_000)
  const reserved = ({ metadata }: KubeObject): readonly string[] =>
    metadata.labels?.[labels.capacityType] === 'reserved' ? [metadata.name] : []
  expect((await client.list(kinds.Node)).items.flatMap(reserved)).toEqual(['node-a'])
  expect((await client.list(karpenterKinds.NodeClaim)).items.flatMap(reserved)).toEqual(['a'])
  expect(state.refused).toBeGreaterThan(0)
  // Kerf retries the relabelling. It succeeds as soon as the webhook allows it.
  state.isRefusing = false
  await clock.advance(61_000)
  expect((await client.list(kinds.Node)).items.flatMap(reserved)).toEqual([])
})

test('when a block ends, a claim that must not be deleted does not stop the others', async () => {
  const { client, clock, state } = await threeReserved(
    { ReservationType: 'capacity-block', EndDate: new Date(NOW + 2 * HOUR) },
    (verb, kind, name) => verb === 'delete' && kind === 'NodeClaim' && name === 'a',
  )
  await clock.advance(NOW + 2 * HOUR - 38 * 60_000 - clock.now())
  const names = async () => (await client.list(karpenterKinds.NodeClaim)).items.map(({ metadata }) => metadata.name)
  expect(await names()).toEqual(['a'])
  expect(state.refused).toBeGreaterThan(0)
  state.isRefusing = false
  await clock.advance(61_000)
  expect(await names()).toEqual([])
})
