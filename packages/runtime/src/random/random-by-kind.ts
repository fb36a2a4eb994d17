import type { ResourceKind } from '@kerf/apis'
import type { Random } from './random.ts'
import type { SeededRandom } from './seeded-random.ts'

/** Returns the source of the random values that belong to one resource kind. */
export type RandomByKind = (kind: Pick<ResourceKind, 'group' | 'kind'>) => Random

/**
 * Returns a source of random values, and a function that returns a separate source for each resource kind. So an additional kind does not
 * change the values that other code gets from the same seed.
 */
export const separateByKind = (
  random: SeededRandom,
): { readonly random: SeededRandom; readonly randomByKind: RandomByKind } => {
  const forks = new Map<string, Random>()
  const randomByKind: RandomByKind = ({ group, kind }) => {
    const name = `${group}/${kind}`
    const fork = forks.get(name) ?? random.fork(name)
    forks.set(name, fork)
    return fork
  }
  return { random, randomByKind }
}
