import { formatQuantity, labels, parseQuantity } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import { offeringAllocatable } from '@kerf/provider-contract'
import { expect, test } from 'vitest'
import type { EC2NodeClassSpec, EC2NodeClassStatus } from '../node-class/ec2-node-class.ts'
import { ec2NodeClass } from '../testing/ec2-node-class.ts'
import { offlineClassTypes } from './offline-class-types.ts'
import { offlineInstanceTypes } from './offline-instance-types.ts'

const classTypes = (spec: Partial<EC2NodeClassSpec> = {}, status?: EC2NodeClassStatus) =>
  offlineClassTypes({
    ...ec2NodeClass('default', { spec: { amiSelectorTerms: [{ alias: 'al2023@latest' }], ...spec } }),
    ...(status === undefined ? {} : { status }),
  })
const typeIn = (types: readonly InstanceType[], name: string): InstanceType => {
  const found = types.find((type) => type.name === name)
  if (found === undefined) throw new Error(`there is no ${name}`)
  return found
}
const capacity = (spec: Partial<EC2NodeClassSpec>, name: string, resource: string): string =>
  formatQuantity(typeIn(classTypes(spec).types, name).capacity[resource] ?? parseQuantity(0), 'DecimalSI')
const typeZones = (type: InstanceType): readonly (string | undefined)[] => [
  ...new Set(
    type.offerings.map(({ requirements }) => requirements.find(({ key }) => key === labels.zone)?.values?.[0]),
  ),
]

test('a class with default values changes nothing', () => {
  expect(classTypes().types.map(({ name }) => name)).toEqual(offlineInstanceTypes().map(({ name }) => name))
  expect(typeIn(classTypes().types, 'm5.large')).toEqual(typeIn(offlineInstanceTypes(), 'm5.large'))
})

test('the kubelet, volumes and instance store settings of the class are applied', () => {
  expect(capacity({ kubelet: { maxPods: 20 } }, 'm5.large', 'pods')).toBe('20')
  const reserved = classTypes({ kubelet: { kubeReserved: { cpu: '500m' } } })
  expect(
    formatQuantity(offeringAllocatable(typeIn(reserved.types, 'm5.large'))['cpu'] ?? parseQuantity(0), 'DecimalSI'),
  ).toBe('1500m')
  const volumes = [{ deviceName: '/dev/xvda', ebs: { volumeSize: '100G' } }]
  expect(capacity({ blockDeviceMappings: volumes }, 'm5.large', 'ephemeral-storage')).toBe('100G')
  expect(capacity({ instanceStorePolicy: 'RAID0' }, 'm5d.large', 'ephemeral-storage')).toBe('75G')
})

test('a Windows class has the types that its images support', () => {
  const { types } = classTypes({ amiSelectorTerms: [{ alias: 'windows2022@latest' }] })
  const systems = new Set(
    types.flatMap(({ requirements }) => requirements.find(({ key }) => key === labels.os)?.values),
  )
  expect(systems).toEqual(new Set(['windows']))
  const arch = new Set(types.flatMap(({ requirements }) => requirements.find(({ key }) => key === labels.arch)?.values))
  expect(arch).toEqual(new Set(['amd64']))
})

test('values that were resolved in the account are used: the zones of the subnets, and the images', () => {
  const { types, notLookedAt } = classTypes(
    { amiSelectorTerms: [{ id: 'ami-1' }], amiFamily: 'AL2023' },
    {
      subnets: [
        { id: 'subnet-1', zone: 'us-east-1a' },
        { id: 'subnet-2', zone: 'us-east-1b' },
      ],
      amis: [{ id: 'ami-1', requirements: [{ key: labels.arch, operator: 'In', values: ['arm64'] }] }],
    },
  )
  expect(notLookedAt).toEqual([])
  expect(typeZones(typeIn(types, 'm7g.large'))).toEqual(['us-east-1a', 'us-east-1b'])
  expect(types.some(({ name }) => name === 'm5.large')).toBe(false)
})

test('a class of another region keeps the zones of the types, and a note says so', () => {
  const { types, notLookedAt } = classTypes({}, { subnets: [{ id: 'subnet-1', zone: 'eu-west-1a' }] })
  expect(typeZones(typeIn(types, 'm5.large')).length).toBeGreaterThan(1)
  expect(notLookedAt).toEqual([
    'the zones of EC2NodeClass default (eu-west-1a; these are the types and zones of us-east-1)',
  ])
})

test('values that only the account knows are listed in a note', () => {
  expect(classTypes().notLookedAt).toEqual(['the subnets of EC2NodeClass default (assuming every zone)'])
  const { notLookedAt } = classTypes({
    amiSelectorTerms: [{ id: 'ami-1' }],
    amiFamily: 'AL2023',
    capacityReservationSelectorTerms: [{ id: 'cr-1' }],
    placementGroupSelector: { name: 'group' },
  })
  expect(notLookedAt.slice(1)).toEqual([
    'the images of EC2NodeClass default (assuming any architecture)',
    'the capacity reservations of EC2NodeClass default',
    'the placement group of EC2NodeClass default',
  ])
})

test('a class that the controller would refuse has no types, and the result says why', () => {
  const { types, problems } = classTypes({ kubelet: { maxPods: -1 } })
  expect(types).toEqual([])
  expect(problems).toEqual(['spec.kubelet.maxPods: -1 is negative'])
  expect(classTypes({ kubelet: { maxPods: 'vcpus * 4' } }).problems).toEqual([
    'spec.kubelet contains expressions, which Kerf does not evaluate',
  ])
})
