import { VirtualClock } from '@kerf/runtime'
import { describe, expect, it } from 'vitest'
import type { LaunchDetails } from '../../api/launch-details.ts'
import { OciApiError } from '../../api/oci-api-error.ts'
import { launchSample } from '../launch-sample.ts'
import { type FakeApi, fakeApi } from './fake-api.ts'
import { coreModels } from './model-schema.ts'
import { AVAILABILITY_DOMAINS, COMPARTMENT, SUBNET } from './names.ts'
import { operations } from './operations.ts'

const { signal } = new AbortController()

const refusal = async ({ api }: FakeApi, details: LaunchDetails, token = 'token'): Promise<OciApiError> => {
  try {
    await api.launch(details, token, signal)
  } catch (error) {
    if (error instanceof OciApiError) return error
    throw error
  }
  throw new Error('the fake accepted the launch')
}

const changed = (changes: Partial<Record<keyof LaunchDetails, unknown>>): LaunchDetails => {
  const details: Record<string, unknown> = { ...launchSample, ...changes }
  return JSON.parse(JSON.stringify(details))
}

describe('a launch that Oracle Cloud would refuse', () => {
  const cases: readonly (readonly [title: string, details: LaunchDetails, code: string, message: RegExp])[] = [
    ['without a compartment', changed({ compartmentId: undefined }), 'MissingParameter', /compartmentId is required/],
    ['with an unknown field', changed({ instanceType: 'x' } as object), 'InvalidParameter', /instanceType is unknown/],
    ['with text for a number', changed({ shapeConfig: { ocpus: '2' } }), 'InvalidParameter', /ocpus must be a number/],
    [
      'with an unknown firmware',
      changed({ launchOptions: { firmware: 'UEFI' } }),
      'InvalidParameter',
      /must be one of/,
    ],
    [
      'in an unknown availability domain',
      changed({ availabilityDomain: 'AD-1' }),
      'InvalidParameter',
      /availabilityDomain/,
    ],
    ['of a flexible shape without a size', changed({ shapeConfig: undefined }), 'MissingParameter', /shapeConfig/],
    [
      'with too much memory for an OCPU',
      changed({ shapeConfig: { ocpus: 1, memoryInGBs: 65 } }),
      'InvalidParameter',
      /memory/,
    ],
    [
      'with an image of another architecture',
      changed({ shape: 'VM.Standard.A1.Flex' }),
      'InvalidParameter',
      /not valid for image/,
    ],
    [
      'with a small boot volume',
      changed({ sourceDetails: { ...launchSample.sourceDetails, bootVolumeSizeInGBs: 40 } }),
      'InvalidParameter',
      /bootVolumeSizeInGBs/,
    ],
    [
      'in a subnet that does not exist',
      changed({ createVnicDetails: { subnetId: 'ocid1.subnet.oc1..none' } }),
      'NotAuthorizedOrNotFound',
      /subnet/,
    ],
    [
      'with an undefined tag key',
      changed({ definedTags: { ops: { owner: 'me' } } }),
      'InvalidParameter',
      /TagDefinition/,
    ],
    ['with a dot in a free-form tag', changed({ freeformTags: { 'a.b': 'c' } }), 'InvalidParameter', /tags/],
    [
      'with user data that is not base64',
      changed({ metadata: { user_data: '#!/bin/bash' } }),
      'InvalidParameter',
      /base64/,
    ],
  ]
  it.each(cases)('%s', async (_title, details, code, message) => {
    const error = await refusal(fakeApi(new VirtualClock()), details)
    expect({ code: error.code, message: error.detail }).toEqual({ code, message: expect.stringMatching(message) })
  })
})

describe('retry tokens', () => {
  it('return the first instance for the same details, and refuse other details', async () => {
    const fake = fakeApi(new VirtualClock())
    const first = await fake.api.launch(launchSample, 'token', signal)
    const second = await fake.api.launch(launchSample, 'token', signal)
    expect(second.instance.id).toBe(first.instance.id)
    const other = await refusal(fake, changed({ displayName: 'other' }))
    expect({ status: other.status, code: other.code }).toEqual({ status: 409, code: 'InvalidatedRetryToken' })
    expect(await refusal(fake, launchSample, 'x'.repeat(65))).toMatchObject({ code: 'InvalidParameter' })
  })
})

