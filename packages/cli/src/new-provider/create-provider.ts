import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { CliError } from '@kerf/provider-kit/command-line'
import { checkedName, renamed } from './provider-names.ts'

const EXAMPLE = join('providers', 'example')
/** The paths in the example provider's folder that are copied. */
const COPIED = ['README.md', 'package.json', 'src', 'testing']

const isCheckout = (folder: string): boolean => {
  const manifest = join(folder, 'package.json')
  if (!existsSync(manifest) || !existsSync(join(folder, EXAMPLE))) return false
  const { name }: { readonly name?: unknown } = JSON.parse(readFileSync(manifest, 'utf8'))
  return name === 'kerf'
}

/**
 * Returns the root of the Kerf checkout that contains the folder.
 * @throws CliError if no checkout contains it
 */
export const checkoutAbove = (folder: string): string => {
  for (let each = folder; ; each = dirname(each)) {
    if (isCheckout(each)) return each
    if (dirname(each) === each)
      throw new CliError(`${folder} is not in a checkout of Kerf: clone the repository and run this in it`)
  }
}

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
    .filter((file) => COPIED.includes(file.split(sep)[0] ?? ''))
    .toSorted()

/**
 * Copies the example to providers/NAME under the new name. Returns the written paths, relative to `root`.
 * @throws UsageError for an invalid name, CliError if the folder exists; in both cases nothing is written
 */
export const createProvider = (root: string, wanted: string): readonly string[] => {
  const name = checkedName(wanted)
  const folder = join('providers', name)
  if (existsSync(join(root, folder)))
    throw new CliError(`${folder} exists already: choose another name, or remove the folder first`)
  return filesIn(join(root, EXAMPLE)).map((file) => {
    const target = join(folder, renamed(file, name))
    mkdirSync(dirname(join(root, target)), { recursive: true })
    const text = readFileSync(join(root, EXAMPLE, file), 'utf8')
    writeFileSync(join(root, target), renamed(text, name))
    return target
  })
}

/** Returns the text about the remaining manual steps, with links to the documentation. */
export const nextSteps = (name: string): string => {
  const descriptor = renamed('exampleDescriptor', name)
  return `Next:
  npm install && npm run format                        # links the package, and breaks lines as the names need
  npx vitest run providers/${name}                     # every check passes, with a cloud in memory
  docs/providers.md, "From the example to your cloud"

When it calls your cloud, add it to the providers:
  packages/cli/src/provider-list.ts   export { ${descriptor} } from '@kerf/provider-${name}/descriptor'
  npm run generate
`
}
