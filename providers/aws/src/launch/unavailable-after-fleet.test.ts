import type { CreateFleetError } from '@aws-sdk/client-ec2'
import type { CapacityType } from '@kerf/apis'
import { PrometheusMetrics, RecordingLogger, VirtualClock } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { CapacityReservations } from '../discovery/capacity-reservations.ts'
import { Subnets } from '../discovery/subnets.ts'
import { capacityScopes, insufficientCapacity } from '../offerings/insufficient-capacity.ts'
import { FakeEc2 } from '../testing/fake-aws/fake-ec2.ts'
import { offeredType } from '../testing/offered-type.ts'
import type { AskedOffering } from './asked-offering.ts'
import { FleetOutcomes } from './fleet-outcomes.ts'
import type { LaunchContext } from './launch-context.ts'

// See `providers/aws/docs/spec/aws.md#subnets`, `providers/aws/docs/spec/aws.md#offerings`, `providers/aws/docs/spec/aws.md#capacity-reservations`,
// `providers/aws/docs/spec/aws.md#placement-groups`, `providers/aws/docs/spec/aws.md#instances`, step 7.

const targetReservation = (id: string) => ({ id, type: 'default', interruptible: false }) as const
const asked = (instanceType: string, zone: string, reservation?: string): AskedOffering => ({
  instanceType,
  zone,
  subnetId: `subnet-${zone}`,
  imageId: 'ami-1',
  template: { id: 'lt-1', name: 'template' },
  efaCount: 0,
  reservation: reservation === undefined ? undefined : targetReservation(reservation),
})

const harness = () => {
  const clock = new VirtualClock()
  const ec2 = new FakeEc2(clock, { terminationDelay: 0 })
  const metrics = new PrometheusMetrics()
  const log = new RecordingLogger()
  const insufficient = insufficientCapacity(clock)
  const subnets = new Subnets(ec2, clock, { refreshInterval: 60_000 })
  const reservations = new CapacityReservations({ ec2, clock, log })
  const roles = { missing: 0 }
  const outcomes = new FleetOutcomes({
    metrics,
    log,
    insufficient,
    subnets,
    reservations,
    onSpotRoleMissing: () => {
      roles.missing += 1
    },
  })
  const teach = (
    errors: readonly CreateFleetError[],
    context: Partial<LaunchContext> = {},
    more: { readonly hasLaunched?: boolean } = {},
  ): void =>
    outcomes.learn({
      errors,
      hasLaunched: more.hasLaunched ?? false,
      context: {
        capacityType: 'on-demand',
        tenancy: 'default',
        classScope: 'class uid-1',
        group: undefined,
        partition: undefined,
        candidates: [],
        subnets: [{ id: 'subnet-a', zone: 'a', zoneID: 'az1' }],
        asked: [asked('m5.large', 'a'), asked('m5.large', 'b'), asked('c5.large', 'b')],
        ...context,
      },
    })
  const isOut = (
    instanceType: string,
    zone: string,
    capacityType: CapacityType = 'on-demand',
    scopes: readonly string[] = [],
  ) => insufficient.reasonFor({ instanceType, zone, capacityType }, { scopes }) !== undefined
  return { clock, metrics, insufficient, subnets, reservations, roles, teach, isOut }
}

const short = (InstanceType?: string, AvailabilityZone?: string, more: object = {}): CreateFleetError => ({
  ErrorCode: 'InsufficientInstanceCapacity',
  LaunchTemplateAndOverrides: {
    Overrides: {
      ...(InstanceType === undefined ? {} : { InstanceType: InstanceType as 'm5.large' }),
      ...(AvailabilityZone === undefined ? {} : { AvailabilityZone }),
    },
  },
  ...more,
})

test('an offering without capacity becomes unavailable, and no other', () => {
  const { teach, isOut } = harness()
  teach([short('m5.large', 'a')], { capacityType: 'spot' }, { hasLaunched: true })
  expect([isOut('m5.large', 'a', 'spot'), isOut('m5.large', 'a'), isOut('m5.large', 'b', 'spot')]).toEqual([
    true,
    false,
    false,
  ])
})

test('an error that matches only one offering makes that offering unavailable; an ambiguous error makes none unavailable', () => {
  const { teach, isOut } = harness()
  teach([short('m5.large')])
  expect(['a', 'b'].map((zone) => isOut('m5.large', zone))).toEqual([false, false])
  teach([short('c5.large')])
  expect(isOut('c5.large', 'b')).toBe(true)
  teach([short('r5.large', 'a')])
  expect(isOut('r5.large', 'a')).toBe(true)
})

