import { expect, test } from 'vitest'
import { classifyLaunchRefusal } from './launch-refusal.ts'

const HOUR = 3_600_000
const cores = 'Operation could not be completed as it results in'
const family = `${cores} exceeding approved standardDSv5Family Cores quota. Current Limit: 10, Current Usage: 10`
// https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/error-resource-quota
const regional = `${cores} exceeding approved Total Regional Cores quota. Current Limit: 10, Current Usage: 8`

test.each([
  ['OperationNotAllowed', `${cores} exceeding approved LowPriorityCores quota`, 'spot', 'all-spot', HOUR],
  ['OperationNotAllowed', family, 'on-demand', 'size-and-capacity-type', HOUR / 6],
  ['OperationNotAllowed', family.replace('Limit: 10', 'Limit: 0'), 'on-demand', 'size-and-capacity-type', HOUR],
  ['SkuNotAvailable', '', 'on-demand', 'same-scope-and-capacity-type', 23 * HOUR],
  ['SkuNotAvailable', '', 'spot', 'same-scope-and-capacity-type', HOUR],
  ['ZonalAllocationFailed', '', 'spot', 'zone', HOUR],
  ['AllocationFailed', '', 'spot', 'same-scope', HOUR],
  ['OverconstrainedZonalAllocationRequest', '', 'spot', 'offering', HOUR],
  ['OverconstrainedAllocationRequest', '', 'spot', 'same-scope-and-capacity-type', HOUR],
  ['OperationNotAllowed', regional, 'on-demand', 'on-demand-of-as-many-cores', HOUR / 6],
  ['OperationNotAllowed', regional.replace('Limit: 10', 'Limit: 0'), 'on-demand', 'on-demand-of-as-many-cores', HOUR],
  // https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/error-policy-requestdisallowedbypolicy
  ['RequestDisallowedByPolicy', "Resource 'aks-a' was disallowed by policy.", 'spot', 'denied-size', HOUR / 6],
] as const)('%s (%s) of %s makes %s unavailable for %i ms', (code, message, capacityType, scope, ttl) => {
  const refusal = classifyLaunchRefusal({ code, message, capacityType })
  expect(refusal).toMatchObject({ scope, ttl })
})

test('a machine that is refused immediately makes only its size unavailable', () => {
  const ask = (code: string, message = '') =>
    classifyLaunchRefusal({ code, message, capacityType: 'spot', isMachineRequest: true })
  expect(ask('VMSizeNotSupported')).toMatchObject({ reason: 'SKUNotAvailable', scope: 'size', ttl: 23 * HOUR })
  expect(ask('BadRequest', 'the size is not supported for subscription 1')).toMatchObject({ scope: 'size' })
  expect(ask('BadRequest', 'the name is bad')).toBeUndefined()
  expect(ask('RequestDisallowedByPolicy')).toMatchObject({ scope: 'denied-size' })
  expect(ask('AllocationFailed')).toBeUndefined()
})

test.each(['skunotavailable', 'InternalServerError', 'SubnetIsFull', ''])('%s does not concern capacity', (code) => {
  expect(classifyLaunchRefusal({ code, message: '', capacityType: 'on-demand' })).toBeUndefined()
})
