import { type Failure, type FailureClass, failureClassifier, readField, readTextField } from '@kerf/provider-kit'

/**
 * Classifies AWS errors by their code (`providers/aws/docs/spec/aws.md#errors`, `providers/aws/docs/spec/aws-sdk.md`). Each service's
 * client puts the code into a different field.
 */

/** The only EC2 error code that really ends in `Exception`. To all other codes, the SDK's client appends this suffix. */
export const LAUNCH_TEMPLATE_NAME_NOT_FOUND = 'InvalidLaunchTemplateName.NotFoundException'

const byCode: ReadonlyMap<string, FailureClass> = new Map([
  ...(
    [
      'InvalidCapacityReservationId.NotFound',
      'InvalidInstanceID.NotFound',
      'InvalidPlacementGroup.Unknown',
      LAUNCH_TEMPLATE_NAME_NOT_FOUND,
      'InvalidLaunchTemplateId.NotFound',
      'QueueDoesNotExist',
      'AWS.SimpleQueueService.NonExistentQueue',
      'NoSuchEntity',
      'ParameterNotFound',
    ] as const
  ).map((code) => [code, 'not-found'] as const),
  ['EntityAlreadyExists', 'already-exists'],
  ['DryRunOperation', 'dry-run-succeeded'],
  ['UnauthorizedOperation', 'unauthorized'],
  ['AccessDenied', 'unauthorized'],
  ['AuthFailure', 'credentials'],
  ['ExpiredToken', 'credentials'],
  ['RequestExpired', 'credentials'],
  ['InvalidClientTokenId', 'credentials'],
  ['UnrecognizedClient', 'credentials'],
  ['CredentialsProviderError', 'credentials'],
  ['TokenProviderError', 'credentials'],
  ['InvalidIdentityToken', 'credentials'],
  ['InvalidAccessKeyId', 'credentials'],
  ['IncompleteSignature', 'credentials'],
  ['InvalidSignature', 'credentials'],
  ['SignatureDoesNotMatch', 'credentials'],
  ['MissingAuthenticationToken', 'credentials'],
  // The codes that all EC2 actions share (API reference, "Error codes").
  ['OptInRequired', 'account'],
  ['PendingVerification', 'account'],
  ['Blocked', 'account'],
  ['SubscriptionRequired', 'account'],
  ['RequestLimitExceeded', 'rate-limited'],
  ['Throttling', 'rate-limited'],
  ['ThrottledException', 'rate-limited'],
  ['Throttled', 'rate-limited'],
  ['TooManyRequests', 'rate-limited'],
])

const wireCode = (code: string): string =>
  code === LAUNCH_TEMPLATE_NAME_NOT_FOUND ? code : code.replace(/(?<=.)Exception$/, '')

/**
 * Classifies any value that a call to AWS threw. Connection errors also have `$metadata`, with the number of attempts but without an HTTP
 * status. Removes the suffix that a client appends to the code.
 */
export const classifyAwsFailure: (thrown: unknown) => Failure = failureClassifier(byCode, (thrown) => {
  const metadata = readField(thrown, '$metadata')
  const [status, attempts] = [readField(metadata, 'httpStatusCode'), readField(metadata, 'attempts')]
  const requestId = readTextField(metadata, 'requestId')
  return {
    codes: [readTextField(thrown, 'Code'), readTextField(thrown, 'name')]
      .filter((name) => name !== undefined)
      .map(wireCode),
    ...(typeof status === 'number' ? { status } : {}),
    ...(typeof attempts === 'number' ? { attempts } : {}),
    ...(requestId === undefined ? {} : { requestId }),
  }
})

/** Returns true if the missing object is the role of an instance profile. */
export const isRoleMissing = ({ code, message }: Failure): boolean => code === 'NoSuchEntity' && /role/i.test(message)

export const isInstanceProfileMissing = ({ code, message }: Failure): boolean =>
  code === 'InvalidParameterValue' && /invalid iam instance profile name/i.test(message)

export const isUserDataTooLarge = ({ code, message }: Failure): boolean =>
  code === 'InvalidUserData.Malformed' && /limit/i.test(message)

export const isLaunchTemplateMissing = ({ code }: Failure): boolean => code === LAUNCH_TEMPLATE_NAME_NOT_FOUND

/** The refused action, its resource, and the kind of policy that refused it. */
export interface RefusedPermission {
  readonly action: string
  /** The resource, with `*` in place of a single id. */
  readonly resource?: string
  readonly by: RefusingPolicy
}

/** The kinds of policies, in the words of the IAM User Guide ("Troubleshoot access denied error messages"). */
const POLICIES = [
  'permissions boundary',
  'service control policy',
  'resource control policy',
  'session policy',
  'VPC endpoint policy',
  'resource-based policy',
] as const
type RefusingPolicy = (typeof POLICIES)[number] | 'identity policy'

/** Returns the missing permission that an error message mentions, or undefined if it mentions none. */
export const parseRefusedPermission = (message: string): RefusedPermission | undefined => {
  const [, action, resource] = /not authorized to perform: ([\w-]+:\w+)(?: on resource: (\S+))?/.exec(message) ?? []
  if (action === undefined) return undefined
  const text = message.toLowerCase()
  const by = POLICIES.find((each) => text.includes(each.toLowerCase())) ?? 'identity policy'
  const kind = resource?.replace(/\/[a-z]+-[0-9a-f]{8,17}$/, '/*')
  return { action, by, ...(kind === undefined ? {} : { resource: kind }) }
}
