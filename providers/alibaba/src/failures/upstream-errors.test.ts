import { readFileSync } from 'node:fs'
import { ProblemError } from '@kerf/apis'
import { InsufficientCapacityError } from '@kerf/provider-contract'
import { HttpError } from '@kerf/provider-kit'
import { expect, test } from 'vitest'
import { AlibabaApiError } from '../api/alibaba-api-error.ts'
import { isCapacityKind, noInstance } from '../launch/launch-failures.ts'
import { isInstanceGone, kindOfCode } from './failure-kind.ts'

/**
 * How cloudpilot-ai/karpenter-provider-alibabacloud cb536aff handled each error code in three places: the result of a launch
 * (`launch-result`), the response to a launch (`launch-http`), and the response to a deletion. The columns are call, HTTP status, code,
 * verdict, and whether upstream marked the offering as unavailable. The codes come from Kerf's table, upstream's source and the
 * documentation.
 */
const recorded = readFileSync(new URL('upstream-errors.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => {
    const [call = '', status = '', code = '', verdict = '', marks = ''] = line.split('\t')
    return { call, status: status === '' ? undefined : Number(status), code, verdict, marks: marks === 'true' }
  })
const of = (call: string) => recorded.filter((each) => each.call === call)
const codes = (list: readonly { readonly code: string }[]): readonly string[] => list.map(({ code }) => code)

test('both launch result codes that upstream treats as a lack of capacity are also one in Kerf, and mark the offering', () => {
  const results = of('launch-result')
  const upstream = results.filter(({ verdict }) => verdict === 'insufficient-capacity')
  expect(codes(upstream)).toEqual(['NoInstanceStock', 'OperationDenied.NoStock'])
  expect(results.filter(({ marks }) => marks)).toEqual(upstream)
  for (const code of codes(upstream)) {
    expect(kindOfCode(code)).toBe('no-stock')
    expect(noInstance([{ ErrorCode: code }], 'default')).toBeInstanceOf(InsufficientCapacityError)
  }
})

test('Kerf also recognises other stock, quota, address, disk and type errors; upstream returns a plain error for all of them', () => {
  const own = of('launch-result').filter(({ code }) => isCapacityKind(kindOfCode(code)))
  const onlyOwn = own.filter(({ verdict }) => verdict === 'error')
  const perKind = Object.fromEntries(
    [...Map.groupBy(onlyOwn, ({ code }) => kindOfCode(code))].map(([kind, list]) => [kind, list.length]),
  )
  expect(perKind).toEqual({ 'no-stock': 6, 'type-unfit': 6, disk: 10, quota: 10, addresses: 3 })
  expect(own.length - onlyOwn.length).toBe(2)
})

test('upstream returns the same plain error for every HTTP error without a retry; Kerf distinguishes the kinds', () => {
  const answers = of('launch-http')
  expect(answers.filter(({ verdict, marks }) => verdict !== 'error' || marks)).toEqual([])
  const kinds = (list: readonly string[]) =>
    list.map((code) => {
      const found = answers.find((each) => each.code === code)
      if (found === undefined) throw new ProblemError(`${code} was not recorded`)
      return kindOfCode(code, found.status)
    })
  expect(kinds(['OperationDenied.NoStock', 'QuotaExceed.ElasticQuota', 'Forbidden.RAM'])).toEqual([
    'no-stock',
    'quota',
    'account',
  ])
  expect(kinds(['InvalidAccessKeyId.NotFound', 'SignatureDoesNotMatch', 'InvalidRegionId.NotFound'])).toEqual([
    'credentials',
    'credentials',
    'region',
  ])
  expect(kinds(['Throttling', 'Throttling.User', 'ServiceUnavailable', 'InternalError'])).toEqual([
    'throttled',
    'throttled',
    'server',
    'server',
  ])
})

test('upstream treats every 404 of a deletion as a deleted instance, even for keys and regions; Kerf only the code for instances', () => {
  const request = { method: 'POST', url: new URL('https://ecs.test/'), headers: {} } as const
  const deletions = of('delete').map((each) => ({
    ...each,
    error: new AlibabaApiError(
      'DeleteInstance',
      new HttpError(request, { status: each.status ?? 0, headers: {}, text: JSON.stringify({ Code: each.code }) }),
    ),
  }))
  expect(codes(deletions.filter(({ verdict }) => verdict === 'not-found'))).toEqual([
    'InvalidAccessKeyId.NotFound',
    'InvalidInstanceId.NotFound',
    'InvalidRegionId.NotFound',
  ])
  expect(codes(deletions.filter(({ error }) => isInstanceGone(error)))).toEqual(['InvalidInstanceId.NotFound'])
})
