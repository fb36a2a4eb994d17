import { isBuiltin } from 'node:module'
import { posix } from 'node:path'
import { isTest, lineAt, type SourceFile, withoutComments } from './source-files.ts'

const forProviders = [
  ...['@kerf/apis', '@kerf/engine', '@kerf/runtime', '@kerf/provider-contract', '@kerf/provider-kit'],
  '@kerf/sandbox',
]

/**
 * For each folder, the packages that its code may import (see the table of packages in ARCHITECTURE.md). Tests may import every package.
 */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  'packages/apis': [],
  'packages/engine': ['@kerf/apis'],
  'packages/runtime': ['@kerf/apis'],
  'providers/contract': ['@kerf/apis', '@kerf/engine', '@kerf/runtime'],
  'providers/kit': ['@kerf/apis', '@kerf/engine', '@kerf/runtime', '@kerf/provider-contract'],
  // Some commands test a provider with a cluster in the same process.
  'providers/*': forProviders,
  'packages/controllers': ['@kerf/apis', '@kerf/engine', '@kerf/runtime', '@kerf/provider-contract'],
  'packages/sandbox': ['@kerf/apis', '@kerf/runtime'],
  'packages/dashboard/server': ['@kerf/apis', '@kerf/runtime'],
  'tests/support/builders': ['@kerf/apis'],
  'tests/support/control-plane': [],
}

/** The package that builds objects for tests. Shipped code must not import it. */
const TESTING = '@kerf/testing'
const mayUseTesting = /^tests\//

/** Folders of a provider that may import files below `tests/`, and files of other packages by their path. */
const crossesPackages = /^providers\/[^/]+\/(?:tests|bench|tables|testing)\//

/**
 * The file with the list of providers and the file that is generated from it. Only these import all providers. Their package.json does not
 * repeat the list, because npm links every package of the repository.
 */
const listsOfProviders: ReadonlySet<string> = new Set([
  'packages/cli/src/provider-list.ts',
  'packages/cli/src/provider-verbs.ts',
])

/** Packages that also run in the browser, as part of the dashboard. They must not import modules of Node.js. */
const browserSafe: ReadonlySet<string> = new Set(['packages/apis', 'packages/engine'])

export interface Package {
  /** The package's folder, relative to the repository. */
  readonly folder: string
  readonly name: string
  /** The names in `dependencies`. */
  readonly dependencies: ReadonlySet<string>
  /** The subpaths in `exports`: `.`, `./testing`. */
  readonly exports: ReadonlySet<string>
}

// An import statement is at the beginning of a line. A string that quotes an import is not.
const importPattern =
  /^\s*(?:import|export)\s+(?:type\s+)?(?:[\w*\s{},$]+?\s+from\s+)?'([^']+)'|\bimport\('([^']+)'\)/gm

const packageNameOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

const allowedFor = (folder: string): readonly string[] | undefined =>
  mayImport[folder] ?? (folder.startsWith('providers/') ? mayImport['providers/*'] : undefined)

const relativeProblem = (file: SourceFile, specifier: string, folder: string): string | undefined => {
  const target = posix.normalize(posix.join(posix.dirname(file.path), specifier))
  if (folder !== '' && !crossesPackages.test(file.path) && target !== folder && !target.startsWith(`${folder}/`)) {
    return `leaves ${folder}/: import the other package by its name`
  }
  return /\.(tsx?|mjs|json)$/.test(specifier) ? undefined : 'needs the file’s ending (.ts)'
}

const ourProblem = (
  path: string,
  specifier: string,
  own: Package | undefined,
  test: boolean,
  packages: readonly Package[],
): string | undefined => {
  const name = packageNameOf(specifier)
  const target = packages.find((each) => each.name === name)
  if (target === undefined) return 'is no package of this repository'
  const subpath = `.${specifier.slice(name.length)}`
  if (!target.exports.has(subpath)) return `is not exported by ${target.folder}/package.json`
  if (name === TESTING && !test && !mayUseTesting.test(path)) return 'is for tests only'
  if (own === undefined || test) return undefined
  const allowed = allowedFor(own.folder)
  if (allowed !== undefined && !allowed.includes(name))
    return `${own.folder} may import ${allowed.join(', ') || 'nothing of ours'}`
  if (listsOfProviders.has(path) && target.folder.startsWith('providers/')) return undefined
  return own.dependencies.has(name) ? undefined : `is not in the dependencies of ${own.folder}/package.json`
}

const fileProblem = (
  file: SourceFile,
  specifier: string,
  own: Package | undefined,
  packages: readonly Package[],
): string | undefined => {
  const test = isTest(file.path) && (!file.path.startsWith('tests/') || file.path.startsWith('tests/support/builders/'))
  if (specifier.startsWith('.')) return relativeProblem(file, specifier, own?.folder ?? '')
  if (specifier.startsWith('@kerf/')) return ourProblem(file.path, specifier, own, test, packages)
  if (specifier.startsWith('node:') || isBuiltin(specifier)) {
    if (!specifier.startsWith('node:')) return 'is built in: write node:'
    return own !== undefined && browserSafe.has(own.folder) && !test
      ? `${own.folder} also runs in the browser`
      : undefined
  }
  if (own === undefined || test || file.path.startsWith('tests/support/control-plane/')) return undefined
  return own.dependencies.has(packageNameOf(specifier))
    ? undefined
    : `is not in the dependencies of ${own.folder}/package.json`
}

/**
 * Returns one line for each import that `mayImport` forbids, that bypasses a package's public exports, or that package.json does not
 * declare.
 */
export const importProblems = (files: readonly SourceFile[], packages: readonly Package[]): readonly string[] =>
  files.flatMap((file) => {
    const own = packages.find(({ folder }) => file.path.startsWith(`${folder}/`))
    const text = withoutComments(file.text)
    return [...text.matchAll(importPattern)].flatMap((match) => {
      const specifier = match[1] ?? match[2] ?? ''
      const problem = fileProblem(file, specifier, own, packages)
      return problem === undefined
        ? []
        : [`${file.path}:${lineAt(text, match.index + match[0].indexOf(specifier))} '${specifier}' ${problem}`]
    })
  })
