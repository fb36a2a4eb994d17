import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { CliError } from '@kerf/provider-kit/command-line'
import { checkedName, renamed } from './provider-names.ts'

const SKELETON = join('providers', 'skeleton')

const isCheckout = (folder: string): boolean => {
  const manifest = join(folder, 'package.json')
  if (!existsSync(manifest) || !existsSync(join(folder, SKELETON))) return false
  const { name }: { readonly name?: unknown } = JSON.parse(readFileSync(manifest, 'utf8'))
  return name === 'kerf'
}

/**
 * Returns the Kerf checkout that contains the folder.
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
    .toSorted()

/**
 * Copies the skeleton to providers/NAME under the new name. Returns the written paths, relative to `root`.
 * @throws UsageError for an invalid name, CliError if the folder exists; then nothing is written
 */
export const createProvider = (root: string, wanted: string): readonly string[] => {
  const name = checkedName(wanted)
  const folder = join('providers', name)
  if (existsSync(join(root, folder)))
    throw new CliError(`${folder} exists already: choose another name, or remove the folder first`)
  return filesIn(join(root, SKELETON)).map((file) => {
    const target = join(folder, renamed(file, name))
    mkdirSync(dirname(join(root, target)), { recursive: true })
    const text = readFileSync(join(root, SKELETON, file), 'utf8')
    writeFileSync(join(root, target), renamed(text, name))
    return target
  })
}

/** Returns the remaining manual steps and links to the documentation. */
export const nextSteps = (name: string): string => {
  const descriptor = renamed('skeletonDescriptor', name)
  return `Next:
  npm install && npm run format                        # links the package, and breaks lines as the names need
  npx vitest run providers/${name}                     # a third of the checks pass, the others are not written yet
  docs/providers.md, "From the skeleton to the first instance"

When it launches, add it to the providers:
  packages/cli/src/providers.ts   import { ${descriptor} } from '@kerf/provider-${name}/descriptor', and ${descriptor} in the list
  packages/cli/package.json       "@kerf/provider-${name}": "0.1.0" in the dependencies
  npm install && npm run generate
`
}
