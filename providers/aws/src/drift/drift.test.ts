import { type Condition, labels, type NodeClaim } from '@kerf/apis'
import { isNodeClaimNotFound, isNotKnownYet } from '@kerf/provider-contract'
import { PrometheusMetrics, VirtualClock } from '@kerf/runtime'
import { nodeClaim } from '@kerf/testing'
import { expect, test } from 'vitest'
import type { AwsDeps } from '../aws-deps.ts'
import { PlacementGroups } from '../discovery/placement-groups.ts'
import { Instances } from '../instances/instances.ts'
import { awsProviderId } from '../instances/provider-id.ts'
import { awsLabels } from '../label-names.ts'
import { awsAnnotations } from '../labels.ts'
import type { EC2NodeClass, EC2NodeClassSpec } from '../node-class/ec2-node-class.ts'
import { CLASS, classRef, nodeClassSpec } from '../testing/aws-harness.ts'
import { ec2NodeClass } from '../testing/ec2-node-class.ts'
import { instantWindows } from '../testing/fake-aws/fake-aws.ts'
import { FakeEc2 } from '../testing/fake-aws/fake-ec2.ts'
import { is, offeredType } from '../testing/offered-type.ts'
import { selectedReservation } from '../testing/reservation.ts'
import { driftReason } from './drift.ts'

// See `providers/aws/docs/spec/aws-node-class.md#drift-reasons`.

const never = new AbortController().signal
const RESERVATIONS_KNOWN: Condition = {
  type: 'CapacityReservationsReady',
  status: 'True',
  reason: 'Ready',
  message: '',
  lastTransitionTime: '2026-01-01T00:00:00Z',
}
const status: NonNullable<EC2NodeClass['status']> = {
  amis: [{ id: 'ami-x86', requirements: [{ key: labels.arch, operator: 'In', values: ['amd64'] }] }],
  subnets: [
    { id: 'subnet-b', zone: 'us-east-1b' },
    { id: 'subnet-a', zone: 'us-east-1a' },
  ],
  securityGroups: [{ id: 'sg-1' }],
  conditions: [RESERVATIONS_KNOWN],
}

/** Creates an on-demand node that matches its node class except for the given changes. */
const harness = (changes: { readonly reservedCapacity?: boolean } = {}) => {
  const clock = new VirtualClock()
  const ec2 = new FakeEc2(clock, { terminationDelay: 0 })
  const id = ec2.plant({ 'eks:eks-cluster-name': 'demo' }, 600_000)
  const reservedCapacity = changes.reservedCapacity ?? true
  const instances = new Instances(
    {
      ec2,
      clock: instantWindows(clock),
      metrics: new PrometheusMetrics(),
      isZoneShifted: () => false,
      launchTime: () => undefined,
    },
    { clusterName: 'demo', reservedCapacity },
  )
  const types = ['m5.large', 's390.large'].map((name) =>
    offeredType(name, [], {}, [is(labels.arch, name === 'm5.large' ? 'amd64' : 's390x')]),
  )
  const deps = {
    instances,
    groups: new PlacementGroups(ec2, clock),
    types: { resolve: async () => types },
    options: { reservedCapacity },
  } as unknown as AwsDeps
  const reasonFor = (
    change: {
      readonly spec?: Partial<EC2NodeClassSpec>
      readonly status?: Partial<typeof status>
      readonly labels?: Readonly<Record<string, string>>
      readonly imageID?: string
      readonly providerID?: string
      readonly hashes?: readonly [claim: string, nodeClass: string]
    } = {},
  ): Promise<string | undefined> => {
    const hashed = (value: string | undefined) =>
      value === undefined
        ? {}
        : { annotations: { [awsAnnotations.nodeClassHash]: value, [awsAnnotations.nodeClassHashVersion]: 'v6' } }
    const claim: NodeClaim = nodeClaim('claim', {
      spec: { nodeClassRef: classRef },
      providerID: change.providerID ?? awsProviderId('us-east-1a', id),
      status: { imageID: change.imageID ?? 'ami-x86' },
      metadata: {
        labels: { ...(change.labels ?? { [labels.instanceType]: 'm5.large' }) },
        ...hashed(change.hashes?.[0]),
      },
    })
    const nodeClass: EC2NodeClass = ec2NodeClass(CLASS, {
      spec: { ...nodeClassSpec, ...change.spec },
      status: { ...status, ...change.status },
      metadata: { ...hashed(change.hashes?.[1]) },
    })
    return driftReason(claim, nodeClass, deps, never)
  }
  const change = (data: object): void => {
    const instance = ec2.instances.get(id)
    if (instance !== undefined) ec2.instances.set(id, { ...instance, data: { ...instance.data, ...data } })
  }
  return { clock, ec2, id, instances, reasonFor, change }
}
const thrownError = async (work: Promise<unknown>): Promise<unknown> => {
  try {
    await work
  } catch (error) {
    return error
  }
  throw new Error('it did not fail')
}

