import { CreateError, InsufficientCapacityError, NodeClassNotReadyError } from '@kerf/provider-contract'
import { describe, expect, test } from 'vitest'
import { UserDataError } from '../user-data/user-data-error.ts'
import { createErrorFrom, launchError, launchFailures } from './launch-failure.ts'

const classify = launchFailures(
  [
    [/QuotaExceeded/, 'QuotaExceeded', 'the quota is used up; raise it'],
    [/Forbidden/, 'Unauthorized', (text) => `the role lacks ${text.split(' ').at(-1)}; add it`],
    [/./, 'Odd', 'something; look'],
  ],
  { reason: 'LaunchFailed', message: 'the cloud refused the launch; look into the log' },
)

test('the first matching entry determines the failure; without a match, the fallback does', () => {
  expect(classify('QuotaExceeded, and Forbidden')).toEqual({
    reason: 'QuotaExceeded',
    message: 'the quota is used up; raise it',
  })
  expect(classify('Forbidden: you lack servers.create')).toEqual({
    reason: 'Unauthorized',
    message: 'the role lacks servers.create; add it',
  })
  expect(classify('').reason).toBe('LaunchFailed')
})

describe('a launch that created no instance', () => {
  const short = { text: 'OutOfStock: none in a', isShort: true }
  const errorFor = (...refusals: Parameters<typeof launchError>[0]) => launchError(refusals, 'CreateServers', classify)

  test('is insufficient capacity if every attempt was refused for lack of capacity', () => {
    const error = errorFor(short, short, { text: 'OutOfStock: none in b', isShort: true })
    expect(error).toBeInstanceOf(InsufficientCapacityError)
    expect(error.message).toContain('OutOfStock: none in a; OutOfStock: none in b')
  })

  test('is a launch failure if anything else was refused', () => {
    const error = errorFor(
      short,
      { text: 'QuotaExceeded: 5', isShort: false },
      { text: 'Forbidden: x', isShort: false },
    )
    expect(error).toBeInstanceOf(CreateError)
    expect(error).toMatchObject({ reason: 'QuotaExceeded' })
    expect(error.cause).toEqual(new Error('CreateServers: OutOfStock: none in a; QuotaExceeded: 5; Forbidden: x'))
  })

  test('is a launch failure if the cloud did not respond', () => {
    const error = errorFor()
    expect(error).toMatchObject({ reason: 'LaunchFailed' })
    expect(error.cause).toEqual(new Error('CreateServers: neither an instance nor an error was returned'))
  })
})

describe('errors that a step of a launch threw', () => {
  const read = (thrown: unknown) => classify(String(thrown))

  test.each([
    new CreateError('Mine', 'because'),
    new InsufficientCapacityError('none'),
    new NodeClassNotReadyError('not yet'),
  ])('$name is kept, even as the cause of another error', (error) => {
    expect(createErrorFrom(error, read)).toBe(error)
    expect(createErrorFrom(new Error('outer', { cause: error }), read)).toBe(error)
  })

  test('unusable user data is reported with its own message', () => {
    const error = createErrorFrom(new UserDataError('MIME', 'no end', 'end it'), read)
    expect(error).toMatchObject({ reason: 'UserDataInvalid', message: expect.stringContaining('no end; end it') })
  })

  test('any other error gets its name from the table of the cloud, and is kept as the cause', () => {
    const thrown = new Error('QuotaExceeded')
    const error = createErrorFrom(thrown, read)
    expect(error).toBeInstanceOf(CreateError)
    expect(error).toMatchObject({ reason: 'QuotaExceeded', cause: thrown })
    expect(error.message).toContain('the quota is used up; raise it')
  })
})
