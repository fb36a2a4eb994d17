import { CreateError, findError, InsufficientCapacityError, NodeClassNotReadyError } from '@kerf/provider-contract'
import { UserDataError } from '@kerf/provider-kit'
import { describe, expect, test } from 'vitest'
import {
  classifyAwsFailure,
  isInstanceProfileMissing,
  isLaunchTemplateMissing,
  isRoleMissing,
  isUserDataTooLarge,
  parseRefusedPermission,
} from './aws-failure.ts'
import { type FleetError, unavailableOfferings } from './fleet-failure.ts'
import { classifyLaunchFailure, toCreateError, toFleetError } from './launch-failure.ts'

/** Returns an error in the form in which the SDK clients throw it. */
const thrown = (name: string, more: { Code?: string; status?: number; message?: string; fault?: string } = {}): Error =>
  Object.assign(new Error(more.message ?? 'refused'), {
    name,
    ...(more.Code === undefined ? {} : { Code: more.Code }),
    ...(more.fault === undefined ? {} : { $fault: more.fault }),
    $metadata: { httpStatusCode: more.status ?? 400, requestId: 'r-1' },
  })

describe('codes in the different fields of the clients', () => {
  test.each([
    ['EC2', thrown('InvalidInstanceID.NotFound', { Code: 'InvalidInstanceID.NotFound' }), 'not-found'],
    ['a launch template', thrown('InvalidLaunchTemplateName.NotFoundException'), 'not-found'],
    ['IAM', thrown('NoSuchEntityException', { Code: 'NoSuchEntity', status: 404 }), 'not-found'],
    ['IAM, present', thrown('EntityAlreadyExistsException', { Code: 'EntityAlreadyExists' }), 'already-exists'],
    ['SQS', thrown('QueueDoesNotExist', { Code: 'AWS.SimpleQueueService.NonExistentQueue' }), 'not-found'],
    ['SSM', thrown('ParameterNotFound'), 'not-found'],
    ['a dry run', thrown('DryRunOperation', { status: 412 }), 'dry-run-succeeded'],
    ['no permission', thrown('UnauthorizedOperation', { status: 403 }), 'unauthorized'],
    ['no permission, elsewhere', thrown('AccessDeniedException', { status: 400 }), 'unauthorized'],
    ['old credentials', thrown('ExpiredTokenException', { status: 403 }), 'credentials'],
    ['no credentials', Object.assign(new Error('none'), { name: 'CredentialsProviderError' }), 'credentials'],
    [
      'throttling, which comes as 503',
      thrown('RequestLimitExceeded', { status: 503, fault: 'server' }),
      'rate-limited',
    ],
    ['throttling elsewhere', thrown('ThrottlingException', { status: 400 }), 'rate-limited'],
    ['a fault', thrown('InternalError', { status: 500 }), 'server'],
    ['a lost connection', new Error('socket hang up'), 'server'],
    [
      'a lost connection, after the SDK tried again',
      Object.assign(new Error('socket hang up'), { $metadata: { attempts: 3, totalRetryDelay: 300 } }),
      'server',
    ],
    ['an answer that cannot be read', thrown('SyntaxError', { status: 200 }), 'server'],
    ['something else', thrown('InvalidParameterValue'), 'other'],
    ['no error at all', 'text', 'server'],
  ] as const)('%s', (_, error, expected) => {
    expect(classifyAwsFailure(error).class).toBe(expected)
  })

  test('the code is that of the HTTP response', () => {
    expect(classifyAwsFailure(thrown('NoSuchEntityException', { Code: 'NoSuchEntity' }))).toMatchObject({
      code: 'NoSuchEntity',
      requestId: 'r-1',
    })
    expect(classifyAwsFailure(thrown('ResourceNotFoundException')).code).toBe('ResourceNotFound')
    expect(classifyAwsFailure(thrown('Exception')).code).toBe('Exception')
    expect(isLaunchTemplateMissing(classifyAwsFailure(thrown('InvalidLaunchTemplateName.NotFoundException')))).toBe(
      true,
    )
    expect(isLaunchTemplateMissing(classifyAwsFailure(thrown('InvalidLaunchTemplateId.NotFound')))).toBe(false)
  })

  test('errors that differ only in their message', () => {
    const failure = (code: string, message: string) => classifyAwsFailure(thrown(code, { message }))
    expect(isRoleMissing(failure('NoSuchEntity', 'The role with name x cannot be found.'))).toBe(true)
    expect(isRoleMissing(failure('NoSuchEntity', 'Instance Profile x cannot be found.'))).toBe(false)
    expect(
      isInstanceProfileMissing(failure('InvalidParameterValue', 'Value (x) is an Invalid IAM Instance Profile name')),
    ).toBe(true)
    expect(isInstanceProfileMissing(failure('InvalidParameterValue', 'no'))).toBe(false)
    expect(isUserDataTooLarge(failure('InvalidUserData.Malformed', 'User data is limited to 16384 bytes'))).toBe(true)
    expect(isUserDataTooLarge(failure('InvalidUserData.Malformed', 'Invalid BASE64 encoding of user data'))).toBe(false)
  })

  test('the missing permission', () => {
    const text =
      'You are not authorized to perform this operation. User: arn:aws:sts::1:assumed-role/k/1 is not authorized to perform: ec2:RunInstances on resource: arn:aws:ec2:us-east-1:1:launch-template/lt-0123456789abcdef0 because no identity-based policy allows the ec2:RunInstances action'
    expect(parseRefusedPermission(text)).toEqual({
      action: 'ec2:RunInstances',
      resource: 'arn:aws:ec2:us-east-1:1:launch-template/*',
      by: 'identity policy',
    })
    expect(
      parseRefusedPermission(
        'x is not authorized to perform: iam:PassRole on resource: arn:aws:iam::1:role/nodes with an explicit deny in a service control policy',
      ),
    ).toEqual({ action: 'iam:PassRole', resource: 'arn:aws:iam::1:role/nodes', by: 'service control policy' })
    expect(parseRefusedPermission('no')).toBeUndefined()
  })
})

