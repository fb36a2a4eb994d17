import { VirtualClock } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { ShortLivedResources } from './short-lived-resources.ts'

const never = new AbortController().signal
const MINUTE = 60_000

/** Creates a cloud with images that are kept for one minute after their last use. */
const harness = (...left: readonly string[]) => {
  const clock = new VirtualClock()
  const there = new Set(left)
  /** Names of images whose deletion fails. */
  const stuck = new Set<string>()
  const calls: string[] = []
  let onDelete: () => Promise<void> = async () => undefined
  const images = new ShortLivedResources({
    ...{ clock, title: 'images', ttl: MINUTE },
    list: async () => {
      calls.push('list')
      return [...there].map((name) => ({ name, id: `id-${name}` }))
    },
    delete: async ({ name, id }) => {
      await onDelete()
      if (stuck.has(name)) throw new Error(`${name} is stuck`)
      calls.push(`delete ${id}`)
      there.delete(name)
    },
  })
  const use = (name: string) =>
    images.use(name, async () => {
      calls.push(`make ${name}`)
      there.add(name)
      return `id-${name}`
    })
  const { reconcile } = images.collection({ name: 'image.garbagecollection', interval: 10_000 })
  const round = () => reconcile('', never)
  return {
    ...{ clock, there, stuck, calls, images, use, round },
    duringDelete: (work: typeof onDelete) => {
      onDelete = work
    },
  }
}

test('a used resource is created once, and kept for its TTL after its last use', async () => {
  const { clock, use, round, calls } = harness()
  expect([await use('a'), await use('a')]).toEqual(['id-a', 'id-a'])
  await clock.advance(MINUTE - 1)
  await use('a')
  await clock.advance(MINUTE - 1)
  expect(await round()).toEqual({ kind: 'retry-after', after: 10_000 })
  expect(calls).toEqual(['make a', 'list'])
  await clock.advance(1)
  await round()
  await round()
  expect(calls).toEqual(['make a', 'list', 'delete id-a'])
  expect(await use('a')).toBe('id-a')
  expect(calls.at(-1)).toBe('make a')
})

test('resources of an earlier run expire as well; their TTL starts when they are found', async () => {
  const { clock, round, there, use, calls } = harness('old', 'used')
  await clock.advance(5 * MINUTE)
  await round()
  await clock.advance(MINUTE - 1)
  await use('used')
  await round()
  expect([...there]).toEqual(['old', 'used'])
  await clock.advance(1)
  await round()
  expect([...there]).toEqual(['used'])
  expect(calls).toEqual(['list', 'delete id-old'])
})

test('a failed listing is retried', async () => {
  let fails = true
  let lists = 0
  const images = new ShortLivedResources({
    ...{ clock: new VirtualClock(), title: 'images', ttl: MINUTE },
    list: async () => {
      lists++
      if (fails) throw new Error('away')
      return []
    },
    delete: async () => undefined,
  })
  const { reconcile } = images.collection({ name: 'x', interval: 10_000 })
  await expect(reconcile('', never)).rejects.toThrow('away')
  fails = false
  await reconcile('', never)
  await reconcile('', never)
  expect(lists).toBe(2)
})

test('a failed deletion is retried, and does not stop other deletions', async () => {
  const { clock, round, there, stuck } = harness('a', 'b', 'c')
  stuck.add('a').add('b')
  await round()
  await clock.advance(MINUTE)
  await expect(round()).rejects.toThrow('2 images could not be deleted')
  expect([...there]).toEqual(['a', 'b'])
  stuck.clear()
  await round()
  expect([...there]).toEqual([])
})

test('a forgotten resource is created again at its next use', async () => {
  const { use, images, calls } = harness()
  await use('a')
  images.forget('a')
  await use('a')
  expect(calls).toEqual(['make a', 'make a'])
})

test('a resource that is requested during its deletion is created again afterwards', async () => {
  const { clock, use, round, there, duringDelete, calls } = harness()
  await use('a')
  await clock.advance(MINUTE)
  const { promise, resolve } = Promise.withResolvers<void>()
  duringDelete(() => promise)
  const deleting = round()
  // Lets the listing complete. The deletion is still waiting.
  await clock.advance(1)
  const using = use('a')
  await clock.advance(1)
  resolve()
  expect(await using).toBe('id-a')
  await deleting
  expect(calls).toEqual(['make a', 'list', 'delete id-a', 'make a'])
  expect([...there]).toEqual(['a'])
})

test('concurrent uses create one resource; a failed creation leaves nothing behind', async () => {
  const { use, images, calls } = harness()
  await Promise.all([use('a'), use('a')])
  expect(calls).toEqual(['make a'])
  await expect(images.use('b', () => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
  expect(await use('b')).toBe('id-b')
})
