import { globSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../tools/source-files.ts'

/** Returns the files and folders of the providers that match the pattern below the provider's folder, in alphabetical order. */
export const providerFiles = (pattern: string): readonly string[] =>
  globSync(`providers/*/${pattern}`, { cwd: root })
    .toSorted()
    .map((path) => join(root, path))
