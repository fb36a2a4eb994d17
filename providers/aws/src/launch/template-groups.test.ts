import { labels, type NodeClaim } from '@kerf/apis'
import type { RequirementSpec } from '@kerf/engine'
import { nodeClaim } from '@kerf/testing'
import { expect, test } from 'vitest'
import { awsLabels } from '../label-names.ts'
import { awsResources } from '../labels.ts'
import type { EC2NodeClass } from '../node-class/ec2-node-class.ts'
import { CLASS, classRef, nodeClassSpec } from '../testing/aws-harness.ts'
import { ec2NodeClass } from '../testing/ec2-node-class.ts'
import { type Buy, is, offeredType } from '../testing/offered-type.ts'
import { fleetOverrides, partitionFor, templateGroups } from './template-groups.ts'

// See `providers/aws/docs/spec/aws.md#launch-templates`, "Grouping", and `providers/aws/docs/spec/aws.md#instances`, step 3.

const nodeClass = (spec: Partial<EC2NodeClass['spec']> = {}): EC2NodeClass =>
  ec2NodeClass(CLASS, {
    spec: { ...nodeClassSpec, ...spec },
    status: {
      amis: [
        { id: 'ami-arm', requirements: [{ key: labels.arch, operator: 'In', values: ['arm64'] }] },
        { id: 'ami-x86', requirements: [{ key: labels.arch, operator: 'In', values: ['amd64'] }] },
      ],
    },
  })
const claimWith = (requirements: readonly RequirementSpec[] = [], requests?: Readonly<Record<string, string>>) =>
  nodeClaim('claim', {
    spec: {
      nodeClassRef: classRef,
      requirements: [...requirements],
      ...(requests === undefined ? {} : { resources: { requests } }),
    },
  }) as NodeClaim

const onDemand: readonly Buy[] = [{ as: 'on-demand', price: 1 }]
const amd = (name: string, buys = onDemand, extra: Readonly<Record<string, number>> = {}) =>
  offeredType(name, buys, extra, [is(labels.arch, 'amd64')])
const arm = (name: string) => offeredType(name, onDemand, {}, [is(labels.arch, 'arm64')])
const shape = (groups: ReturnType<typeof templateGroups>) =>
  groups.map(({ image, pods, efaCount, reservation, types }) => ({
    image: image.id,
    pods,
    efaCount,
    reservation: reservation?.id,
    types: types.map(({ name }) => name),
  }))

test('types with the same image and the same number of pods share a template; types without an image are left out', () => {
  const types = [
    amd('m5.large'),
    arm('m6g.large'),
    amd('c5.large'),
    amd('r5.large', onDemand, { pods: 58 }),
    offeredType('s390.large', onDemand, {}, [is(labels.arch, 's390x')]),
  ]
  const common = { efaCount: 0, reservation: undefined }
  expect(shape(templateGroups(types, nodeClass(), claimWith(), 'on-demand'))).toEqual([
    { ...common, image: 'ami-x86', pods: 29, types: ['m5.large', 'c5.large'] },
    { ...common, image: 'ami-arm', pods: 29, types: ['m6g.large'] },
    { ...common, image: 'ami-x86', pods: 58, types: ['r5.large'] },
  ])
})

test('EFA interfaces count if the claim requests them or the class lists its interfaces', () => {
  const types = [amd('p4d.24xlarge', onDemand, { [awsResources.efa]: 4 }), amd('m5.large')]
  const counts = (of: EC2NodeClass, requests?: Readonly<Record<string, string>>) =>
    templateGroups(types, of, claimWith([], requests), 'on-demand').map(({ efaCount }) => efaCount)
  expect(counts(nodeClass())).toEqual([0])
  expect(counts(nodeClass({ networkInterfaces: [] }))).toEqual([0])
  expect(counts(nodeClass(), { [awsResources.efa]: '1' })).toEqual([4, 0])
  const networkInterfaces = [{ networkCardIndex: 0, deviceIndex: 0, interfaceType: 'interface' as const }]
  expect(counts(nodeClass({ networkInterfaces }))).toEqual([4, 0])
})

const reserved = (reservation: string, more: Partial<Buy> = {}): Buy => ({
  as: 'reserved',
  price: 1e-7,
  left: 1,
  reservation,
  ...more,
})

