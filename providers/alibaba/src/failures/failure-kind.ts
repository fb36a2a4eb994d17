import { NoResponseError } from '@kerf/provider-kit'
import { alibabaErrors } from '../alibaba-errors.ts'
import { AlibabaApiError, isThrottling } from '../api/alibaba-api-error.ts'

/** The meaning of a refused launch or call (`providers/alibaba/docs/spec/alibaba.md#errors`). */
export type FailureKind =
  /** The instance type is not available in the zone. */
  | 'no-stock'
  /** The instance type cannot be launched with this image or in this region. */
  | 'type-unfit'
  | 'quota'
  /** The vSwitch or the security group has no free address. */
  | 'addresses'
  /** The instance type or the zone does not support the disk categories of the node class. */
  | 'disk'
  /** There are no access keys, or the API does not accept them. */
  | 'credentials'
  /** The region does not exist, the account has no access to it, or its endpoint has no address. */
  | 'region'
  /** ACK does not have the cluster. */
  | 'cluster'
  /** Every other launch will fail as well: the account owes money, is blocked, or lacks a permission. */
  | 'account'
  /** A field of the node class refers to something that does not exist, or has a value that Alibaba Cloud does not allow. */
  | 'configuration'
  | 'throttled'
  | 'not-found'
  | 'server'
  | 'other'

/** Error codes by kind. An entry that ends with a dot matches all codes with this prefix. The first match applies. */
const KINDS: readonly (readonly [FailureKind, readonly string[]])[] = [
  [
    'no-stock',
    [
      ...['OperationDenied.NoStock', 'NoInstanceStock', 'Zone.NotOnSale', 'Zone.NotOpen', 'InstanceType.Offline'],
      ...['InvalidInstanceType.ZoneNotSupported', 'OperationDenied.ZoneNotAllowed', 'ResourceNotAvailable'],
    ],
  ],
  [
    'disk',
    [
      ...['CategoryNotSupported', 'OperationDenied.ZoneSystemCategoryNotMatch', 'OperationDenied.DiskTypeNotSupport'],
      ...['InvalidSystemDiskCategory.', 'InvalidDataDiskCategory.', 'InvalidDiskCategory.'],
      'InvalidInstanceType.NotSupportDiskCategory',
    ],
  ],
  [
    'type-unfit',
    [
      ...['InvalidInstanceType.NotSupported', 'InvalidInstanceType.ValueNotSupported', 'ImageNotSupportInstanceType'],
      ...['InvalidInstanceType.ValueUnauthorized', 'InvalidInstanceType.ElasticNetworkInterfaceNotSupported'],
      'IoOptimized.NotSupported',
    ],
  ],
  ['addresses', ['QuotaExceeded.PrivateIpAddress', 'InvalidVSwitchId.IpNotEnough', 'SecurityGroupInstanceLimitExceed']],
  // Despite their names, these two codes concern tags, not capacity.
  ['configuration', ['QuotaExceed.Tags', 'OperationDenied.QuotaExceed']],
  ['quota', ['QuotaExceed.', 'QuotaExceeded.', 'QuotaExceeded']],
  [
    'credentials',
    [
      ...['InvalidAccessKeyId', 'InvalidAccessKeyId.', 'InvalidSecurityToken', 'InvalidSecurityToken.'],
      ...['SignatureDoesNotMatch', 'IncompleteSignature', 'MissingSecurityToken'],
    ],
  ],
  [
    'region',
    [
      ...['InvalidRegionId', 'InvalidRegionId.', 'Invalid.RegionId', 'InvalidParams.RegionId', 'InvalidRegion.'],
      ...['Forbidden.RegionId', 'RegionUnauthorized', 'Unavailable.Regions'],
    ],
  ],
  ['cluster', ['ErrorClusterNotFound', 'ClusterNotFound']],
  [
    'account',
    [
      ...['InsufficientBalance', 'InvalidAccountStatus.', 'Account.Arrearage', 'RealNameAuthenticationError'],
      ...['SecurityRisk.', 'Forbidden', 'Forbidden.', 'InvalidUser.PassRoleForbidden'],
    ],
  ],
  [
    'configuration',
    [
      ...[
        'InvalidImageId.',
        'InvalidSecurityGroupId',
        'InvalidSecurityGroupId.',
        'InvalidSecurityGroup.',
        'JoinedGroupLimitExceed',
        'ImageNotSubscribed',
        'InvalidVSwitchId.',
        'InvalidResourceGroup.',
        'InvalidUserData.',
      ],
      ...['InvalidSystemDiskSize.', 'InvalidDataDiskSize.', 'InvalidTag', 'InvalidTag.', 'InvalidTagKey.'],
      ...['InvalidTagValue.', 'InvalidTagCount', 'Duplicate.TagKey', 'InvalidParameter'],
      ...['InvalidParameter.', 'InvalidKeyPairName.', 'InvalidPassword.', 'MissingParameter'],
    ],
  ],
  ['not-found', ['InvalidInstanceId.NotFound']],
]

/** Returns the kind of an error code, from an HTTP response or from the result of a launch. */
export const kindOfCode = (code: string, status?: number): FailureKind => {
  if (isThrottling(code)) return 'throttled'
  const found = KINDS.find(([, codes]) =>
    codes.some((each) => (each.endsWith('.') ? code.startsWith(each) : code === each)),
  )
  if (found !== undefined) return found[0]
  if (status === 404) return 'not-found'
  return status !== undefined && status >= 500 ? 'server' : 'other'
}

/** The error codes of Node.js for a host name without an address. */
const NO_ADDRESS: ReadonlySet<string> = new Set(['ENOTFOUND', 'EAI_AGAIN'])

/**
 * Returns the failure kind of a thrown error, or of the first error in its cause chain that has one. A call without a response counts as a
 * server error.
 */
export const kindOfError = (error: unknown): FailureKind => {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (each instanceof AlibabaApiError) return kindOfCode(each.code, each.status)
    if (alibabaErrors.NoAlibabaCredentials.is(each)) return 'credentials'
    if (each instanceof NoResponseError) return NO_ADDRESS.has(each.fault.code) ? 'region' : 'server'
  }
  return 'server'
}

/** Returns true only if the error proves that the instance of the call does not exist. */
export const isInstanceGone = (error: unknown): boolean =>
  error instanceof AlibabaApiError && error.code === 'InvalidInstanceId.NotFound'
