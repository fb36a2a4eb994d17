import { VirtualClock } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { ReadCache } from './read-cache.ts'

const never = new AbortController().signal

const harness = () => {
  const clock = new VirtualClock()
  const cache = new ReadCache<string | undefined>(clock, { ttl: 60_000, refusedFor: 5_000 })
  const asked: string[] = []
  const broken = new Set<string>()
  const read = (question: string, signal = never): Promise<string | undefined> =>
    cache.read(
      question,
      async () => {
        const answer = `answer ${asked.push(question)}`
        await Promise.resolve()
        if (broken.has(question)) throw new Error(`${question} is refused`)
        return question === 'nothing' ? undefined : answer
      },
      signal,
    )
  return { clock, asked, broken, read }
}

test('each key is read once within its TTL for any number of callers; undefined is a valid result', async () => {
  const { clock, asked, read } = harness()
  expect(await Promise.all([read('a'), read('a'), read('nothing')])).toEqual(['answer 1', 'answer 1', undefined])
  await clock.advance(59_999)
  expect([await read('a'), await read('nothing')]).toEqual(['answer 1', undefined])
  await clock.advance(1)
  expect(await read('a')).toBe('answer 3')
  expect(asked).toEqual(['a', 'nothing', 'a'])
})

test('a refusal is cached for a short time', async () => {
  const { clock, asked, broken, read } = harness()
  broken.add('a')
  for (let times = 0; times < 3; times++) await expect(read('a')).rejects.toThrow('a is refused')
  expect(asked).toEqual(['a'])
  broken.clear()
  await clock.advance(4_999)
  await expect(read('a')).rejects.toThrow('a is refused')
  await clock.advance(1)
  expect(await read('a')).toBe('answer 2')
})

test('if one caller aborts, this is not cached as a refusal for others', async () => {
  const { broken, read } = harness()
  const stop = new AbortController()
  const outcome = read('a', stop.signal).catch((error: Error) => error.message)
  broken.add('a')
  stop.abort(new Error('enough'))
  expect(await outcome).toBe('enough')
  broken.clear()
  expect(await read('a')).toBe('answer 2')
})
