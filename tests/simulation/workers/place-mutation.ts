import { isTest, sourceFiles } from '../../../tools/source-files.ts'
import type { Mutation, PlacedMutation } from './task.ts'
import { occurrences } from './text-pattern.ts'

const isProduct = (path: string): boolean => /^(?:packages|providers)\/.*\/src\//.test(path) && !isTest(path)

/**
 * Returns each mutation with the product file that contains its text, so that a mutation stays valid when code moves to another file.
 * @throws Error that lists the mutations whose text does not occur exactly once
 */
export const placeMutations = <M extends Mutation & { readonly name: string }>(
  mutations: readonly M[],
): readonly (M & PlacedMutation)[] => {
  const sources = sourceFiles().filter(({ path }) => isProduct(path))
  const problems: string[] = []
  const placed = mutations.flatMap((mutation) => {
    const found = sources
      .filter(({ path }) => path === (mutation.file ?? path))
      .flatMap(({ path, text }) => Array<string>(occurrences(text, mutation.text)).fill(path))
    const [file] = found
    if (file !== undefined && found.length === 1) return [{ ...mutation, file }]
    problems.push(`${mutation.name}: its text occurs ${found.length} times, not once: ${mutation.text}`)
    return []
  })
  if (problems.length > 0) throw new Error(problems.join('\n'))
  return placed
}
