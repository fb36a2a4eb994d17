import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from '../../tools/source-files.ts'

interface Manifest {
  readonly exports?: Readonly<Record<string, string>>
}

/**
 * Imports the module that each provider exports under a subpath, such as `./testing/dashboard`. Providers are in alphabetical order, and
 * providers without the module are skipped. The type argument is the type of such a module.
 */
export const importProviderExports = async <Module>(subpath: string): Promise<readonly Module[]> => {
  const manifests = globSync('providers/*/package.json', { cwd: root }).toSorted()
  const modules = manifests.map(async (path): Promise<readonly Module[]> => {
    const { exports = {} }: Manifest = JSON.parse(readFileSync(join(root, path), 'utf8'))
    const file = exports[subpath]
    return file === undefined ? [] : [await import(pathToFileURL(join(root, path, '..', file)).href)]
  })
  return (await Promise.all(modules)).flat()
}
