import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const plugin = fileURLToPath(new URL('../', import.meta.url))
const here = fileURLToPath(import.meta.url)

const isOurSource = (importer: string): boolean =>
  importer.startsWith(plugin) && !importer.slice(plugin.length).includes('node_modules')

/**
 * Takes the packages that the plugin and the frame import from this folder's installation. Node would look for them in the
 * folders above the importing file, where they are only after the whole toolchain was installed.
 */
export const bundlingModules = (): Plugin => ({
  name: 'bundling-modules',
  enforce: 'pre',
  async resolveId(source, importer, options) {
    const isPackage = /^[@a-z]/.test(source) && !source.startsWith('@kerf/')
    if (!isPackage || importer === undefined || !isOurSource(importer)) return undefined
    return this.resolve(source, here, { ...options, skipSelf: true })
  },
})

/** What the toolchain's own configuration says of JSX, which is read from no file: that one is in the whole toolchain. */
export const sources = {
  tsconfigRaw: JSON.stringify({ compilerOptions: { jsx: 'react-jsx', target: 'es2022', useDefineForClassFields: true } }),
}
