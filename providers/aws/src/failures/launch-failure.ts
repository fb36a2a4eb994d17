import type { CreateError, InsufficientCapacityError } from '@kerf/provider-contract'
import {
  createErrorFrom,
  type LaunchFailure,
  type LaunchFailureEntry,
  launchError,
  launchFailures,
} from '@kerf/provider-kit'
import { classifyAwsFailure, parseRefusedPermission } from './aws-failure.ts'
import { type FleetError, isSpotRoleMissing, isUnfulfillable } from './fleet-failure.ts'
import { isExplicitDeny, parsePolicyRefusal } from './policy-refusal.ts'

const unauthorized = (text: string): string => {
  const refused = parseRefusedPermission(text)
  if (refused === undefined) return 'the controller is not authorized; compare its role with "kerf aws policy"'
  const { action, resource, by } = refused
  const on = resource === undefined ? '' : ` on ${resource}`
  if (isExplicitDeny(text))
    return by === 'identity policy'
      ? `a policy of the role of the controller denies ${action}${on}; change the statement that denies it`
      : `a ${by} denies ${action}${on}; its administrator must allow it`
  return by === 'identity policy'
    ? `the role of the controller does not allow ${action}${on}; add it, see "kerf aws policy"`
    : `a ${by} does not allow ${action}${on}; its administrator must allow it`
}

/** Patterns of error texts, each with its failure (`providers/aws/docs/spec/aws.md#errors`). The first match applies. */
const entries: readonly LaunchFailureEntry[] = [
  [
    /AuthFailure\.ServiceLinkedRoleCreationNotPermitted/,
    'SpotSLRCreationFailed',
    'the account has no service-linked role for spot instances, and the controller is not allowed to create it; create the role for spot.amazonaws.com once, or use on-demand only',
  ],
  [
    /(UnauthorizedOperation|AccessDenied|AuthFailure)[\s\S]*\b(image|ami)\b|\b(image|ami)\b[\s\S]*(UnauthorizedOperation|AccessDenied|AuthFailure)/i,
    'AMIAuthorizationFailure',
    (text) =>
      parseRefusedPermission(text) === undefined
        ? 'the account is not allowed to launch the image; ask its owner to share it, or select another image in amiSelectorTerms'
        : unauthorized(text),
  ],
  [/UnauthorizedOperation|AccessDenied|AuthFailure/, 'Unauthorized', unauthorized],
  [
    /InvalidParameter[\s\S]*different networks/i,
    'SecurityGroupSubnetVPCMismatch',
    'security groups and subnets are in different VPCs; select both from the VPC of the cluster',
  ],
  [
    /invalid[\s\S]*iamInstanceProfile\.name|iamInstanceProfile\.name[\s\S]*invalid/i,
    'InstanceProfileNameInvalid',
    'the instance profile does not exist; correct spec.instanceProfile, or set spec.role instead',
  ],
  [
    /InvalidLaunchTemplateId\.NotFound/,
    'LaunchTemplateNotFound',
    'the launch template was deleted; Kerf creates it again',
  ],
  [
    /InvalidUserData\.Malformed[\s\S]*limit|user data[\s\S]*limit/i,
    'UserDataSizeLimitExceeded',
    'the user data exceeds the EC2 limit of 16384 bytes; shorten spec.userData, or let it download a script',
  ],
  [/InvalidAMIID\.Malformed/, 'InvalidAMIID', 'EC2 rejects the image ID; correct amiSelectorTerms'],
  [/InvalidAMIID\.NotFound/, 'AMINotFound', 'the image does not exist in this region; correct amiSelectorTerms'],
  [/RequestLimitExceeded/, 'RequestLimitExceeded', 'EC2 throttles requests of the account; Kerf retries'],
  [/InternalError/, 'InternalError', 'EC2 had an internal error; Kerf retries'],
  [/Free Tier/i, 'FreeTierIneligible', 'the free tier of the account does not include the instance type'],
  [/MaxFleetCountExceeded/, 'FleetQuotaExceeded', 'the account has reached its quota of fleets; raise the quota'],
  [/PendingVerification/, 'AccountPendingVerification', 'AWS is still verifying the account; Kerf retries'],
  [
    /MaxSpotInstanceCountExceeded/,
    'SpotQuotaExceeded',
    'the account has reached its quota of spot instances; raise the quota',
  ],
  [/VcpuLimitExceeded/, 'VCPULimitExceeded', 'the account has reached its vCPU quota; raise the quota'],
  [
    /InsufficientFreeAddressesInSubnet/,
    'InsufficientFreeAddressesInSubnet',
    'the subnets have no free addresses; add subnets to subnetSelectorTerms',
  ],
]

