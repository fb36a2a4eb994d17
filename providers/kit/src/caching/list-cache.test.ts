import { VirtualClock } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { ListCache } from './list-cache.ts'

const never = new AbortController().signal
const SETTLED = 60_000

interface Disk {
  readonly id: string
  readonly zone: string
  readonly madeAt: number
  readonly state?: string
}

/** Creates a cloud with disks. A listing returns the disks that are in `there` when the listing ends. */
const harness = () => {
  const clock = new VirtualClock()
  const there = new Map<string, Disk>()
  const away = new Set<string>()
  const claims = new Map<string, number>()
  let listings = 0
  /** A promise that the next listing awaits before it returns. */
  let gate: Promise<unknown> = Promise.resolve()
  const cache = new ListCache<Disk>({
    clock,
    list: async (signal) => {
      listings++
      const answer = [...there.values()]
      const held = gate
      gate = Promise.resolve()
      await held
      signal.throwIfAborted()
      return answer
    },
    idOf: ({ id }) => id,
    createdAt: (id, disk) => disk?.madeAt ?? claims.get(id),
    settledAfter: SETTLED,
    isUnanswered: ({ zone }) => away.has(zone),
  })
  const make = (id: string, zone = 'a', madeAt = clock.now() - SETTLED): Disk => {
    const disk = { id, zone, madeAt }
    there.set(id, disk)
    return disk
  }
  /**
   * Makes the next listing return the disks that exist when the listing begins. The listing does not end until the test calls the returned
   * function.
   */
  const hold = (): (() => void) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    gate = promise
    return resolve
  }
  const fail = (): void => {
    gate = Promise.reject(new Error('no listing today'))
    gate.catch(() => undefined)
  }
  const ids = async () => (await cache.list(never)).map(({ id }) => id)
  return { clock, there, away, claims, cache, make, hold, fail, ids, listings: () => listings }
}

test('an item that is missing in a listing is dropped, unless it is young', async () => {
  const { clock, there, cache, make, ids } = harness()
  make('old')
  make('young', 'a', clock.now())
  expect(await ids()).toEqual(['old', 'young'])
  there.clear()
  expect(await ids()).toEqual([])
  expect([cache.get('old'), cache.get('young')?.id]).toEqual([undefined, 'young'])
  await clock.advance(SETTLED)
  await ids()
  expect(cache.get('young')).toBeUndefined()
})

test('an item that was never seen counts as young if its creation time is recent', async () => {
  const { clock, claims, cache } = harness()
  expect(cache.isYoung('x')).toBe(false)
  claims.set('x', clock.now())
  expect(cache.isYoung('x')).toBe(true)
  await clock.advance(SETTLED)
  expect(cache.isYoung('x')).toBe(false)
})

test('an item that the cloud currently cannot report is listed in its last known state', async () => {
  const { there, away, cache, make, ids } = harness()
  make('here', 'a')
  make('there', 'b')
  await ids()
  there.clear()
  away.add('b')
  expect(await ids()).toEqual(['there'])
  expect(cache.get('there')?.zone).toBe('b')
  away.clear()
  expect(await ids()).toEqual([])
  expect(cache.get('there')).toBeUndefined()
})

test('an item that was read during a listing takes precedence over the listing', async () => {
  const { there, cache, make, hold, ids } = harness()
  const [changed, gone, left] = [make('changed'), make('gone'), make('left')]
  await ids()
  there.delete('left')
  const answer = hold()
  const listing = ids()
  cache.set({ ...changed, state: 'ending' })
  cache.set({ ...left, state: 'seen' })
  cache.forget(gone.id)
  answer()
  expect(await listing).toEqual(['changed', 'gone'])
  expect([cache.get('changed')?.state, cache.get('gone'), cache.get('left')?.state]).toEqual([
    'ending',
    undefined,
    'seen',
  ])
  // This listing began after the read.
  await ids()
  expect([cache.get('changed')?.state, cache.get('gone')?.id, cache.get('left')]).toEqual([
    undefined,
    'gone',
    undefined,
  ])
})

test('of two concurrent listings, the listing that began later applies', async () => {
  const { there, cache, make, hold, ids } = harness()
  make('a')
  const answer = hold()
  const early = ids()
  there.delete('a')
  make('b')
  await ids()
  answer()
  await early
  expect([cache.get('a'), cache.get('b')?.id]).toEqual([undefined, 'b'])
})

test('the first callers share one listing; after a failed listing the next caller tries again', async () => {
  const { cache, make, fail, listings } = harness()
  make('a')
  fail()
  await Promise.all([cache.ensureListed(never), cache.ensureListed(never)])
  expect([listings(), cache.get('a')]).toEqual([1, undefined])
  await Promise.all([cache.ensureListed(never), cache.ensureListed(never)])
  expect([listings(), cache.get('a')?.id]).toEqual([2, 'a'])
  await cache.ensureListed(never)
  expect(listings()).toBe(2)
  fail()
  await expect(cache.list(never)).rejects.toThrow('no listing today')
  expect(cache.get('a')?.id).toBe('a')
})
