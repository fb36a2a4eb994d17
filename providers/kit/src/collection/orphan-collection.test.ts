import { expect, test } from 'vitest'
import { orphanCollection } from './orphan-collection.ts'

const never = new AbortController().signal

/** Creates a cloud with disks, identified by name. */
const harness = (...made: readonly string[]) => {
  const there = new Set(made)
  const used = new Set<string>()
  const stuck = new Set<string>()
  const deleted: string[] = []
  let onList = () => {}
  const { reconcile } = orphanCollection({
    ...{ name: 'disk.garbagecollection', sources: [], interval: 1_800_000, concurrency: 2 },
    list: async () => {
      const listed = [...there].map((name) => ({ name }))
      onList()
      return listed
    },
    keyOf: ({ name }) => name,
    usage: () => {
      const now = new Set(used)
      return ({ name }) => now.has(name)
    },
    delete: async ({ name }) => {
      if (stuck.has(name)) throw new Error(`${name} is stuck`)
      deleted.push(name)
      there.delete(name)
    },
  })
  return {
    ...{ there, used, stuck, deleted },
    round: () => reconcile('', never),
    whileListed: (work: () => void) => {
      onList = work
    },
  }
}

test('a resource that is unused in two consecutive rounds is deleted', async () => {
  const { round, used, deleted } = harness('a', 'b', 'c')
  used.add('b')
  expect(await round()).toEqual({ kind: 'retry-after', after: 1_800_000 })
  expect(deleted).toEqual([])
  await round()
  expect(deleted).toEqual(['a', 'c'])
})

test('if a resource was used in between, two unused rounds are needed again', async () => {
  const { round, used, deleted } = harness('a')
  await round()
  used.add('a')
  await round()
  used.clear()
  await round()
  expect(deleted).toEqual([])
  await round()
  expect(deleted).toEqual(['a'])
})

test('a resource is kept if its use begins while the cloud is listed', async () => {
  const { round, used, deleted, whileListed } = harness('a')
  await round()
  whileListed(() => used.add('a'))
  await round()
  expect(deleted).toEqual([])
})

test('a failed deletion is retried, and does not stop other deletions', async () => {
  const { round, stuck, deleted } = harness('a', 'b', 'c')
  stuck.add('a')
  await round()
  await expect(round()).rejects.toThrow('a is stuck')
  expect(deleted).toEqual(['b', 'c'])
  stuck.clear()
  await round()
  expect(deleted).toEqual(['b', 'c', 'a'])
})