test('a node that matches its class has not drifted', async () => {
  expect(await harness().reasonFor()).toBeUndefined()
})

test('a different class hash takes precedence, whatever else is unknown', async () => {
  const { reasonFor } = harness()
  expect(await reasonFor({ hashes: ['1', '2'], imageID: '', status: { amis: [] } })).toBe('NodeClassDrift')
  expect(await reasonFor({ hashes: ['1', '1'] })).toBeUndefined()
})

test('an image that the class would not choose for the type is drift, and EC2 is not asked', async () => {
  const { ec2, reasonFor } = harness()
  expect(await reasonFor({ imageID: 'ami-old', providerID: 'aws:///us-east-1a/i-00000000000000fff' })).toBe('AMIDrift')
  expect(ec2.faults.count('describeInstances', 'listInstances')).toBe(0)
})

test.each<[string, Parameters<ReturnType<typeof harness>['reasonFor']>[0], boolean]>([
  ['the class has no images', { status: { amis: [] } }, true],
  ['the claim does not say its image', { imageID: '' }, true],
  ['no image is made for the type', { labels: { [labels.instanceType]: 's390.large' } }, true],
  ['the class has no security groups', { status: { securityGroups: [] } }, true],
  ['the class has no subnets', { status: { subnets: [] } }, true],
  ['the placement group is not there', { spec: { placementGroupSelector: { name: 'near' } } }, true],
  ['the claim does not say its type', { labels: {} }, false],
  ['EC2 does not offer the type', { labels: { [labels.instanceType]: 'm1.large' } }, false],
])('while %s no drift is reported', async (_what, change, passes) => {
  const { reasonFor } = harness()
  expect(isNotKnownYet(await thrownError(reasonFor(change)))).toBe(passes)
})

test('a claim without an instance, or whose instance is gone, has no node to compare', async () => {
  const { ec2, id, reasonFor } = harness()
  expect(isNodeClaimNotFound(await thrownError(reasonFor({ providerID: 'kwok://x' })))).toBe(true)
  ec2.end(id)
  expect(isNodeClaimNotFound(await thrownError(reasonFor()))).toBe(true)
})

test.each<[string, readonly string[], readonly string[], boolean]>([
  ['the same, in another order', ['sg-2', 'sg-1'], ['sg-1', 'sg-2'], false],
  ['one more', ['sg-1', 'sg-2'], ['sg-1'], true],
  ['one less', ['sg-1'], ['sg-1', 'sg-2'], true],
  ['others', ['sg-1', 'sg-3'], ['sg-1', 'sg-2'], true],
])('security groups: %s', async (_what, actual, wanted, drifted) => {
  const { reasonFor, change } = harness()
  change({ SecurityGroups: actual.map((GroupId) => ({ GroupId })) })
  const reason = await reasonFor({ status: { securityGroups: wanted.map((id) => ({ id })) } })
  expect(reason).toBe(drifted ? 'SecurityGroupDrift' : undefined)
})

test('a node in a subnet that the class does not select has drifted', async () => {
  const { reasonFor } = harness()
  expect(await reasonFor({ status: { subnets: [{ id: 'subnet-b', zone: 'us-east-1b' }] } })).toBe('SubnetDrift')
})

