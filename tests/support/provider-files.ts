import { globSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../tools/source-files.ts'

/** Returns the files and folders that match the pattern in the folder of any provider, in alphabetical order. */
export const providerFiles = (pattern: string): readonly string[] =>
  globSync(`providers/*/${pattern}`, { cwd: root })
    .toSorted()
    .map((path) => join(root, path))