/**
 * Matches the encoded text that EC2 appends to a message. The text is removed, because by chance it may contain words that a pattern
 * matches.
 */
const CIPHER = /Encoded authorization failure message: \S+/

const ofText = launchFailures(entries, {
  reason: 'LaunchFailed',
  message: 'EC2 rejected the launch; see the log of the controller for its response',
})

/** Returns the failure that an error text describes. */
export const classifyLaunchFailure = (answer: string): LaunchFailure => ofText(answer.replace(CIPHER, ''))

/** Converts a thrown value to an error type that tells the core what to do with the NodeClaim. */
export const toCreateError = (thrown: unknown): Error =>
  createErrorFrom(thrown, (error) => {
    const { code, message } = classifyAwsFailure(error)
    return classifyLaunchFailure(`${code}: ${message}`)
  })

/** Returns EC2's error code and the message for the user, for a call that a policy refused as a whole. */
export const refusedLaunchText = (thrown: unknown): string => {
  const { code, message } = classifyAwsFailure(thrown)
  return `${code}: ${classifyLaunchFailure(`${code}: ${message}`).message}`
}

/** The maximum number of instance types that an error lists. */
const NAMED = 5

/**
 * Returns one message for all instance types that a policy refuses for the same reason. The message contains the remedy, but not the
 * encoded text.
 */
const deniedTypes = (message: string, errors: readonly FleetError[]): string => {
  const types = [
    ...new Set(
      errors
        .filter(
          ({ ErrorMessage = '' }) =>
            classifyLaunchFailure(`UnauthorizedOperation: ${ErrorMessage}`).message === message,
        )
        .flatMap(({ LaunchTemplateAndOverrides: chosen }) => chosen?.Overrides?.InstanceType ?? []),
    ),
  ]
  if (types.length === 0) return message
  const more = types.length > NAMED ? ` and ${types.length - NAMED} more` : ''
  return `${types.slice(0, NAMED).join(', ')}${more}: ${message}`
}

/**
 * Returns the error of a fleet without an instance. If a policy denied an offering, other offerings may work. Therefore the function
 * returns an InsufficientCapacityError, and the core deletes the NodeClaim.
 */
export const toFleetError = (errors: readonly FleetError[]): CreateError | InsufficientCapacityError => {
  const denied = errors.filter(
    ({ ErrorCode = '', ErrorMessage = '' }) => parsePolicyRefusal(ErrorCode, ErrorMessage) !== undefined,
  )
  return launchError(
    errors.map((error) => {
      const { ErrorCode = 'Unknown', ErrorMessage = '' } = error
      if (!denied.includes(error))
        return {
          text: `${ErrorCode}: ${ErrorMessage}`,
          isShort: isUnfulfillable(ErrorCode) || isSpotRoleMissing(ErrorCode),
        }
      const { message } = classifyLaunchFailure(`UnauthorizedOperation: ${ErrorMessage}`)
      return { text: `${ErrorCode}: ${deniedTypes(message, denied)}`, isShort: true }
    }),
    'CreateFleet',
    classifyLaunchFailure,
  )
}
