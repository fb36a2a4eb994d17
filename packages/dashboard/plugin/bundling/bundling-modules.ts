import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const plugin = fileURLToPath(new URL('../', import.meta.url))
const here = fileURLToPath(import.meta.url)

const isOurSource = (importer: string): boolean =>
  importer.startsWith(plugin) && !importer.slice(plugin.length).includes('node_modules')

/**
 * Resolves the imports of the plugin and the shell to the packages that are installed in this folder. Node would search in the folders
 * above the importing file, which contain the packages only if the whole toolchain is installed.
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

/**
 * The same JSX settings as in the toolchain. They are repeated here because the toolchain's own file may not be
 * installed.
 */
export const sources = {
  tsconfigRaw: JSON.stringify({ compilerOptions: { jsx: 'react-jsx', target: 'es2022', useDefineForClassFields: true } }),
}
