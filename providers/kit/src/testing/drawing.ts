import type { Random } from '@kerf/runtime'

export type { Random }

export const isDrawn = (random: Random, probability: number): boolean => random.next() < probability

/** Returns a random integer between the bounds, inclusive. */
export const number = (random: Random, least: number, most: number): number =>
  least + Math.floor(random.next() * (most - least + 1))

export const one = <T>(random: Random, items: readonly T[]): T => {
  const item = items[number(random, 0, items.length - 1)]
  if (item === undefined) throw new Error('there is nothing to draw from')
  return item
}

/** Returns each item with a probability of one half, in the original order. */
export const some = <T>(random: Random, items: readonly T[]): readonly T[] => items.filter(() => isDrawn(random, 0.5))
