import type { Pod } from '@kerf/apis'
import { describe, expect, test } from 'vitest'
import type { VirtualClock } from '../clock/virtual-clock.ts'
import type { ApiEventRecorder } from './api-event-recorder.ts'
import { failed, fixture, pod } from './testing/recorder-fixture.ts'

const seconds = 1_000

/** Publishes an Event about each of `count` pods, in batches that fit into the queue. */
const publishMany = async (recorder: ApiEventRecorder, clock: VirtualClock, count: number): Promise<void> => {
  for (let from = 0; from < count; from += 500) {
    for (let i = from; i < Math.min(from + 500, count); i++) recorder.publish(failed(`other-${i}`, 'no room'))
    await clock.settle()
  }
}

describe('limits of the recorder', () => {
  test('a thousand Events wait for a server that does not answer, and later Events are dropped', async () => {
    const { api, clock, recorder, written } = fixture()
    const { promise, resolve } = Promise.withResolvers<void>()
    api.before = () => promise
    for (let i = 0; i < 1_100; i++) recorder.publish(failed(`p${i}`, 'no room'))
    resolve()
    await clock.settle()
    const names = written().map(({ involvedObject }) => involvedObject.name)
    // The first Event is already being written, so it is not in the queue.
    expect(names).toEqual(Array.from({ length: 1_001 }, (_, i) => `p${i}`))
  })

  test('one object may have 25 Events at once and then one every five minutes, even if it had none for long', async () => {
    const { clock, recorder, written } = fixture()
    const after = async (duration: number, round: string): Promise<number> => {
      const before = written().length
      await clock.advance(duration)
      for (let i = 0; i < 50; i++) recorder.publish(failed('cart', `${round} ${i}`))
      await clock.settle()
      return written().length - before
    }
    expect(await after(0, 'first')).toBe(25)
    expect(await after(299 * seconds, 'before five minutes')).toBe(0)
    expect(await after(1 * seconds, 'five minutes')).toBe(1)
    expect(await after(900 * seconds, 'a quarter of an hour')).toBe(3)
  })

  test('repetitions are counted on an Event until ten minutes have passed without one', async () => {
    const { clock, recorder, written } = fixture()
    recorder.publish(failed('cart', 'no room'))
    await clock.advance(599 * seconds)
    recorder.publish(failed('cart', 'no room'))
    await clock.advance(600 * seconds)
    recorder.publish(failed('cart', 'no room'))
    await clock.settle()
    expect(written().map(({ count }) => count)).toEqual([2, 1])
  })

  test('4,096 Events are kept for counting, and then the oldest is dropped', async () => {
    const { clock, recorder, written } = fixture()
    const counted = (): readonly (number | undefined)[] =>
      written()
        .filter(({ involvedObject }) => involvedObject.name === 'cart')
        .map(({ count }) => count)
    recorder.publish(failed('cart', 'no room'))
    await publishMany(recorder, clock, 4_095)
    recorder.publish(failed('cart', 'no room'))
    await clock.settle()
    expect(counted()).toEqual([2])
    await publishMany(recorder, clock, 4_096)
    recorder.publish(failed('cart', 'no room'))
    await clock.settle()
    expect(counted()).toEqual([2, 1])
  })

  test('the token bucket of an object is dropped after Events about 4,096 other objects', async () => {
    const { clock, recorder, written } = fixture()
    const flood = async (): Promise<number> => {
      for (let i = 0; i < 30; i++) recorder.publish(failed('cart', `message ${i}`))
      await clock.settle()
      const ofCart = written().filter(({ involvedObject }) => involvedObject.name === 'cart')
      return ofCart.reduce((sum, { count = 0 }) => sum + count, 0)
    }
    expect(await flood()).toBe(25)
    await publishMany(recorder, clock, 4_095)
    expect(await flood()).toBe(25)
    await publishMany(recorder, clock, 4_096)
    expect(await flood()).toBe(50)
  })

  test('the memory for deduplication is enough for two minutes of a large cluster, and does not grow without limit', async () => {
    const after = async (others: number): Promise<number> => {
      const { clock, recorder, written } = fixture()
      recorder.publish(failed('cart', 'no room', ['cart']))
      for (let i = 0; i < others; i++) recorder.publish(failed('shelf', 'no room', [`${i}`]))
      recorder.publish(failed('cart', 'no room', ['cart']))
      await clock.settle()
      return written().find(({ involvedObject }) => involvedObject.name === 'cart')?.count ?? 0
    }
    expect(await after(30_000)).toBe(1)
    expect(await after(60_000)).toBe(2)
  })
})

describe('the Events that the recorder treats as equal', () => {
  test('do not include Events with an empty list of dedupe values', async () => {
    const { clock, recorder, written } = fixture()
    recorder.publish(failed('cart', 'one', []))
    recorder.publish(failed('cart', 'two', []))
    await clock.settle()
    expect(written().map(({ message }) => message)).toEqual(['one', 'two'])
  })

  test('do not include Events whose values and texts are equal only after they are joined', async () => {
    const { clock, recorder, written } = fixture()
    recorder.publish(failed('cart', 'one', ['a', 'bc']))
    recorder.publish(failed('cart', 'two', ['ab', 'c']))
    recorder.publish({ ...failed('cart', 'three'), reason: 'Failed' })
    recorder.publish({ ...failed('cart', 'hree'), reason: 'Failedt' })
    await clock.settle()
    expect(written().map(({ count, message }) => [message, count])).toEqual([
      ['one', 1],
      ['two', 1],
      ['three', 1],
      ['hree', 1],
    ])
  })

  test('do not include Events about objects without a UID that differ in kind, namespace or name', async () => {
    const { clock, recorder, written } = fixture()
    const bare: Pod = { ...pod('cart'), metadata: { name: 'cart', namespace: 'shop' } }
    const namesake: Pod = { ...bare, metadata: { name: 'cart', namespace: 'market' } }
    const other: Pod = { ...bare, metadata: { name: 'shelf', namespace: 'shop' } }
    for (const object of [bare, namesake, other, bare]) recorder.publish({ ...failed('', 'no room'), object })
    await clock.settle()
    expect(written().map(({ involvedObject, count }) => [involvedObject, count])).toEqual([
      [{ apiVersion: 'v1', kind: 'Pod', namespace: 'shop', name: 'cart' }, 2],
      [{ apiVersion: 'v1', kind: 'Pod', namespace: 'market', name: 'cart' }, 1],
      [{ apiVersion: 'v1', kind: 'Pod', namespace: 'shop', name: 'shelf' }, 1],
    ])
  })

  test('have a valid name even if the object has the longest possible name', async () => {
    const { clock, recorder, written } = fixture()
    const name = 'x'.repeat(253)
    recorder.publish(failed(name, 'no room'))
    await clock.settle()
    expect(written()[0]?.metadata.name).toMatch(/^x{236}\.[0-9a-f]{16}$/)
    expect(written()[0]?.metadata.name).toHaveLength(253)
    expect(written()[0]?.involvedObject.name).toBe(name)
  })
})