describe('capacity', () => {
  it('runs out before the launch is accepted', async () => {
    const fake = fakeApi(new VirtualClock())
    fake.account.stockOuts = [{ availabilityDomain: AVAILABILITY_DOMAINS[0] }]
    expect(await refusal(fake, launchSample)).toMatchObject({ status: 500, detail: 'Out of host capacity.' })
  })

  it('runs out after the launch was accepted, and the instance is terminated automatically', async () => {
    const clock = new VirtualClock()
    const fake = fakeApi(clock, { startsFor: 10_000 })
    fake.account.stockOuts = [{ isAfterwards: true }]
    const { instance, workRequestId = '' } = await fake.api.launch(launchSample, 'token', signal)
    expect(instance.lifecycleState).toBe('PROVISIONING')
    await clock.advance(10_000)
    expect(await fake.api.workRequest(workRequestId, signal)).toMatchObject({ status: 'FAILED' })
    expect(await fake.api.workRequestErrors(workRequestId, signal)).toMatchObject([
      { message: 'Out of host capacity.' },
    ])
    expect((await fake.api.instance(instance.id, signal)).lifecycleState).toBe('TERMINATED')
  })

  it('is limited by service limits, quotas and addresses', async () => {
    const fake = fakeApi(new VirtualClock())
    fake.account.ocpuLimit = 1
    expect(await refusal(fake, launchSample)).toMatchObject({ code: 'LimitExceeded' })
    fake.account.ocpuLimit = 10
    fake.account.ocpuQuota = 1
    expect(await refusal(fake, launchSample)).toMatchObject({ code: 'QuotaExceeded' })
    fake.account.ocpuQuota = 10
    fake.account.subnets = [{ id: SUBNET, name: 'nodes', cidr: '10.0.0.0/30', free: 0 }]
    expect((await refusal(fake, launchSample)).detail).toMatch(/no available IP addresses/)
  })
})

describe('lists', () => {
  it('have pages, lag behind, and keep terminated instances', async () => {
    const clock = new VirtualClock()
    const fake = fakeApi(clock, { listLag: 5_000, stopsFor: 1_000 })
    fake.account.pageSize = 2
    for (const token of ['a', 'b', 'c']) await fake.api.launch(launchSample, token, signal)
    expect(await fake.api.instances(COMPARTMENT, signal)).toEqual([])
    await clock.advance(5_000)
    const [first] = await fake.api.instances(COMPARTMENT, signal)
    await fake.api.terminate(first?.id ?? '', signal)
    await clock.advance(1_000)
    const states = (await fake.api.instances(COMPARTMENT, signal)).map(({ lifecycleState }) => lifecycleState)
    expect(states.toSorted()).toEqual(['RUNNING', 'RUNNING', 'TERMINATED'])
    expect(fake.cloud.count('ListInstances')).toBeGreaterThan(4)
  })
})

it('responses have the fields of the SDK’s models', async () => {
  const fake = fakeApi(new VirtualClock())
  fake.account.reservations = [
    {
      id: 'ocid1.capacityreservation.oc1..a',
      name: 'r',
      availabilityDomain: AVAILABILITY_DOMAINS[0],
      shape: 'VM.Standard2.1',
      count: 1,
    },
  ]
  fake.account.computeClusters = [
    { id: 'ocid1.computecluster.oc1..a', name: 'c', availabilityDomain: AVAILABILITY_DOMAINS[0] },
  ]
  await fake.api.launch(launchSample, 'token', signal)
  const models = {
    '/instances': 'Instance',
    '/shapes': 'Shape',
    '/images': 'Image',
    '/subnets': 'Subnet',
    '/vnicAttachments': 'VnicAttachment',
    '/networkSecurityGroups': 'NetworkSecurityGroup',
    '/computeCapacityReservations': 'ComputeCapacityReservationSummary',
  } as const
  const query = { compartmentId: COMPARTMENT }
  for (const [path, model] of Object.entries(models)) {
    const [, operation] = operations[`GET ${path}`] ?? []
    const outcome = operation?.({ account: fake.account, id: '', query, body: undefined, retryToken: '' })
    const items = outcome !== undefined && 'items' in outcome ? outcome.items : []
    expect(items.length, path).toBeGreaterThan(0)
    expect(items.flatMap((item) => coreModels.problems(model, item))).toEqual([])
  }
})
