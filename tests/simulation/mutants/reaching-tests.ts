import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../../tools/source-files.ts'
import { reached } from '../../support/selection/import-graph.ts'
import { readTestTree } from '../../support/selection/tree.ts'

const sharedFolders = (one: string, other: string): number => {
  const [first, second] = [one.split('/'), other.split('/')]
  const differs = first.findIndex((name, index) => name !== second[index])
  return differs === -1 ? first.length : differs
}

/** Tests of the whole of Kerf run last: each starts a process, and most exercise little of any one file. */
const WHOLE = 100
const isWhole = (test: string): boolean => /^(?:test|sim)\//.test(test)

/** Finds the tests of `npm test` that need only Node and reach a file, through imports or by reading its folder. */
export class ReachingTests {
  readonly #tests: readonly { readonly test: string; readonly distances: ReadonlyMap<string, number> }[]

  constructor() {
    const { testFiles, expensive, graph, needs } = readTestTree()
    this.#tests = testFiles
      .filter((test) => !expensive.has(test) && needs(test).length === 0)
      .map((test) => ({ test, distances: reached(graph, [test]) }))
  }

  /** Returns the paths of the tests that reach the file. Tests in its folder come first, then tests near it. */
  of(file: string): readonly string[] {
    return this.#tests
      .flatMap(({ test, distances }) => {
        const distance = distances.get(file) ?? (this.#reads(distances, file) ? 1 : undefined)
        if (distance === undefined) return []
        return [{ test, rank: distance - sharedFolders(test, file) + (isWhole(test) ? WHOLE : 0) }]
      })
      .toSorted((one, other) => one.rank - other.rank || one.test.localeCompare(other.test))
      .map(({ test }) => test)
  }

  /** Reports whether a test, or a helper of it below tests/integration/ or scripts/, names the folder of a file that is not a program. */
  #reads(distances: ReadonlyMap<string, number>, file: string): boolean {
    if (/\.tsx?$/.test(file)) return false
    const folder = file.split('/').slice(0, 2).join('/')
    const helpers = [...distances.keys()].filter((path) => /^(?:test|scripts)\/.*\.ts$/.test(path))
    return helpers.some((path) => readFileSync(join(root, path), 'utf8').includes(folder))
  }
}
