import { expect, test } from 'vitest'
import { type FleetRequest, fleetInput } from './fleet-input.ts'

// See `providers/aws/docs/spec/aws.md#instances`, step 5.

const override = { InstanceType: 'm5.large', SubnetId: 'subnet-a', AvailabilityZone: 'us-east-1a' } as const
const tags = { team: 'a' }
const input = (changes: Partial<FleetRequest> = {}) =>
  fleetInput({
    capacityType: 'on-demand',
    templates: [{ name: 'template', overrides: [override] }],
    tags,
    byPriority: false,
    ...changes,
  })

test('a launch requests one instance from the newest version of its template, and tags everything it creates', () => {
  const Tags = [{ Key: 'team', Value: 'a' }]
  expect(input()).toEqual({
    Type: 'instant',
    LaunchTemplateConfigs: [
      {
        LaunchTemplateSpecification: { LaunchTemplateName: 'template', Version: '$Latest' },
        Overrides: [override],
      },
    ],
    TargetCapacitySpecification: { TotalTargetCapacity: 1, DefaultTargetCapacityType: 'on-demand' },
    TagSpecifications: ['instance', 'volume', 'fleet'].map((ResourceType) => ({ ResourceType, Tags })),
    OnDemandOptions: { AllocationStrategy: 'lowest-price' },
  })
})

const reservation = { id: 'cr-1', type: 'default', interruptible: false } as const

test.each<[string, Partial<FleetRequest>, object]>([
  ['spot', { capacityType: 'spot' }, { SpotOptions: { AllocationStrategy: 'price-capacity-optimized' } }],
  [
    'spot',
    { capacityType: 'spot', byPriority: true },
    { SpotOptions: { AllocationStrategy: 'capacity-optimized-prioritized' } },
  ],
  ['on-demand', { byPriority: true }, { OnDemandOptions: { AllocationStrategy: 'prioritized' } }],
  ['on-demand', { capacityType: 'reserved', reservation }, { OnDemandOptions: { AllocationStrategy: 'lowest-price' } }],
  [
    'reserved-capacity',
    { capacityType: 'reserved', reservation: { ...reservation, interruptible: true } },
    { ReservedCapacityOptions: { ReservationTypes: ['interruptible-capacity-reservation'] } },
  ],
  ['capacity-block', { capacityType: 'reserved', reservation: { ...reservation, type: 'capacity-block' } }, {}],
])('the capacity is %s for %j', (target, request, options) => {
  const {
    Type: _type,
    LaunchTemplateConfigs: _configs,
    TagSpecifications: _tags,
    TargetCapacitySpecification,
    ...rest
  } = input(request)
  expect(TargetCapacitySpecification).toEqual({ TotalTargetCapacity: 1, DefaultTargetCapacityType: target })
  expect(rest).toEqual(options)
})

test('the context of the class is passed on if there is one', () => {
  expect(input({ context: 'quota-group' }).Context).toBe('quota-group')
  expect(input({ context: '' })).not.toHaveProperty('Context')
})
