import { globSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from '../../tools/source-files.ts'

/** Returns the files and folders of the providers that match the pattern below the provider's folder, in alphabetical order. */
export const providerFiles = (pattern: string): readonly string[] =>
  globSync(`providers/*/${pattern}`, { cwd: root })
    .toSorted()
    .map((path) => join(root, path))

/** Imports the module at the same path of every provider that has one. The caller knows what such a module exports. */
export const importFromProviders = <Module>(path: string): Promise<readonly Module[]> =>
  Promise.all(providerFiles(path).map((file) => import(pathToFileURL(file).href) as Promise<Module>))
