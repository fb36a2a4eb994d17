import { expect, test } from 'vitest'
import { Lending } from './lending.ts'

interface Thing {
  readonly number: number
  isClean: boolean
}

/** Returns a `Lending` of at most two things, and the list of the things that it has created. */
const lendingOfTwo = (options: { readonly failures?: number; clean?(thing: Thing): Promise<void> } = {}) => {
  const made: Thing[] = []
  const discarded: number[] = []
  let failures = options.failures ?? 0
  const lending = new Lending<Thing>({
    most: 2,
    make: async () => {
      if (failures-- > 0) throw new Error('no more ports')
      const thing = { number: made.length + 1, isClean: true }
      made.push(thing)
      return thing
    },
    clean: async (thing) => {
      await options.clean?.(thing)
      thing.isClean = true
    },
    discard: async ({ number }) => {
      discarded.push(number)
    },
  })
  const use = async (): Promise<Thing> => {
    const thing = await lending.borrow()
    expect(thing.isClean).toBe(true)
    thing.isClean = false
    return thing
  }
  return { lending, made, discarded, use }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('borrowers never share a thing, are served in order, and no more things are created than needed', async () => {
  const { lending, made, use } = lendingOfTwo()
  const first = await use()
  lending.giveBack(first)
  await settled()
  expect(await use()).toBe(first)
  const second = await use()
  expect(second).not.toBe(first)
  const served: string[] = []
  const third = use().then((thing) => served.push(`third gets ${thing.number}`))
  const fourth = use().then((thing) => served.push(`fourth gets ${thing.number}`))
  await settled()
  expect(served).toEqual([])
  lending.giveBack(second)
  await third
  lending.giveBack(first)
  await fourth
  expect(served).toEqual(['third gets 2', 'fourth gets 1'])
  expect(made).toHaveLength(2)
})

test('if a creation fails, its borrower is rejected, and the next request tries again', async () => {
  const { use } = lendingOfTwo({ failures: 1 })
  await expect(use()).rejects.toThrow('no more ports')
  expect((await use()).number).toBe(1)
})

test('a thing that cannot be cleaned is discarded, and the waiting borrower gets a new one', async () => {
  const clean = async ({ number }: Thing): Promise<void> => {
    if (number === 1) throw new Error('one object stays')
  }
  const { lending, discarded, use } = lendingOfTwo({ clean })
  const [first] = [await use(), await use()]
  const third = use()
  lending.giveBack(first)
  expect((await third).number).toBe(3)
  expect(discarded).toEqual([1])
})

test('close discards all things, including those that are lent or being cleaned, and rejects waiting borrowers', async () => {
  const { lending, discarded, use } = lendingOfTwo({ clean: settled as () => Promise<void> })
  const first = await use()
  await use()
  const third = use()
  lending.giveBack(first)
  const closed = lending.close()
  await expect(third).rejects.toThrow('nothing is lent any more')
  await closed
  expect(discarded.toSorted()).toEqual([1, 2])
  await expect(lending.borrow()).rejects.toThrow('nothing is lent any more')
})
