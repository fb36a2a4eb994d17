import type { Random } from '@kerf/runtime'

export type { Random }

export const isDrawn = (random: Random, probability: number): boolean => random.next() < probability

/** Returns a random integer between the bounds, both inclusive. */
export const number = (random: Random, least: number, most: number): number =>
  least + Math.floor(random.next() * (most - least + 1))

export const one = <T>(random: Random, items: readonly T[]): T => {
  const item = items[number(random, 0, items.length - 1)]
  if (item === undefined) throw new Error('there is nothing to draw from')
  return item
}

/** Returns a random subset of the items in their original order. Each item is included with a probability of one half. */
export const some = <T>(random: Random, items: readonly T[]): readonly T[] => items.filter(() => isDrawn(random, 0.5))

export const flag = (random: Random): boolean => isDrawn(random, 0.5)

/** Returns an object with the field with a probability of one half, otherwise an empty object. */
export const maybe = <const Key extends string, T>(
  random: Random,
  key: Key,
  make: () => T,
): { readonly [K in Key]?: T } => (isDrawn(random, 0.5) ? ({ [key]: make() } as { readonly [K in Key]?: T }) : {})

/** Returns up to `most` items, which may contain duplicates. */
export const listOf = <T>(random: Random, most: number, make: () => T): readonly T[] =>
  Array.from({ length: number(random, 0, most) }, make)