const fleetError = (ErrorCode: string, ErrorMessage = ''): FleetError => ({
  ErrorCode,
  ErrorMessage,
  LaunchTemplateAndOverrides: {
    Overrides: { InstanceType: 'm5.large', AvailabilityZone: 'a', SubnetId: 'subnet-1' },
  },
})

describe('which capacity the errors of a fleet make unavailable', () => {
  const offering = (reason: string) => [{ kind: 'offering', instanceType: 'm5.large', zone: 'a', reason }]
  test.each(['InsufficientInstanceCapacity', 'UnfulfillableCapacity', 'Unsupported', 'ReservationCapacityExceeded'])(
    '%s: the offering or the reservation is unavailable',
    (code) => {
      expect(unavailableOfferings(fleetError(code), { capacityType: 'spot' })).toEqual(offering(code))
      expect(unavailableOfferings(fleetError(code), { capacityType: 'on-demand' })).toEqual(offering(code))
      expect(unavailableOfferings(fleetError(code), { capacityType: 'reserved' })).toEqual([
        { kind: 'reservation', reason: code },
      ])
    },
  )

  test.each(['MaxSpotInstanceCountExceeded', 'VcpuLimitExceeded', 'InstanceLimitExceeded'])(
    '%s: the types of the account quota, or the reservation, are unavailable',
    (code) => {
      for (const capacityType of ['spot', 'on-demand'] as const)
        expect(unavailableOfferings(fleetError(code), { capacityType })).toEqual([
          { kind: 'quota', capacityType, instanceType: 'm5.large', reason: code },
        ])
      expect(unavailableOfferings(fleetError(code), { capacityType: 'reserved' })).toEqual([
        { kind: 'reservation', reason: code },
      ])
      expect(unavailableOfferings({ ErrorCode: code }, { capacityType: 'spot' })).toEqual([])
    },
  )

  test.each(['MaxFleetCountExceeded', 'MaxSpotFleetRequestCountExceeded'])(
    '%s: everything is unavailable',
    (reason) => {
      expect(unavailableOfferings(fleetError(reason), { capacityType: 'spot' })).toEqual([
        { kind: 'everything', reason },
      ])
    },
  )

  // The sentences are quoted from the IAM User Guide, "Troubleshoot access denied error messages".
  const refused = (action: string, resource: string, why: string) =>
    `You are not authorized to perform this operation. User: arn:aws:sts::1:assumed-role/k/1 is not authorized to perform: ${action} on resource: arn:aws:ec2:us-east-1:1:${resource} ${why}. Encoded authorization failure message: abc`
  const scp = 'with an explicit deny in a service control policy'
  const missing = 'because no identity-based policy allows the ec2:RunInstances action'
  test.each([
    ['a policy for types', refused('ec2:RunInstances', 'instance/*', scp), { kind: 'denied-offering', zone: 'a' }],
    ['an allow list of types', refused('ec2:RunInstances', 'instance/*', missing), { kind: 'denied-offering' }],
    ['an image', refused('ec2:RunInstances', 'image/ami-1', scp), { kind: 'denied-offering' }],
    ['a role', refused('iam:PassRole', 'role/nodes', scp), { kind: 'denied-offering' }],
    ['no word', 'You are not authorized to perform this operation. Encoded authorization failure message: abc', {}],
    ['a subnet', refused('ec2:CreateFleet', 'subnet/subnet-9', scp), { kind: 'denied-subnet', subnetId: 'subnet-9' }],
    ['spot', refused('ec2:RunInstances', 'spot-instances-request/*', scp), { kind: 'denied-spot' }],
  ])('a refusal that may concern only this offering: %s', (_, ErrorMessage, mark) => {
    const error = fleetError('UnauthorizedOperation', ErrorMessage)
    expect(unavailableOfferings(error, { capacityType: 'spot' })).toMatchObject([mark])
    expect(toFleetError([error])).toBeInstanceOf(InsufficientCapacityError)
  })

  test.each([
    ['the call', refused('ec2:CreateFleet', 'fleet/*', missing)],
    ['the template', refused('ec2:RunInstances', 'launch-template/lt-0123456789abcdef0', missing)],
    ['all subnets', refused('ec2:RunInstances', 'subnet/*', missing)],
  ])('a refusal of every launch makes nothing unavailable: %s', (_, ErrorMessage) => {
    const error = fleetError('UnauthorizedOperation', ErrorMessage)
    expect(unavailableOfferings(error, { capacityType: 'spot' })).toEqual([])
    expect(toFleetError([error])).toMatchObject({ reason: 'Unauthorized' })
  })

  test('the error names the denied types, and who can change the policy', () => {
    const denied = (InstanceType: string): FleetError => ({
      ...fleetError('UnauthorizedOperation', refused('ec2:RunInstances', 'instance/*', scp)),
      LaunchTemplateAndOverrides: { Overrides: { InstanceType, AvailabilityZone: 'a' } },
    })
    expect(toFleetError(['m1', 'm2', 'm3', 'm4', 'm5', 'm6', 'm1'].map(denied)).message).toContain(
      'UnauthorizedOperation: m1, m2, m3, m4, m5 and 1 more: a service control policy denies ec2:RunInstances on arn:aws:ec2:us-east-1:1:instance/*; its administrator must allow it',
    )
  })

  test('a subnet without addresses, a missing role, a full spread group', () => {
    const reason = 'InsufficientFreeAddressesInSubnet'
    expect(unavailableOfferings(fleetError(reason), { capacityType: 'spot' })).toEqual([
      { kind: 'subnet', subnetId: 'subnet-1', reason },
    ])
    expect(
      unavailableOfferings(fleetError('AuthFailure.ServiceLinkedRoleCreationNotPermitted'), { capacityType: 'spot' }),
    ).toMatchObject([{ kind: 'capacity-type', capacityType: 'spot' }])
    const full = fleetError('InvalidRequest', 'The maximum number of instances for spread placement group was reached')
    expect(unavailableOfferings(full, { capacityType: 'on-demand', placementStrategy: 'spread' })).toMatchObject([
      { kind: 'placement-group-zone', zone: 'a' },
    ])
    expect(unavailableOfferings(full, { capacityType: 'on-demand' })).toEqual([])
  })

  test.each(['RequestLimitExceeded', 'UnauthorizedOperation', 'InternalError', ''])(
    '%s makes nothing unavailable',
    (code) => {
      for (const capacityType of ['spot', 'reserved'] as const)
        expect(unavailableOfferings(fleetError(code), { capacityType })).toEqual([])
    },
  )
})

