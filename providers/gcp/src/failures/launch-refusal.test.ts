import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { GcpApiError } from '../api/gcp-api-error.ts'
import { insertRefusal, type LaunchRefusal, operationShortage } from './launch-refusal.ts'

/** How upstream at 417f047b reacted to a response, when it had two instance types to launch. */
interface Recorded {
  readonly call: 'insert' | 'operation'
  /** The HTTP status of an insert. 0: the connection was closed without a response. */
  readonly status: number
  readonly code: string
  /** The number of inserts. 2 means that upstream tried the next instance type. */
  readonly inserts: 1 | 2
  readonly unavailableSeconds: number
  readonly isInsufficientCapacity: boolean
}

const recorded: readonly Recorded[] = readFileSync(new URL('launch-refusal.vectors.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))

const own = ({ call, status, code }: Recorded): LaunchRefusal =>
  call === 'operation'
    ? { nextStep: 'next', shortage: operationShortage([code]) }
    : insertRefusal(new GcpApiError({ status: status === 0 ? undefined : status, reason: code, message: 'no' }))

const named = ({ call, status, code }: Recorded): string => `${call} ${status} ${code}`
const isOf = (text: string, ...codes: readonly string[]): boolean => codes.some((code) => text.includes(code))
const isQuota = ({ code }: Recorded): boolean => isOf(code, 'QUOTA', 'quota')
const isListed = ({ code }: Recorded): boolean => isOf(code, 'POOL_EXHAUSTED', 'IP_SPACE')

describe('responses to a launch, compared with upstream', () => {
  test('offerings are unavailable for the same time, and only in Kerf after an exhausted quota', () => {
    const times = recorded.map((each) => [named(each), own(each).shortage?.unavailableFor ?? 0])
    expect(times).toEqual(
      recorded.map((each) => [named(each), isQuota(each) ? 300_000 : each.unavailableSeconds * 1000]),
    )
    expect(recorded.filter((each) => isQuota(each) && each.unavailableSeconds > 0)).toEqual([])
    expect(recorded).toHaveLength(29)
  })

  test('a lack of capacity or addresses counts as insufficient capacity in both, an exhausted quota only in Kerf', () => {
    expect(recorded.filter((each) => own(each).shortage !== undefined).map(named)).toEqual(
      recorded.filter((each) => each.isInsufficientCapacity || isQuota(each)).map(named),
    )
    expect(recorded.filter((each) => isQuota(each) && each.isInsufficientCapacity)).toEqual([])
  })

  test('the next type is tried after the same responses, unless no other type can help', () => {
    const isTried = (each: Recorded): boolean => own(each).nextStep === 'next'
    const differing = recorded.filter((each) => isTried(each) !== (each.inserts === 2))
    // Upstream tries the next instance type after every other refusal, even if it is unknown whether the first instance exists.
    expect(differing.map(named)).toEqual(
      recorded.filter((each) => each.call === 'insert' && !isListed(each) && !isQuota(each)).map(named),
    )
    expect(differing.map((each) => own(each).nextStep)).toEqual(
      differing.map(({ status }) => (status === 409 ? 'exists' : 'stop')),
    )
  })
})

test('an error of Kerf itself stops the launch', () => {
  expect(insertRefusal(new TypeError('no'))).toEqual({ nextStep: 'stop' })
})

test('if an operation has several errors, the first shortage counts', () => {
  expect(operationShortage(['OTHER', 'IP_SPACE_EXHAUSTED_WITH_DETAILS', 'QUOTA_EXCEEDED'])).toEqual({
    of: 'addresses',
    unavailableFor: 30_000,
  })
  expect(operationShortage([])).toBeUndefined()
})
