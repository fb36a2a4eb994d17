import { SeededRandom } from '@kerf/runtime'

/** The path and the function to which a mutant belongs. */
interface Owned {
  readonly path: string
  readonly owner: string
}

const shuffled = <T>(items: readonly T[], random: SeededRandom): T[] => {
  const result = [...items]
  for (let index = result.length - 1; index > 0; index--) {
    const other = Math.floor(random.next() * (index + 1))
    const [one, two] = [result[index], result[other]]
    if (one === undefined || two === undefined) continue
    result[index] = two
    result[other] = one
  }
  return result
}

/**
 * Selects `count` different mutants at random, spread evenly over the functions: it selects one mutant of each function, then a second
 * mutant of each, and so on. The same seed selects the same mutants.
 */
export const drawn = <T extends Owned>(mutants: readonly T[], count: number, seed: number): readonly T[] => {
  const random = new SeededRandom(seed)
  const byFunction = Map.groupBy(mutants, ({ path, owner }) => `${path} ${owner}`)
  const functions = shuffled([...byFunction.values()], random).map((each) => shuffled(each, random))
  const result: T[] = []
  for (let round = 0; result.length < Math.min(count, mutants.length); round++) {
    for (const each of functions) {
      const next = each[round]
      if (next !== undefined && result.length < count) result.push(next)
    }
  }
  return result
}