describe('the reason of a failed launch', () => {
  test.each([
    ['AuthFailure.ServiceLinkedRoleCreationNotPermitted: no', 'SpotSLRCreationFailed'],
    ['UnauthorizedOperation: no', 'Unauthorized'],
    ['AccessDenied: x is not authorized to perform: iam:PassRole on resource: arn:aws:iam::1:role/n', 'Unauthorized'],
    ['AuthFailure: Not authorized for images: [ami-1]', 'AMIAuthorizationFailure'],
    ['AuthFailure: Encoded authorization failure message: a/ami+x', 'Unauthorized'],
    [
      'InvalidParameter: Security group sg-1 and subnet subnet-1 belong to different networks.',
      'SecurityGroupSubnetVPCMismatch',
    ],
    [
      'InvalidParameterValue: Value (x) for parameter iamInstanceProfile.name is invalid.',
      'InstanceProfileNameInvalid',
    ],
    ['InvalidLaunchTemplateId.NotFound: x', 'LaunchTemplateNotFound'],
    ['InvalidUserData.Malformed: User data is limited to 16384 bytes', 'UserDataSizeLimitExceeded'],
    ['InvalidAMIID.Malformed: x', 'InvalidAMIID'],
    ['InvalidAMIID.NotFound: x', 'AMINotFound'],
    ['RequestLimitExceeded: x', 'RequestLimitExceeded'],
    ['InternalError: x', 'InternalError'],
    ['InvalidParameterCombination: not eligible for Free Tier', 'FreeTierIneligible'],
    ['MaxFleetCountExceeded: x', 'FleetQuotaExceeded'],
    ['PendingVerification: x', 'AccountPendingVerification'],
    ['MaxSpotInstanceCountExceeded: x', 'SpotQuotaExceeded'],
    ['VcpuLimitExceeded: x', 'VCPULimitExceeded'],
    ['InsufficientFreeAddressesInSubnet: x', 'InsufficientFreeAddressesInSubnet'],
    ['Whatever: x', 'LaunchFailed'],
  ])('%s is %s', (text, reason) => {
    const failure = classifyLaunchFailure(text)
    expect(failure.reason).toBe(reason)
    // The message consists of the cause, a semicolon and the remedy. It contains no ids, so failures with the same cause produce identical
    // events.
    expect(failure.message).not.toMatch(/(ami|sg|subnet|lt|i)-[0-9a-f]/)
  })

  test('the message says which policy must allow what', () => {
    const text = (by: string) =>
      `UnauthorizedOperation: x is not authorized to perform: ec2:CreateFleet on resource: * ${by}`
    expect(classifyLaunchFailure(text('because no identity-based policy allows it')).message).toMatch(
      /role of the controller.*ec2:CreateFleet/,
    )
    expect(classifyLaunchFailure(text('because no permissions boundary allows it')).message).toMatch(
      /permissions boundary.*ec2:CreateFleet/,
    )
    expect(classifyLaunchFailure(text('with an explicit deny in a service control policy')).message).toMatch(
      /service control policy.*ec2:CreateFleet/,
    )
  })

  test('if everything lacks capacity, it is insufficient capacity; anything else is retried under its reason', () => {
    const short = fleetError('InsufficientInstanceCapacity', 'none in a')
    expect(toFleetError([short, fleetError('MaxSpotInstanceCountExceeded'), short])).toBeInstanceOf(
      InsufficientCapacityError,
    )
    expect(toFleetError([short]).message).toContain('none in a')
    expect(toFleetError([fleetError('AuthFailure.ServiceLinkedRoleCreationNotPermitted')])).toBeInstanceOf(
      InsufficientCapacityError,
    )
    const mixed = toFleetError([short, fleetError('UnauthorizedOperation')])
    expect(mixed).toBeInstanceOf(CreateError)
    expect(mixed).toMatchObject({ reason: 'Unauthorized' })
    expect(toFleetError([])).toMatchObject({ reason: 'LaunchFailed' })
  })
})

test('any thrown value becomes an error that decides what happens to the claim', () => {
  const [create, capacity, notReady] = [
    new CreateError('Why', 'because'),
    new InsufficientCapacityError('none'),
    new NodeClassNotReadyError('not yet'),
  ]
  for (const known of [create, capacity, notReady]) {
    expect(toCreateError(known)).toBe(known)
    expect(toCreateError(new Error('outside', { cause: known }))).toBe(known)
  }
  const shown = (error: unknown) => {
    const { reason } = findError(toCreateError(error), CreateError) ?? {}
    return reason
  }
  expect(shown(new UserDataError('TOML', 'a brace is missing', 'add it'))).toBe('UserDataInvalid')
  const refused = Object.assign(new Error('x is not authorized to perform: ec2:CreateFleet'), {
    name: 'UnauthorizedOperation',
    $metadata: { httpStatusCode: 403 },
  })
  expect(shown(refused)).toBe('Unauthorized')
  expect(toCreateError(refused).cause).toBe(refused)
})
