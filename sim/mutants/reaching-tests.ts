import { reached } from '../../test/selection/import-graph.ts'
import { readTestTree } from '../../test/selection/tree.ts'

const sharedFolders = (one: string, other: string): number => {
  const [first, second] = [one.split('/'), other.split('/')]
  const differs = first.findIndex((name, index) => name !== second[index])
  return differs === -1 ? first.length : differs
}

/** Not those that start a whole Kerf. */
const isCheap = (path: string): boolean => !/^(test|sim|headlamp-plugin)\//.test(path)

/** Finds the cheap tests that import a file, also by way of other files. */
export class ReachingTests {
  readonly #reached: readonly { readonly test: string; readonly distances: ReadonlyMap<string, number> }[]

  constructor() {
    const { testFiles, graph } = readTestTree()
    this.#reached = testFiles.filter(isCheap).map((test) => ({ test, distances: reached(graph, [test]) }))
  }

  /** Returns the paths of the tests that reach the file, those most likely to notice a change first: in its folder, then near it. */
  of(file: string): readonly string[] {
    return this.#reached
      .flatMap(({ test, distances }) => {
        const distance = distances.get(file)
        return distance === undefined ? [] : [{ test, distance, shared: sharedFolders(test, file) }]
      })
      .toSorted(
        (one, other) =>
          one.distance - one.shared - (other.distance - other.shared) || one.test.localeCompare(other.test),
      )
      .map(({ test }) => test)
  }
}
