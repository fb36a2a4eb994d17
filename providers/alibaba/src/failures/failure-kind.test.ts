import { expect, test } from 'vitest'
import codes from '../testing/fake-alibaba/generated/error-codes.json' with { type: 'json' }
import { type FailureKind, kindOfCode } from './failure-kind.ts'

test.each<[FailureKind, readonly string[]]>([
  [
    'no-stock',
    ['OperationDenied.NoStock', 'NoInstanceStock', 'Zone.NotOnSale', 'InvalidInstanceType.ZoneNotSupported'],
  ],
  ['type-unfit', ['InvalidInstanceType.NotSupported', 'ImageNotSupportInstanceType']],
  ['quota', ['QuotaExceed.ElasticQuota', 'QuotaExceeded.ElasticQuota', 'QuotaExceed.Spot', 'QuotaExceeded']],
  ['addresses', ['QuotaExceeded.PrivateIpAddress', 'InvalidVSwitchId.IpNotEnough', 'SecurityGroupInstanceLimitExceed']],
  ['account', ['InsufficientBalance', 'Forbidden.RAM', 'Account.Arrearage', 'InvalidAccountStatus.NotEnoughBalance']],
  // These two codes are about tags, not about capacity.
  [
    'configuration',
    ['QuotaExceed.Tags', 'OperationDenied.QuotaExceed', 'InvalidImageId.NotFound', 'InvalidUserData.SizeExceeded'],
  ],
  ['throttled', ['Throttling', 'Throttling.User']],
  ['not-found', ['InvalidInstanceId.NotFound']],
  ['other', ['SomethingNew', 'QuotaExceedOther']],
])('%s: %j', (kind, each) => {
  for (const code of each) expect(kindOfCode(code), code).toBe(kind)
})

test('no documented code of a launch that is about stock or quotas is unknown', () => {
  const unknown = Object.keys(codes.actions.RunInstances).filter(
    (code) => /NoStock|Quota|NotOnSale|Offline/.test(code) && kindOfCode(code, 403) === 'other',
  )
  expect(unknown).toEqual([])
})

test('the status decides about codes that the table lacks', () => {
  expect([kindOfCode('New', 404), kindOfCode('New', 500), kindOfCode('New', 400)]).toEqual([
    'not-found',
    'server',
    'other',
  ])
})
