import { PrometheusMetrics, VirtualClock } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { idBatches } from './id-batches.ts'

const never = new AbortController().signal

/** Creates a cloud that returns the sizes of servers by id. It refuses the whole call if it does not know one of the ids. */
const harness = (sizes: Readonly<Record<string, number>>) => {
  const clock = new VirtualClock()
  const calls: (readonly string[])[] = []
  const batches = idBatches<number | undefined>({
    name: 'sizes',
    clock,
    metrics: new PrometheusMetrics(),
    idle: 100,
    max: 1_000,
    items: 500,
    call: async (ids) => {
      calls.push(ids)
      const unknown = ids.find((id) => sizes[id] === undefined)
      if (unknown !== undefined) throw new Error(unknown.startsWith('lost') ? 'broken' : `no server ${unknown}`)
      return new Map(ids.flatMap((id) => (sizes[id] === 0 ? [] : [[id, sizes[id]]])))
    },
    silent: (id) => ({ ok: false, error: new Error(`silence about ${id}`) }),
    concernOf: () => 'some',
    isUnknown: (error) => String(error).includes('no server'),
    unknown: undefined,
  })
  const ask = async (...ids: readonly string[]) => {
    const answers = Promise.allSettled(ids.map((id) => batches.add(id, never)))
    await clock.advance(100)
    return (await answers).map((answer) => (answer.status === 'fulfilled' ? answer.value : String(answer.reason)))
  }
  return { ask, calls }
}

test('requests that arrive together share one call, and each gets the result for its id', async () => {
  const { ask, calls } = harness({ a: 1, b: 2 })
  expect(await ask('a', 'b', 'a')).toEqual([1, 2, 1])
  expect(calls).toEqual([['a', 'b']])
})

test('an id that the cloud does not know gets the result "unknown"; the other ids get their own results', async () => {
  const { ask, calls } = harness({ a: 1, b: 2 })
  expect(await ask('a', 'x', 'b')).toEqual([1, undefined, 2])
  expect(calls).toEqual([
    ['a', 'x', 'b'],
    ['a', 'b'],
  ])
})

test('any other refusal, or a missing result, is an error for that id only', async () => {
  const { ask } = harness({ a: 1, mute: 0 })
  expect(await ask('lost', 'a', 'mute')).toEqual(['Error: broken', 1, 'Error: silence about mute'])
})
