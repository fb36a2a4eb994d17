import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const folder = fileURLToPath(new URL('./', import.meta.url))

/** The file that {@link bundledPackages} writes next to the bundle. */
const FILE = 'packages.json'

const PACKAGE = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//

/**
 * Writes `packages.json`, which lists the folders below `bundling/` of all packages whose code is in the output. A
 * release reads their licences from these folders.
 */
export const bundledPackages = (): Plugin => ({
  name: 'bundled-packages',
  generateBundle(_options, bundle) {
    const folders = new Set<string>()
    for (const output of Object.values(bundle))
      for (const [id, { renderedLength }] of Object.entries(output.type === 'chunk' ? output.modules : {})) {
        const [, directory] = PACKAGE.exec(id.replace(/^\0|\?.*$/g, '')) ?? []
        if (directory !== undefined && renderedLength > 0) folders.add(relative(folder, directory))
      }
    this.emitFile({ type: 'asset', fileName: FILE, source: `${JSON.stringify([...folders].sort(), undefined, 2)}\n` })
  },
})