test('each reservation that the claim allows has its own template, which contains its type', () => {
  const types = [
    amd('m5.large', [
      ...onDemand,
      reserved('cr-1'),
      reserved('cr-2', { interruptible: true, zone: 'b' }),
      reserved('cr-1', { zone: 'b' }),
    ]),
    amd('p5.48xlarge', [reserved('cr-3', { kind: 'capacity-block' })]),
    amd('c5.large', [reserved('cr-4', { available: false })]),
  ]
  expect(
    templateGroups(types, nodeClass(), claimWith(), 'reserved').map(({ reservation, types: of }) => [
      reservation,
      of.map(({ name }) => name),
    ]),
  ).toEqual([
    [{ id: 'cr-1', type: 'default', interruptible: false }, ['m5.large']],
    [{ id: 'cr-2', type: 'default', interruptible: true }, ['m5.large']],
    [{ id: 'cr-3', type: 'capacity-block', interruptible: false }, ['p5.48xlarge']],
  ])
  const inA = claimWith([is(labels.zone, 'a')])
  expect(
    shape(templateGroups(types.slice(0, 1), nodeClass(), inA, 'reserved')).map((each) => each.reservation),
  ).toEqual(['cr-1'])
  // A launch without reservations needs only one group, no matter which reservations exist.
  expect(shape(templateGroups(types.slice(0, 1), nodeClass(), claimWith(), 'spot'))).toMatchObject([
    { reservation: undefined, types: ['m5.large'] },
  ])
})

const inGroup = (name: string, ...partitions: readonly string[]) =>
  offeredType(
    name,
    partitions.map((partition): Buy => ({ as: 'on-demand', price: 1, partition })),
    {},
    partitions.length === 0 ? [] : [is(awsLabels.placementGroupPartition, ...partitions)],
  )

test('the partition is the first that the claim allows, in string order', () => {
  const types = [inGroup('m5.large', '2', '10', '1'), inGroup('c5.large', '3', '2')]
  const key = awsLabels.placementGroupPartition
  expect(partitionFor(claimWith(), types)).toBe('1')
  expect(partitionFor(claimWith([is(key, '3', '2', '10')]), types)).toBe('10')
  expect(partitionFor(claimWith([{ key, operator: 'NotIn', values: ['1', '10', '2'] }]), types)).toBe('3')
  expect(partitionFor(claimWith([is(key, '7')]), types)).toBeUndefined()
  expect(partitionFor(claimWith(), [inGroup('m5.large')])).toBeUndefined()
})

const subnetIn = (zone: string) => [zone, { id: `subnet-${zone}`, zone }] as const
const zoneChoice = (...zones: readonly string[]) => ({ byZone: new Map(zones.map(subnetIn)), reserved: new Map() })
const overrides = (
  types: Parameters<typeof templateGroups>[0],
  capacityType: Buy['as'],
  { claim = claimWith(), zones = ['a', 'b'] as readonly string[], partition = undefined as string | undefined } = {},
) =>
  templateGroups(types, nodeClass(), claim, capacityType).map((group) =>
    fleetOverrides(group, claim, { capacityType, choice: zoneChoice(...zones), partition }),
  )

test('an override is a type in a zone with a subnet, with the price of its offering', () => {
  const types = [
    amd('m5.large', [
      { as: 'spot', price: 0.4 },
      { as: 'on-demand', price: 1 },
      { as: 'on-demand', price: 1.5, zone: 'b' },
      { as: 'on-demand', price: 9, zone: 'b' },
      { as: 'on-demand', price: 2, zone: 'c' },
    ]),
    amd('c5.large', [{ as: 'on-demand', price: 3, available: false }]),
    amd('r5.large', [{ as: 'on-demand', price: 4 }]),
  ]
  const of = (type: string, zone: string, price: number) => ({
    InstanceType: type,
    SubnetId: `subnet-${zone}`,
    ImageId: 'ami-x86',
    AvailabilityZone: zone,
    Priority: price,
  })
  expect(overrides(types, 'on-demand')).toEqual([
    [of('m5.large', 'a', 1), of('m5.large', 'b', 1.5), of('r5.large', 'a', 4)],
  ])
  expect(overrides(types, 'spot')).toEqual([[of('m5.large', 'a', 0.4)]])
  expect(overrides(types, 'on-demand', { zones: ['c'] })).toEqual([[of('m5.large', 'c', 2)]])
  expect(overrides(types, 'on-demand', { claim: claimWith([is(labels.zone, 'b')]) })).toEqual([
    [of('m5.large', 'b', 1.5)],
  ])
})

test('the overrides of a reservation are in its zone; those of a partition name it', () => {
  const types = [amd('m5.large', [...onDemand, reserved('cr-1'), reserved('cr-2', { zone: 'b' })])]
  expect(overrides(types, 'reserved').map((each) => each.map(({ AvailabilityZone }) => AvailabilityZone))).toEqual([
    ['a'],
    ['b'],
  ])
  const parted = [
    offeredType(
      'm5.large',
      [
        { as: 'on-demand', price: 1, partition: '1' },
        { as: 'on-demand', price: 2, partition: '2' },
      ],
      {},
      [is(labels.arch, 'amd64')],
    ),
  ]
  expect(overrides(parted, 'on-demand', { partition: '2' })).toMatchObject([[{ Priority: 2 }]])
  expect(overrides(parted, 'on-demand')).toEqual([[]])
})