test('each failed offering is counted by zone, capacity type and reason', async () => {
  const { teach, metrics } = harness()
  teach([
    short('m5.large', 'a'),
    short('m5.large', 'a'),
    short('c5.large', undefined, { ErrorCode: 'VcpuLimitExceeded' }),
    {},
    { ErrorCode: 'InvalidParameterCombination', ErrorMessage: 'not eligible for Free Tier' },
  ])
  const text = await metrics.text()
  const counted = [...text.matchAll(/^karpenter_cloudprovider_instance_launch_failures_total\{(.*)\} (\d+)$/gm)].map(
    ([, of, count]) => `${of} ${count}`,
  )
  expect(new Set(counted)).toEqual(
    new Set([
      'zone="a",zone_id="az1",capacity_type="on-demand",reason="LaunchFailed" 2',
      'zone="b",zone_id="",capacity_type="on-demand",reason="VCPULimitExceeded" 1',
      'zone="",zone_id="",capacity_type="on-demand",reason="LaunchFailed" 1',
      'zone="",zone_id="",capacity_type="on-demand",reason="FreeTierIneligible" 1',
    ]),
  )
})

test('without the service-linked role for spot, spot is not tried and the callback is called; other failures do not call it', () => {
  const { teach, isOut, roles } = harness()
  teach([short('m5.large', 'a'), {}])
  expect(roles.missing).toBe(0)
  teach([{ ErrorCode: 'AuthFailure.ServiceLinkedRoleCreationNotPermitted' }], { capacityType: 'spot' })
  expect([roles.missing, isOut('x.large', 'z', 'spot'), isOut('x.large', 'z')]).toEqual([1, true, false])
})

test('a subnet without addresses is not used, not even by launches in progress', async () => {
  const { teach, insufficient, subnets } = harness()
  const both = [
    { id: 'subnet-a', zone: 'a' },
    { id: 'subnet-b', zone: 'b' },
  ]
  expect(subnets.areExhausted(both)).toBe(false)
  const ErrorCode = 'InsufficientFreeAddressesInSubnet'
  teach([short('c5.large', 'b', { ErrorCode })])
  expect([insufficient.isSubnetOut('subnet-a'), insufficient.isSubnetOut('subnet-b')]).toEqual([false, true])
  expect([subnets.areExhausted(both.slice(0, 1)), subnets.areExhausted(both.slice(1))]).toEqual([false, true])
})

const ErrorCode = 'ReservationCapacityExceeded'
const reserved = {
  capacityType: 'reserved',
  asked: [asked('m5.large', 'a', 'cr-1'), asked('m5.large', 'b', 'cr-2')],
} as const

test('a reservation that is used up counts as empty; if the error is ambiguous and nothing was launched, all reservations do', () => {
  const one = harness()
  const counted = (of: ReturnType<typeof harness>) => ['cr-1', 'cr-2'].map((id) => of.reservations.isCounted(id))
  one.teach([short('m5.large', 'b', { ErrorCode })], reserved, { hasLaunched: true })
  expect(counted(one)).toEqual([false, true])
  expect([one.reservations.left('cr-2'), one.isOut('m5.large', 'b', 'reserved')]).toEqual([0, false])

  const open = harness()
  open.teach([short('m5.large', undefined, { ErrorCode })], reserved, { hasLaunched: true })
  expect(counted(open)).toEqual([false, false])
  open.teach([short('m5.large', undefined, { ErrorCode })], reserved)
  expect(counted(open)).toEqual([true, true])
})

const group = { id: 'pg-1', strategy: 'spread' } as const

test('a shortage in a placement group or its partition applies only there', () => {
  const { teach, isOut } = harness()
  const placementGroup = { id: 'pg-1' }
  teach([short('m5.large', 'a')], { group: { ...group, strategy: 'cluster' } })
  expect([
    isOut('m5.large', 'a'),
    isOut('m5.large', 'a', 'on-demand', capacityScopes(placementGroup, undefined)),
  ]).toEqual([false, true])
  teach([short('c5.large', 'b')], { group: { ...group, strategy: 'partition' }, partition: '2' })
  expect(
    [undefined, '1', '2'].map((partition) =>
      isOut('c5.large', 'b', 'on-demand', capacityScopes(placementGroup, partition)),
    ),
  ).toEqual([false, false, true])
})

test('a spread group that is full in a zone is full there for every type', () => {
  const { teach, isOut } = harness()
  const full = short('m5.large', 'a', {
    ErrorCode: 'InvalidRequest',
    ErrorMessage: 'The maximum number of instances for spread placement group was reached',
  })
  const candidates = ['m5.large', 'c5.large'].map((name) => offeredType(name, []))
  const scope = capacityScopes({ id: 'pg-1' }, undefined)
  teach([full], { candidates })
  expect(isOut('c5.large', 'a', 'on-demand', scope)).toBe(false)
  teach([full], { candidates, group })
  expect(candidates.map(({ name }) => isOut(name, 'a', 'on-demand', scope))).toEqual([true, true])
  expect([isOut('c5.large', 'a'), isOut('c5.large', 'b', 'on-demand', scope)]).toEqual([false, false])
})
