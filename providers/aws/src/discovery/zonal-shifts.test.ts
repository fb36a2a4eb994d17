import type { ProviderContext } from '@kerf/provider-contract'
import { VirtualClock } from '@kerf/runtime'
import { expect, test } from 'vitest'
import type { EC2NodeClass } from '../node-class/ec2-node-class.ts'
import { nodeClassSpec } from '../testing/aws-harness.ts'
import { ec2NodeClass } from '../testing/ec2-node-class.ts'
import { FakeZonalShift } from '../testing/fake-aws/fake-services.ts'
import { Requests } from '../testing/fake-aws/requests.ts'
import type { Cluster } from './cluster.ts'
import { ZonalShifts, zoneNames } from './zonal-shifts.ts'

// See `providers/aws/docs/spec/aws.md#zonal-shift`.

const never = new AbortController().signal
const ARN = 'arn:aws:eks:us-east-1:123456789012:cluster/demo'
const classWith = (...subnets: NonNullable<NonNullable<EC2NodeClass['status']>['subnets']>): EC2NodeClass =>
  ec2NodeClass('default', { spec: nodeClassSpec, status: { subnets } })

const harness = () => {
  const clock = new VirtualClock()
  const api = new FakeZonalShift(new Requests(clock))
  const classes: EC2NodeClass[] = []
  const shifts = new ZonalShifts(
    { clock, informers: { of: () => ({ values: () => classes }) } } as unknown as ProviderContext,
    { api, cluster: { name: 'demo', arn: async () => ARN } as unknown as Cluster },
  )
  return { clock, api, classes, shifts }
}

test('the zones of active shifts are returned by id, until the shifts expire', async () => {
  const { clock, api, shifts } = harness()
  expect(shifts.ids()).toEqual(new Set())
  const expiresAt = clock.now() + 60_000
  api.resources.set(ARN, [
    { awayFrom: 'use1-az1', isApplied: true, expiresAt },
    { awayFrom: 'use1-az2', isApplied: false, expiresAt },
    { awayFrom: 'use1-az3', isApplied: true },
  ])
  await shifts.read(never)
  expect(shifts.ids()).toEqual(new Set(['use1-az1', 'use1-az3']))
  await clock.advance(59_999)
  expect(shifts.ids().has('use1-az1')).toBe(true)
  await clock.advance(1)
  expect(shifts.ids()).toEqual(new Set(['use1-az3']))
  api.resources.set(ARN, [])
  await shifts.read(never)
  expect(shifts.ids()).toEqual(new Set())
})

test('after a failed reading, the last result is kept; for a cluster without zonal shift, the error says how to enable it', async () => {
  const { api, shifts } = harness()
  api.resources.set(ARN, [{ awayFrom: 'use1-az1', isApplied: true }])
  await shifts.read(never)
  api.faults.next('getManagedResource', { code: 'AccessDeniedException', status: 403 })
  await expect(shifts.read(never)).rejects.toThrow('AccessDenied')
  expect(shifts.ids()).toEqual(new Set(['use1-az1']))
  api.resources.clear()
  await expect(shifts.read(never)).rejects.toThrow('zonal shift is not enabled for cluster demo')
})

test('zone names come from the subnets of the classes, even of deleted classes', async () => {
  const { api, classes, shifts } = harness()
  const a = { id: 'subnet-a', zone: 'us-east-1a', zoneID: 'use1-az1' }
  classes.push(classWith({ id: 'subnet-b', zone: 'us-east-1b', zoneID: 'use1-az2' }, a), classWith())
  expect(shifts.zones()).toEqual(new Set())
  api.resources.set(
    ARN,
    ['use1-az2', 'use1-az1', 'use1-az9'].map((awayFrom) => ({ awayFrom, isApplied: true })),
  )
  await shifts.read(never)
  expect([...shifts.zones()]).toEqual(['us-east-1a', 'us-east-1b'])
  classes.length = 0
  expect([...shifts.zones()]).toEqual(['us-east-1a', 'us-east-1b'])
})

test('a class gives names to the zones whose IDs it knows', () => {
  const subnets = [
    { id: 'subnet-a', zone: 'us-east-1a', zoneID: 'use1-az1' },
    { id: 'subnet-b', zone: 'us-east-1b' },
  ]
  expect(zoneNames(classWith(...subnets))).toEqual(new Map([['use1-az1', 'us-east-1a']]))
  expect(zoneNames({})).toEqual(new Map())
})
