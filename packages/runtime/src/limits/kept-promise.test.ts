import { expect, test } from 'vitest'
import { keptPromise } from './kept-promise.ts'

test('concurrent and later callers share the work of a key; after a failure, the next caller starts it again', async () => {
  const store = new Map<string, Promise<string>>()
  let started = 0
  const ask = (key: string) =>
    keptPromise(store, key, async () => {
      started++
      if (started === 1) throw new Error('not yet')
      return `${key} ${started}`
    })
  const failures = [ask('a'), ask('a')]
  for (const failure of failures) await expect(failure).rejects.toThrow('not yet')
  expect(started).toBe(1)
  expect(await Promise.all([ask('a'), ask('a'), ask('b')])).toEqual(['a 2', 'a 2', 'b 3'])
  expect(await ask('a')).toBe('a 2')
})

test('a late failure does not remove the promise of newer work', async () => {
  const store = new Map<string, Promise<number>>()
  const old = Promise.withResolvers<number>()
  const failed = keptPromise(store, 'a', () => old.promise)
  store.delete('a')
  expect(await keptPromise(store, 'a', async () => 2)).toBe(2)
  old.reject(new Error('late'))
  await expect(failed).rejects.toThrow('late')
  expect(await keptPromise(store, 'a', async () => 3)).toBe(2)
})
