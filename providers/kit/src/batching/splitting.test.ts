import { expect, test } from 'vitest'
import type { Concern } from '../failures/failure.ts'
import { splitOnRefusal } from './splitting.ts'

const never = new AbortController().signal
const ids = Array.from({ length: 20 }, (_, index) => `server-${(index + 16).toString(16).padStart(6, '0')}`)
const id = (index: number): string => ids[index] ?? ''

/** An error that contains which ids it concerns. */
class Refused extends Error {
  readonly concern: Concern
  constructor(message: string, concern: Concern = 'some') {
    super(message)
    this.concern = concern
  }
}
const errorConcern = (error: unknown): Concern => (error instanceof Refused ? error.concern : 'some')

/**
 * Calls `splitOnRefusal` with a cloud that fails a call if `refuse` returns an error for it. Returns the result for each id, and the
 * calls.
 */
const ask = async (refuse: (group: readonly string[]) => Error | undefined) => {
  const calls: (readonly string[])[] = []
  const answers = await splitOnRefusal(
    ids,
    {
      call: async (group) => {
        calls.push(group)
        const error = refuse(group)
        if (error !== undefined) throw error
        return new Map(group.map((each) => [each, true]))
      },
      silent: () => ({ ok: true, value: false }),
      concernOf: errorConcern,
    },
    never,
  )
  return { calls, answers, failed: ids.filter((each) => answers.get(each)?.ok !== true), size: answers.size }
}

test('ids in the message of the refusal are removed, and the remaining ids are sent in one call', async () => {
  const unknown = [id(3), id(7)]
  const { calls, failed } = await ask((group) => {
    const named = group.filter((each) => unknown.includes(each))
    if (named.length === 0) return undefined
    return new Refused(`the servers '${named.join(', ')}' do not exist`)
  })
  expect(failed).toEqual(unknown)
  expect(calls.map(({ length }) => length)).toEqual([20, 18])
})

test('if the message of a refusal contains no id, the call is halved until each refused id is alone', async () => {
  const bad = [id(3), id(4), id(19)]
  const { calls, failed, size } = await ask((group) =>
    group.some((each) => bad.includes(each)) ? new Refused('not for you') : undefined,
  )
  expect(failed).toEqual(bad)
  expect(size).toBe(20)
  expect(calls.length).toBeLessThan(20)
})

test('if every id is refused, every id gets its own error', async () => {
  const { failed, calls } = await ask((group) => new Refused(`server '${group[0]}' is protected.`))
  expect(failed).toEqual(ids)
  expect(calls.length).toBe(20)
})

test('an error that concerns all ids is not retried for single ids, and an outage ends the splitting early', async () => {
  const outcome = async (concern: Concern) => {
    const { calls, failed } = await ask(() => new Refused('no', concern))
    return { calls: calls.length, failed: failed.length }
  }
  expect(await outcome('all')).toEqual({ calls: 1, failed: 20 })
  expect(await outcome('service')).toEqual({ calls: 1 + 2 + 4, failed: 20 })
})

test('an error that concerns all ids stops the splitting at any depth, and every id gets the reason', async () => {
  const throttled = new Refused('slow down', 'all')
  const { calls, answers } = await ask((group) => {
    if (group.length === ids.length) return new Refused('no')
    return group.includes(id(0)) ? throttled : undefined
  })
  expect(calls.map(({ length }) => length)).toEqual([20, 10, 10])
  expect(answers.get(id(9))).toEqual({ ok: false, error: throttled })
  expect(answers.get(id(10))).toEqual({ ok: true, value: true })
})

test('a service error that one id causes does not stop the other ids', async () => {
  const { failed } = await ask((group) =>
    group.includes(id(11)) ? new Refused('internal error', 'service') : undefined,
  )
  expect(failed).toEqual([id(11)])
})

test('ids that are missing in the response are requested again one by one, ten at a time', async () => {
  const calls: (readonly string[])[] = []
  let [open, most] = [0, 0]
  const answers = await splitOnRefusal(
    ids,
    {
      call: async (group) => {
        calls.push(group)
        open += 1
        most = Math.max(most, open)
        await Promise.resolve()
        open -= 1
        return new Map(group.includes(id(0)) ? [[id(0), true]] : [])
      },
      silent: (each) => ({ ok: false, error: new Error(`silence about ${each}`) }),
      concernOf: errorConcern,
    },
    never,
  )
  expect(calls).toEqual([ids, ...ids.slice(1).map((each) => [each])])
  expect(most).toBe(10)
  expect(answers.get(id(0))).toEqual({ ok: true, value: true })
  expect(answers.get(id(7))).toEqual({ ok: false, error: new Error(`silence about ${id(7)}`) })
})

test('if there are two ids, the id that is missing in the response is requested again', async () => {
  const calls: (readonly string[])[] = []
  const two = ids.slice(0, 2)
  const answers = await splitOnRefusal(
    two,
    {
      call: async (group) => {
        calls.push(group)
        return new Map([[group[0] ?? '', true]])
      },
      silent: () => ({ ok: true, value: false }),
      concernOf: errorConcern,
    },
    never,
  )
  expect(calls).toEqual([two, [id(1)]])
  expect(answers.get(id(1))).toEqual({ ok: true, value: true })
})