test('of several differences, the first one in Karpenter’s order is reported', async () => {
  const { reasonFor } = harness()
  const subnets = [{ id: 'subnet-b', zone: 'us-east-1b' }]
  expect(await reasonFor({ status: { subnets, securityGroups: [{ id: 'sg-9' }] } })).toBe('SecurityGroupDrift')
  const grouped = { [labels.instanceType]: 'm5.large', [awsLabels.placementGroupId]: 'pg-1' }
  expect(await reasonFor({ status: { subnets }, labels: grouped })).toBe('SubnetDrift')
  expect(await reasonFor({ labels: grouped })).toBe('PlacementGroupDrift')
})

test('fields that are not in memory are read from EC2', async () => {
  const { ec2, id, instances, reasonFor, change } = harness()
  const { subnetId: _, ...known } = await instances.get(id, 'cloud', never)
  instances.remember(known)
  const before = ec2.faults.count('describeInstances')
  expect(await reasonFor()).toBeUndefined()
  expect(ec2.faults.count('describeInstances')).toBe(before + 1)
  expect(await reasonFor()).toBeUndefined()
  expect(ec2.faults.count('describeInstances')).toBe(before + 1)
  instances.remember({ ...known, subnetId: 'subnet-a', securityGroupIds: [] })
  change({ SecurityGroups: [] })
  expect(isNotKnownYet(await thrownError(reasonFor()))).toBe(true)
})

const inReservation = (id: string) => ({
  CapacityReservationId: id,
  CapacityReservationSpecification: { CapacityReservationPreference: 'capacity-reservations-only' as const },
})

test('a reserved node whose reservation the class does not select has drifted, after EC2 was read once more', async () => {
  const { ec2, id, instances, reasonFor, change } = harness()
  change(inReservation('cr-1'))
  await instances.list(never)
  expect(await reasonFor({ status: { capacityReservations: [selectedReservation()] } })).toBeUndefined()
  expect(await reasonFor()).toBe('CapacityReservationDrift')
  await instances.get(id, 'cloud', never)
  // The reservation has ended, so the instance keeps running as on-demand, which is not drift.
  change({ CapacityReservationId: undefined })
  const before = ec2.faults.count('describeInstances')
  expect(await reasonFor()).toBeUndefined()
  expect(ec2.faults.count('describeInstances')).toBe(before + 1)
})

test('while the reservations of the class are unknown, no drift is reported for a reserved node, but other nodes are checked', async () => {
  const of = harness()
  of.change(inReservation('cr-1'))
  expect(isNotKnownYet(await thrownError(of.reasonFor({ status: { conditions: [] } })))).toBe(true)
  const plain = harness()
  expect(await plain.reasonFor({ status: { conditions: [], subnets: [{ id: 'x', zone: 'z' }] } })).toBe('SubnetDrift')
  const off = harness({ reservedCapacity: false })
  off.change(inReservation('cr-1'))
  expect(await off.reasonFor({ status: { conditions: [] } })).toBeUndefined()
})

test('a node in another placement group, or in none, has drifted', async () => {
  const { ec2, reasonFor } = harness()
  ec2.placementGroups.push({ GroupId: 'pg-1', GroupName: 'near', Strategy: 'cluster', State: 'available' })
  const spec = { placementGroupSelector: { name: 'near' } }
  const own = (group: string) => ({ [labels.instanceType]: 'm5.large', [awsLabels.placementGroupId]: group })
  expect(await reasonFor({ spec, labels: own('pg-1') })).toBeUndefined()
  expect(await reasonFor({ spec, labels: own('pg-2') })).toBe('PlacementGroupDrift')
  expect(await reasonFor({ spec })).toBe('PlacementGroupDrift')
  expect(await reasonFor({ labels: own('') })).toBeUndefined()
  // The instance is in the placement group, but the NodeClaim never got the label.
  const told = harness()
  told.ec2.placementGroups.push({ GroupId: 'pg-1', GroupName: 'near', Strategy: 'cluster', State: 'available' })
  told.change({ Placement: { AvailabilityZone: 'us-east-1a', GroupId: 'pg-1' } })
  expect(await told.reasonFor({ spec })).toBeUndefined()
  expect(await told.reasonFor()).toBe('PlacementGroupDrift')
})
