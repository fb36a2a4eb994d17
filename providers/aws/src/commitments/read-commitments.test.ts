import type { ReservedInstances } from '@aws-sdk/client-ec2'
import { ProblemError } from '@kerf/apis'
import { VirtualClock } from '@kerf/runtime'
import { describe, expect, test } from 'vitest'
import type { SavingsPlan } from '../api/aws-api.ts'
import { FakeAws } from '../testing/fake-aws/fake-aws.ts'
import { reservedCommitment } from './account-commitments.ts'
import { readCommitments } from './read-commitments.ts'

// providers/aws/docs/spec/aws.md#commitments-of-the-account

const never = new AbortController().signal
const REGION = 'us-east-1'

const reserved = (more: Partial<ReservedInstances> = {}): ReservedInstances => ({
  ReservedInstancesId: 'AF9F760E-6F91-4559-85F7-4980EXAMPLE',
  InstanceType: 'm5.xlarge',
  InstanceCount: 3,
  State: 'active',
  Scope: 'Region',
  ProductDescription: 'Linux/UNIX',
  InstanceTenancy: 'default',
  Start: new Date('2026-01-01T00:00:00.5Z'),
  End: new Date('2027-01-01T00:00:00Z'),
  Duration: 31_536_000,
  FixedPrice: 876,
  UsagePrice: 0,
  RecurringCharges: [{ Amount: 0.02, Frequency: 'Hourly' }],
  CurrencyCode: 'USD',
  ...more,
})

const plan = (id: string, more: Partial<SavingsPlan> = {}): SavingsPlan => ({
  id,
  kind: 'Compute',
  region: '',
  instanceFamily: '',
  commitment: '1.50000000',
  currency: 'USD',
  start: '2026-01-01T00:00:00.000Z',
  end: '2029-01-01T00:00:00.000Z',
  ...more,
})

const account = () => {
  const aws = new FakeAws(new VirtualClock(), { terminationDelay: 0, kubernetes: '1.34' })
  const read = () =>
    readCommitments({ api: aws, region: REGION, clusterName: 'demo', typeNamed: () => undefined }, never)
  return { aws, read }
}

const convert = (more: Partial<ReservedInstances>) => reservedCommitment(reserved(more), REGION, () => undefined)

describe('reserved instances', () => {
  test('of the region are normalised units of their family', () => {
    expect(convert({})).toEqual({
      name: 'ri-af9f760e-6f91-4559-85f7-4980example',
      region: REGION,
      instanceTypes: ['m5.*'],
      normalizedUnits: '24',
      // (876 / 8760 + 0.02) / 8 units
      usdPerHour: '0.015',
      start: '2026-01-01T00:00:00Z',
      end: '2027-01-01T00:00:00Z',
    })
  })

  test('of a zone are instances', () => {
    expect(convert({ Scope: 'Availability Zone', AvailabilityZone: 'us-east-1a' })).toMatchObject({
      ...{ instanceType: 'm5.xlarge', count: 3, zone: 'us-east-1a', usdPerHour: '0.12' },
    })
  })

  test('of a family without normalised units are instances', () => {
    expect(convert({ InstanceType: 'g5.xlarge' })).toMatchObject({ instanceType: 'g5.xlarge', count: 3 })
  })

  test.each<[string, Partial<ReservedInstances>]>([
    ['for Windows', { ProductDescription: 'Windows' }],
    ['for Windows in a VPC', { ProductDescription: 'Windows (Amazon VPC)' }],
    ['with dedicated tenancy', { InstanceTenancy: 'dedicated' }],
    ['that have not begun', { State: 'queued' }],
    ['without a type', { InstanceType: undefined }],
  ])('%s are left out', (_name, more) => {
    expect(convert(more)).toBeUndefined()
  })

  test('in another currency have no amortised price', () => {
    expect(convert({ CurrencyCode: 'CNY' as 'USD' })).not.toHaveProperty('usdPerHour')
  })
})

test('reads both from the account, and leaves out plans that do not apply', async () => {
  const { aws, read } = account()
  aws.ec2.reservedInstances = [reserved(), reserved({ State: 'retired', ReservedInstancesId: 'old' })]
  aws.savingsPlans.plans.push(
    plan('compute'),
    plan('family', { kind: 'EC2Instance', region: REGION, instanceFamily: 'm6i' }),
    plan('elsewhere', { kind: 'EC2Instance', region: 'eu-west-1', instanceFamily: 'm6i' }),
    plan('ml', { kind: 'SageMaker' }),
    plan('without-rates'),
  )
  for (const id of ['compute', 'family', 'elsewhere', 'ml'])
    aws.savingsPlans.rates.set(`${id}/${REGION}`, [
      { instanceType: 'm6i.xlarge', rate: '0.1210' },
      { instanceType: 'm6i.large', rate: '0.0605' },
      { instanceType: 'free', rate: '0' },
    ])
  const found = await read()
  expect(found.map(({ name }) => name)).toEqual(['ri-af9f760e-6f91-4559-85f7-4980example', 'sp-compute', 'sp-family'])
  expect(found[2]).toEqual({
    name: 'sp-family',
    region: REGION,
    instanceTypes: ['m6i.*'],
    committedUsdPerHour: '1.5',
    rates: {
      instanceTypes: [
        { instanceType: 'm6i.large', usdPerHour: '0.0605' },
        { instanceType: 'm6i.xlarge', usdPerHour: '0.121' },
      ],
    },
    start: '2026-01-01T00:00:00Z',
    end: '2029-01-01T00:00:00Z',
  })
  expect(found[1]).not.toHaveProperty('instanceTypes')
})

test.each([
  ['describeReservedInstances', 'UnauthorizedOperation', 'AWS refuses ec2:DescribeReservedInstances'],
  ['describeSavingsPlans', 'AccessDeniedException', 'AWS refuses savingsplans:DescribeSavingsPlans'],
])('a refused %s is a problem with a remedy', async (call, code, text) => {
  const { aws, read } = account()
  const faults = call === 'describeReservedInstances' ? aws.ec2.faults : aws.savingsPlans.faults
  faults.standing(call, { code, status: 403 })
  await expect(read()).rejects.toThrow(ProblemError)
  await expect(read()).rejects.toThrow(text)
  await expect(read()).rejects.toThrow('kerf aws policy --cluster-name demo --capability commitments')
})

test('too many rates are a problem, because the status could not store them', async () => {
  const { aws, read } = account()
  aws.savingsPlans.plans.push(plan('large'))
  aws.savingsPlans.rates.set(
    `large/${REGION}`,
    Array.from({ length: 10_001 }, (_, number) => ({ instanceType: `t${number}.large`, rate: '1' })),
  )
  await expect(read()).rejects.toThrow('more than 10000 rates in us-east-1')
})
