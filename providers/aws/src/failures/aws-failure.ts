/**
 * Classifies what AWS refused by its error code (`docs/spec/aws.md#errors`, `docs/spec/aws-sdk.md`). The clients of its
 * services have the code in different fields.
 */

/** What a refusal means, whatever the service. */
export type FailureClass =
  | 'not-found'
  | 'already-exists'
  /** A dry run that would have been allowed. */
  | 'dry-run-succeeded'
  | 'unauthorized'
  /** The credentials are wrong or have run out; no call will succeed. */
  | 'credentials'
  /** The account may not use the service: not signed up for it, blocked, or under verification. */
  | 'account'
  | 'rate-limited'
  /** The name of the service has no address: the region does not exist, or its names cannot be resolved from here. */
  | 'no-endpoint'
  /** A fault of the service; trying again may help. */
  | 'server'
  | 'other'

export interface AwsFailure {
  readonly class: FailureClass
  /** As the service calls it, without the ending that a client may add. */
  readonly code: string
  readonly message: string
  readonly requestId?: string
  /**
   * Whether the call has surely changed nothing: the service itself refused it, at the first attempt. A connection that
   * is cut, an answer that cannot be read and a refusal of a repeat say nothing of what an attempt has done.
   */
  readonly isRefusal: boolean
}

/** The one code that ends like this on the wire too. */
export const LAUNCH_TEMPLATE_NAME_NOT_FOUND = 'InvalidLaunchTemplateName.NotFoundException'

/** As Node says it. */
const UNKNOWN_HOST = 'ENOTFOUND'

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
  // The errors that all actions of EC2 have in common (API reference, "Error codes").
  ['OptInRequired', 'account'],
  ['PendingVerification', 'account'],
  ['Blocked', 'account'],
  ['SubscriptionRequired', 'account'],
  [UNKNOWN_HOST, 'no-endpoint'],
  ['RequestLimitExceeded', 'rate-limited'],
  ['Throttling', 'rate-limited'],
  ['ThrottledException', 'rate-limited'],
  ['Throttled', 'rate-limited'],
  ['TooManyRequests', 'rate-limited'],
])

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
const textOf = (value: unknown, name: string): string | undefined => {
  const field = fieldOf(value, name)
  return typeof field === 'string' && field !== '' ? field : undefined
}

const wireCode = (code: string): string =>
  code === LAUNCH_TEMPLATE_NAME_NOT_FOUND ? code : code.replace(/(?<=.)Exception$/, '')

const isUnknownHost = (thrown: unknown): boolean =>
  textOf(thrown, 'code') === UNKNOWN_HOST || textOf(fieldOf(thrown, 'cause'), 'code') === UNKNOWN_HOST

/**
 * Whatever was thrown by a call to AWS, as a failure. What no service said (a lost connection, an answer that breaks off)
 * is of class `server`: the SDK gives such errors `$metadata` too, with the number of attempts and no status of HTTP.
 */
export const awsFailureOf = (thrown: unknown): AwsFailure => {
  const names = [textOf(thrown, 'Code'), textOf(thrown, 'name')].filter((name) => name !== undefined).map(wireCode)
  const code = names.find((name) => byCode.has(name)) ?? (isUnknownHost(thrown) ? UNKNOWN_HOST : names[0]) ?? 'Unknown'
  const metadata = fieldOf(thrown, '$metadata')
  const status = fieldOf(metadata, 'httpStatusCode')
  const requestId = textOf(metadata, 'requestId')
  // Throttling comes with a status of the server's faults, so the code is asked first.
  const known = byCode.get(code)
  const isClient = typeof status === 'number' && status >= 400 && status < 500
  const attempts = fieldOf(metadata, 'attempts')
  return {
    class: known ?? (isClient ? 'other' : 'server'),
    code,
    message: thrown instanceof Error ? thrown.message : String(thrown),
    isRefusal: (isClient || known === 'rate-limited') && (typeof attempts !== 'number' || attempts <= 1),
    ...(requestId === undefined ? {} : { requestId }),
  }
}

/** What is to be done about a failure of each class. */
export const retryOf = (failure: FailureClass): 'back-off' | 'never' | 'not-needed' => {
  switch (failure) {
    case 'rate-limited':
    case 'server':
    case 'no-endpoint':
      return 'back-off'
    // What was refused may be allowed, and what is missing may be made, without our noticing.
    case 'unauthorized':
    case 'credentials':
    case 'account':
    case 'other':
      return 'back-off'
    case 'not-found':
      return 'never'
    case 'already-exists':
    case 'dry-run-succeeded':
      return 'not-needed'
  }
}

/** Whether the role of an instance profile is what was not found. */
export const isRoleMissing = ({ code, message }: AwsFailure): boolean =>
  code === 'NoSuchEntity' && /role/i.test(message)

export const isInstanceProfileMissing = ({ code, message }: AwsFailure): boolean =>
  code === 'InvalidParameterValue' && /invalid iam instance profile name/i.test(message)

export const isUserDataTooLarge = ({ code, message }: AwsFailure): boolean =>
  code === 'InvalidUserData.Malformed' && /limit/i.test(message)

export const isLaunchTemplateMissing = ({ code }: AwsFailure): boolean => code === LAUNCH_TEMPLATE_NAME_NOT_FOUND

/** The action that was refused, on what, and which kind of policy refused it. */
export interface RefusedPermission {
  readonly action: string
  /** The resource, with `*` in place of the id of a single one. */
  readonly resource?: string
  readonly by: 'permissions boundary' | 'service control policy' | 'identity policy'
}

/** What a refusal says about the permission that is missing, where it says it. */
export const refusedPermissionOf = (message: string): RefusedPermission | undefined => {
  const [, action, resource] = /not authorized to perform: ([\w-]+:\w+)(?: on resource: (\S+))?/.exec(message) ?? []
  if (action === undefined) return undefined
  const by = /permissions boundary/i.test(message)
    ? 'permissions boundary'
    : /service control policy/i.test(message)
      ? 'service control policy'
      : 'identity policy'
  const kind = resource?.replace(/\/[a-z]+-[0-9a-f]{8,17}$/, '/*')
  return { action, by, ...(kind === undefined ? {} : { resource: kind }) }
}
