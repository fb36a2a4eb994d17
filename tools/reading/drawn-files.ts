import { posix } from 'node:path'
import type { Random } from '@kerf/runtime'
import { isTest, type SourceFile } from '../source-files.ts'

/** The questions that a reader answers about each file. */
export const questions = [
  'What does it promise to whoever calls it?',
  'What may it not import?',
  'Which file comes next in the way of the data?',
] as const

/** Matches the folders with shipped source code in which a new contributor starts to read. */
const PARTS = /^(packages\/([a-z]+|dashboard\/server)|providers\/[a-z-]+)\/src\//
const FEWEST_LINES = 30

/** Returns whether a file can be understood on its own. Excludes tests, index files and short tables. */
const isWorthReading = ({ path, text }: SourceFile): boolean =>
  PARTS.test(path) && !isTest(path) && posix.basename(path) !== 'index.ts' && text.split('\n').length > FEWEST_LINES

/** Selects `count` different files at random, or all if there are fewer. The same seed and sources give the same files. */
export const drawn = (files: readonly SourceFile[], random: Random, count: number): readonly SourceFile[] => {
  const left = files.filter(isWorthReading)
  const taken: SourceFile[] = []
  while (taken.length < count && left.length > 0) taken.push(...left.splice(Math.floor(random.next() * left.length), 1))
  return taken
}

/**
 * Returns the path of the folder's README.md, or of the one in the nearest parent folder that has one. The repository's own README does not
 * count, because every reader knows it.
 */
export const introductionPath = (folder: string, exists: (path: string) => boolean): string | undefined => {
  for (let at = folder; at !== '.' && at !== ''; at = posix.dirname(at)) {
    const path = posix.join(at, 'README.md')
    if (exists(path)) return path
  }
  return undefined
}
