import { expect, test } from 'vitest'
import { sdkError } from '../testing/fake-aws/sdk-error.ts'
import { splitOnRefusal } from './splitting.ts'

const never = new AbortController().signal
const ids = Array.from({ length: 20 }, (_, index) => `i-${(index + 16).toString(16).padStart(17, '0')}`)
const id = (index: number): string => ids[index] ?? ''

/** Asks for all, with the call failing as told for the instances in it; answers what became of each, and the calls. */
const ask = async (refuse: (group: readonly string[]) => Error | undefined) => {
  const calls: (readonly string[])[] = []
  const answers = await splitOnRefusal(
    ids,
    async (group) => {
      calls.push(group)
      const error = refuse(group)
      if (error !== undefined) throw error
      return new Map(group.map((each) => [each, true]))
    },
    () => ({ ok: true, value: false }),
    never,
  )
  return { calls, failed: ids.filter((each) => answers.get(each)?.ok !== true), size: answers.size }
}

test('those that the refusal names are taken out, and the others are one call', async () => {
  const unknown = [id(3), id(7)]
  const { calls, failed } = await ask((group) => {
    const named = group.filter((each) => unknown.includes(each))
    if (named.length === 0) return undefined
    return sdkError({
      code: 'InvalidInstanceID.NotFound',
      message: `The instance IDs '${named.join(', ')}' do not exist`,
    })
  })
  expect(failed).toEqual(unknown)
  expect(calls.map(({ length }) => length)).toEqual([20, 18])
})

test('a refusal that names nobody is halved until those it is about stand alone', async () => {
  const bad = [id(3), id(4), id(19)]
  const { calls, failed, size } = await ask((group) =>
    group.some((each) => bad.includes(each)) ? sdkError({ code: 'UnauthorizedOperation', status: 403 }) : undefined,
  )
  expect(failed).toEqual(bad)
  expect(size).toBe(20)
  expect(calls.length).toBeLessThan(20)
})

test('every one refused is every one told, with the error that is its own', async () => {
  const { failed, calls } = await ask((group) =>
    sdkError({ code: 'OperationNotPermitted', message: `The instance '${group[0]}' may not be terminated.` }),
  )
  expect(failed).toEqual(ids)
  expect(calls.length).toBe(20)
})

test('throttling, wrong credentials and a refused account are not asked about one by one; an outage is soon known', async () => {
  const callsFor = async (code: string, status: number): Promise<number> =>
    (await ask(() => sdkError({ code, status }))).calls.length
  expect(await callsFor('RequestLimitExceeded', 503)).toBe(1)
  expect(await callsFor('AuthFailure', 401)).toBe(1)
  expect(await callsFor('OptInRequired', 401)).toBe(1)
  expect(await callsFor('InternalError', 500)).toBe(1 + 2 + 4)
})

test('a fault of EC2 that one instance sets off stops none of the others', async () => {
  const { failed } = await ask((group) =>
    group.includes(id(11)) ? sdkError({ code: 'InternalError', status: 500 }) : undefined,
  )
  expect(failed).toEqual([id(11)])
})

test('an instance that the answer leaves out is asked for alone, once, ten at a time', async () => {
  const calls: (readonly string[])[] = []
  let [open, most] = [0, 0]
  const answers = await splitOnRefusal(
    ids,
    async (group) => {
      calls.push(group)
      open += 1
      most = Math.max(most, open)
      await Promise.resolve()
      open -= 1
      return new Map(group.includes(id(0)) ? [[id(0), true]] : [])
    },
    (each) => ({ ok: false, error: new Error(`silence about ${each}`) }),
    never,
  )
  expect(calls).toEqual([ids, ...ids.slice(1).map((each) => [each])])
  expect(most).toBe(10)
  expect(answers.get(id(0))).toEqual({ ok: true, value: true })
  expect(answers.get(id(7))).toEqual({ ok: false, error: new Error(`silence about ${id(7)}`) })
})

test('of two instances the one that the answer leaves out is asked for again', async () => {
  const calls: (readonly string[])[] = []
  const two = ids.slice(0, 2)
  const answers = await splitOnRefusal(
    two,
    async (group) => {
      calls.push(group)
      return new Map([[group[0] ?? '', true]])
    },
    () => ({ ok: true, value: false }),
    never,
  )
  expect(calls).toEqual([two, [id(1)]])
  expect(answers.get(id(1))).toEqual({ ok: true, value: true })
})
