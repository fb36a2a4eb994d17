import { expect, test } from 'vitest'
import { SingleFlight } from './single-flight.ts'

const never = new AbortController().signal

/** Creates work that does not end until the test ends it. */
const harness = () => {
  const flights = new SingleFlight<string>()
  const begun: { readonly key: string; readonly signal: AbortSignal; end: (answer: string | Error) => void }[] = []
  const ask = (key: string, signal = never): Promise<string> =>
    flights.run(
      key,
      (inner) =>
        new Promise((resolve, reject) => {
          const end = (answer: string | Error): void => (answer instanceof Error ? reject(answer) : resolve(answer))
          begun.push({ key, signal: inner, end })
        }),
      signal,
    )
  return { begun, ask }
}

test('callers share the work while it runs; a later caller starts it again', async () => {
  const { begun, ask } = harness()
  const answers = Promise.all([ask('a'), ask('a'), ask('b')])
  expect(begun.map(({ key }) => key)).toEqual(['a', 'b'])
  for (const { key, end } of begun) end(`of ${key}`)
  expect(await answers).toEqual(['of a', 'of a', 'of b'])
  void ask('a')
  expect(begun).toHaveLength(3)
})

test('a failure is returned to all waiting callers, and is not cached', async () => {
  const { begun, ask } = harness()
  const answers = Promise.allSettled([ask('a'), ask('a')])
  begun[0]?.end(new Error('broken'))
  expect((await answers).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  const again = ask('a')
  begun[1]?.end('fine')
  expect(await again).toBe('fine')
})

test('an abort affects only its own caller; if all callers abort, the work is aborted, and the next caller starts it again', async () => {
  const { begun, ask } = harness()
  const [first, second] = [new AbortController(), new AbortController()]
  const outcomes = Promise.allSettled([ask('a', first.signal), ask('a', second.signal), ask('a')])
  first.abort(new Error('first has enough'))
  second.abort(new Error('second has enough'))
  await Promise.resolve()
  expect(begun[0]?.signal.aborted).toBe(false)
  begun[0]?.end('answer')
  expect(await outcomes).toMatchObject([
    { reason: { message: 'first has enough' } },
    { reason: { message: 'second has enough' } },
    { value: 'answer' },
  ])

  const only = new AbortController()
  const outcome = ask('a', only.signal).catch((error: Error) => error.message)
  only.abort(new Error('enough'))
  expect(await outcome).toBe('enough')
  expect(begun[1]?.signal.aborted).toBe(true)
  const next = ask('a')
  // The aborted work ends late. Its result must not reach the next caller.
  begun[1]?.end(new Error('aborted'))
  begun[2]?.end('anew')
  expect(await next).toBe('anew')
  await expect(ask('a', only.signal)).rejects.toThrow('enough')
  expect(begun).toHaveLength(3)
})
