import { posix } from 'node:path'
import type { Random } from '@kerf/runtime'
import { isTest, type SourceFile } from '../source-files.ts'

/** What a reader answers for each file. */
export const questions = [
  'What does it promise to whoever calls it?',
  'What may it not import?',
  'Which file comes next in the way of the data?',
] as const

/** Where a newcomer begins: what is shipped. */
const PARTS = /^(apis|engine|runtime|controllers|providers\/[a-z]+|sandbox|cli|dashboard)\/src\//
const FEWEST_LINES = 30

/** Files that say something by themselves: no tests, no indexes, no tables of a few lines. */
const isWorthReading = ({ path, text }: SourceFile): boolean =>
  PARTS.test(path) && !isTest(path) && posix.basename(path) !== 'index.ts' && text.split('\n').length > FEWEST_LINES

/** `count` different files, or all there are. The same seed draws the same files from the same sources. */
export const drawn = (files: readonly SourceFile[], random: Random, count: number): readonly SourceFile[] => {
  const left = files.filter(isWorthReading)
  const taken: SourceFile[] = []
  while (taken.length < count && left.length > 0) taken.push(...left.splice(Math.floor(random.next() * left.length), 1))
  return taken
}

/** The README.md of the folder, or of the nearest folder above it. The repository's own is none: everybody has read it. */
export const introductionPath = (folder: string, exists: (path: string) => boolean): string | undefined => {
  for (let at = folder; at !== '.' && at !== ''; at = posix.dirname(at)) {
    const path = posix.join(at, 'README.md')
    if (exists(path)) return path
  }
  return undefined
}
