import { karpenterKinds, labels } from '@kerf/apis'
import { isInsufficientCapacity, offeringCoordinates } from '@kerf/provider-contract'
import { expect, test } from 'vitest'
import { awsLabels } from '../label-names.ts'
import { ec2NodeClassKind } from '../node-class/ec2-node-class.ts'
import { createAwsHarness, never } from '../testing/aws-harness.ts'

const is = (key: string, ...values: readonly string[]) => ({ key, operator: 'In' as const, values })

test('a launch into a partition group sets its partition on the instance and the claim', async () => {
  const harness = await createAwsHarness({
    spec: { placementGroupSelector: { name: 'near' } },
    before: ({ ec2 }) =>
      ec2.placementGroups.push({
        GroupId: 'pg-1',
        GroupName: 'near',
        Strategy: 'partition',
        PartitionCount: 3,
        State: 'available',
      }),
  })
  try {
    const { provider, aws } = harness
    const types = await provider.instanceTypes(harness.pool(), never)
    const partitions = types[0]?.requirements.find(({ key }) => key === awsLabels.placementGroupPartition)?.values
    expect(partitions).toEqual(['1', '2', '3'])
    const claim = await harness.claim('a', { requirements: [is(awsLabels.placementGroupPartition, '2', '3')] })
    const view = await provider.create(claim, never)
    expect(view.labels).toMatchObject({
      [awsLabels.placementGroupId]: 'pg-1',
      [awsLabels.placementGroupPartition]: '2',
    })
    const [instance] = aws.ec2.living()
    expect(instance?.data.Placement).toMatchObject({ GroupId: 'pg-1', PartitionNumber: 2 })
  } finally {
    harness.stop()
  }
})

test('a node waits until its partition is known, and gets its label', async () => {
  const harness = await createAwsHarness()
  try {
    const { provider, aws, client } = harness
    const [hook] = provider.hooks
    const view = await provider.create(await harness.claim('a'), never)
    await client.patch(
      karpenterKinds.NodeClaim,
      { name: 'a' },
      {
        type: 'merge',
        body: {
          metadata: { labels: { [awsLabels.placementGroupId]: 'pg-1', [awsLabels.placementGroupPartition]: '' } },
        },
      },
    )
    const body = { status: { providerID: view.providerID } }
    const claim = await client.patch(
      karpenterKinds.NodeClaim,
      { name: 'a' },
      { type: 'merge', body },
      { subresource: 'status' },
    )
    expect(await hook?.registered(claim, never)).toMatchObject({ ready: false })
    const [instance] = aws.ec2.living()
    if (instance === undefined) throw new Error('the instance runs')
    const Placement = { ...instance.data.Placement, GroupId: 'pg-1', PartitionNumber: 7 }
    aws.ec2.instances.set(instance.data.InstanceId, { ...instance, data: { ...instance.data, Placement } })
    expect(await hook?.registered(claim, never)).toEqual({
      ready: true,
      labels: { [awsLabels.placementGroupPartition]: '7' },
    })
    expect(await hook?.registered(await harness.claim('b'), never)).toEqual({ ready: true })
  } finally {
    harness.stop()
  }
})

test('a shortage in a placement group applies only to that group', async () => {
  const harness = await createAwsHarness({
    spec: { placementGroupSelector: { id: 'pg-1' } },
    before: ({ ec2 }) => ec2.placementGroups.push({ GroupId: 'pg-1', Strategy: 'cluster', State: 'available' }),
  })
  try {
    const { provider, aws } = harness
    const out = async () =>
      (await provider.instanceTypes(harness.pool(), never)).flatMap((type) =>
        type.offerings.filter(({ available }) => !available).map((offering) => offeringCoordinates(type, offering)),
      )
    const where = { instanceType: 'm5.large', zone: 'us-east-1a', capacityType: 'on-demand' }
    aws.ec2.stockOuts.push(where)
    const claim = await harness.claim('a', {
      requirements: [
        is(labels.instanceType, 'm5.large'),
        is(labels.zone, 'us-east-1a'),
        is(labels.capacityType, 'on-demand'),
      ],
    })
    const error = await provider.create(claim, never).catch((thrown: unknown) => thrown)
    expect(isInsufficientCapacity(error)).toBe(true)
    expect(await out()).toEqual([where])
    await harness.client.patch(
      ec2NodeClassKind,
      { name: 'default' },
      { type: 'merge', body: { spec: { placementGroupSelector: null } } },
    )
    await harness.clock.advance(1_000)
    expect(await out()).toEqual([])
  } finally {
    harness.stop()
  }
})
