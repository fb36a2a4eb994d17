import { NoResponseError } from '@kerf/provider-kit'
import { expect, test } from 'vitest'
import { alibabaErrors } from '../alibaba-errors.ts'
import errorCodes from '../testing/fake-alibaba/generated/error-codes.json' with { type: 'json' }
import { type FailureKind, kindOfCode, kindOfError } from './failure-kind.ts'
import { toStepCause } from './step-cause.ts'

test.each<[FailureKind, readonly string[]]>([
  [
    'no-stock',
    ['OperationDenied.NoStock', 'NoInstanceStock', 'Zone.NotOnSale', 'InvalidInstanceType.ZoneNotSupported'],
  ],
  [
    'type-unfit',
    ['InvalidInstanceType.NotSupported', 'InvalidInstanceType.ValueUnauthorized', 'ImageNotSupportInstanceType'],
  ],
  ['quota', ['QuotaExceed.ElasticQuota', 'QuotaExceeded.ElasticQuota', 'QuotaExceed.Spot', 'QuotaExceeded']],
  ['addresses', ['QuotaExceeded.PrivateIpAddress', 'InvalidVSwitchId.IpNotEnough', 'SecurityGroupInstanceLimitExceed']],
  ['disk', ['CategoryNotSupported', 'InvalidSystemDiskCategory.ValueNotSupported', 'InvalidDiskCategory.Mismatch']],
  ['credentials', ['InvalidAccessKeyId.NotFound', 'InvalidSecurityToken.Expired', 'SignatureDoesNotMatch']],
  ['region', ['InvalidRegionId.NotFound', 'InvalidRegion.NotSupport', 'Forbidden.RegionId', 'RegionUnauthorized']],
  ['cluster', ['ErrorClusterNotFound']],
  ['account', ['InsufficientBalance', 'Forbidden.RAM', 'Account.Arrearage', 'InvalidAccountStatus.NotEnoughBalance']],
  // These two codes concern tags, not capacity.
  [
    'configuration',
    [
      ...['QuotaExceed.Tags', 'OperationDenied.QuotaExceed', 'InvalidImageId.NotFound', 'InvalidUserData.SizeExceeded'],
      ...['InvalidTagValue.Malformed', 'InvalidTagCount', 'Duplicate.TagKey', 'InvalidSecurityGroupId'],
    ],
  ],
  ['throttled', ['Throttling', 'Throttling.User']],
  ['not-found', ['InvalidInstanceId.NotFound']],
  ['other', ['SomethingNew', 'QuotaExceedOther']],
])('%s: %j', (kind, each) => {
  for (const code of each) expect(kindOfCode(code), code).toBe(kind)
})

test('every documented launch error code about stock or quotas is known', () => {
  const unknown = Object.keys(errorCodes.actions.RunInstances).filter(
    (code) => /NoStock|Quota|NotOnSale|Offline/.test(code) && kindOfCode(code, 403) === 'other',
  )
  expect(unknown).toEqual([])
})

test('the HTTP status determines the kind of codes that are missing from the table', () => {
  expect([kindOfCode('New', 404), kindOfCode('New', 500), kindOfCode('New', 400)]).toEqual([
    'not-found',
    'server',
    'other',
  ])
})

test('missing keys, host names without an address and lost connections are distinguished, even if other errors wrap them', () => {
  const connection = (code: string) =>
    new NoResponseError('ecs.test', { kind: 'other', code, message: code, wasNeverSent: true })
  const keys = alibabaErrors.NoAlibabaCredentials({ problem: 'none' })
  expect(
    [keys, new Error('the launch failed', { cause: keys }), connection('ENOTFOUND'), connection('ECONNRESET')].map(
      (error) => kindOfError(error),
    ),
  ).toEqual(['credentials', 'credentials', 'region', 'server'])
  // A DNS lookup may fail for a moment.
  expect(toStepCause(connection('ENOTFOUND'))).toMatchObject({ reason: 'RegionNotFound', isBrief: true })
})

test('the documented codes about disks of a launch concern the disks of the class', () => {
  const codes = Object.keys(errorCodes.actions.RunInstances).filter((code) =>
    /^Invalid\w*DiskCategory|SystemCategoryNotMatch|DiskTypeNotSupport/.test(code),
  )
  expect(codes.filter((code) => kindOfCode(code) !== 'disk')).toEqual([])
})
