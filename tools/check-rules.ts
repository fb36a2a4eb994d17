// Part of npm run check: the project's rules that no other tool checks.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ProviderDescriptor } from '@kerf/provider-contract'
import { BUILT_PAGES } from '../docs/site/reading-order.ts'
import { providers } from '../packages/cli/src/providers.ts'
import { cloudNameExceptions, wellKnownNames } from './cloud-name-exceptions.ts'
import { type CloudWords, cloudNameProblems } from './cloud-name-rule.ts'
import { conflictMarkProblems } from './conflict-mark-rule.ts'
import { folderProblems } from './folder-rule.ts'
import { importProblems, type Package } from './import-rule.ts'
import { oneSourceProblems } from './one-source-rule.ts'
import { ownValueProblems } from './own-value-rule.ts'
import { plainErrorProblems } from './plain-error-rule.ts'
import { type DeclaredProvider, type ProviderFolder, providerProblems } from './provider-rule.ts'
import { readmeProblems } from './readme-rule.ts'
import { referenceProblems, uncheckedReferences } from './reference-rule.ts'
import { siteProblems } from './site-rule.ts'
import { isTest, root, type SourceFile, sourceFiles, trackedPaths } from './source-files.ts'
import { testObjectProblems } from './test-object-rule.ts'
import { timeAndRandomnessProblems } from './time-and-randomness-rule.ts'
import { messageKeyProblems, wordProblems } from './word-rule.ts'

const LONG_FILE_LINES = 400
/** The provider that `kerf up` and tests use by default. */
const DEFAULT_CLOUD = 'providers/kwok'
const MESSAGES = 'packages/dashboard/plugin/src/locales/en/translation.json'

interface Manifest {
  readonly name: string
  readonly workspaces?: readonly string[]
  readonly exports?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  /** For a provider: the words that belong to its cloud. */
  readonly cloudWords?: readonly string[]
  /** For a provider: words of its cloud that `word-rule.ts` refuses everywhere else. */
  readonly ownWords?: readonly string[]
  /** For a provider: paths below its folder in which tests may write out whole objects, each with the reason. */
  readonly wholeObjects?: Readonly<Record<string, string>>
}

const folderManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest

const packages: readonly Package[] = (folderManifest('.').workspaces ?? [])
  .flatMap((pattern) => globSync(pattern, { cwd: root }))
  .map((folder) => folder.replaceAll('\\', '/'))
  .filter((folder) => existsSync(join(root, folder, 'package.json')))
  .map((folder) => {
    const { name, exports, dependencies } = folderManifest(folder)
    return {
      folder,
      name,
      dependencies: new Set(Object.keys(dependencies ?? {})),
      exports: new Set(Object.keys(exports ?? {})),
    }
  })

const clouds: readonly CloudWords[] = packages.flatMap(({ folder }) => {
  const { cloudWords } = folderManifest(folder)
  return cloudWords === undefined
    ? []
    : [{ provider: folder.slice('providers/'.length), words: cloudWords, isDefault: folder === DEFAULT_CLOUD }]
})

const declared = (provider: ProviderDescriptor): DeclaredProvider => {
  const { documentation, chart, nodeClasses, dashboard } = provider
  return {
    ...(documentation === undefined ? {} : { documentation }),
    isReal: chart.hasCrds,
    hasColumns: [...nodeClasses, ...(dashboard?.kinds ?? [])].some(({ columns = [] }) => columns.length > 0),
  }
}

const providerFolders = globSync('providers/*/package.json', { cwd: root }).map((path): ProviderFolder => {
  const name = path.replaceAll('\\', '/').split('/')[1] ?? ''
  const { exports = {} } = folderManifest(`providers/${name}`)
  const descriptor = providers.find((each) => each.name === name)
  return { name, exports, ...(descriptor === undefined ? {} : { descriptor: declared(descriptor) }) }
})

const ownWords = packages.map(({ folder }) => ({ below: `${folder}/`, words: folderManifest(folder).ownWords ?? [] }))
const wholeObjects = Object.fromEntries(
  packages.flatMap(({ folder }) =>
    Object.entries(folderManifest(folder).wholeObjects ?? {}).map(([path, reason]) => [`${folder}/${path}`, reason]),
  ),
)

/** The manifest and the programs of the continuous integration. They must not name a cloud either. */
const manifests = ['package.json', '.ci/*', '.github/workflows/*']
  .flatMap((pattern) => trackedPaths(pattern))
  .map((path): SourceFile => ({ path, text: readFileSync(join(root, path), 'utf8') }))
const files = sourceFiles()
const tsx = sourceFiles('*.tsx')
const built: ReadonlySet<string> = new Set(BUILT_PAGES)
const pages = [...files, ...tsx, ...sourceFiles('*.mjs'), ...sourceFiles('*.md'), ...sourceFiles('*.yaml')]
  // The examples in that test contain broken links on purpose.
  .filter(({ path }) => path !== 'tools/reference-rule.test.ts')
const roots = [
  ...packages.map(({ folder }) => `${folder}/src`),
  'packages/dashboard/plugin/src',
  'tests/simulation',
  'tests/benchmarks',
  'tools',
]
/** Reports whether the file is shipped. Tests, benchmarks and scripts are not checked, because they choose their keys themselves. */
const isShipped = (path: string): boolean =>
  packages.some(({ folder, name }) => name !== '@kerf/testing' && path.startsWith(`${folder}/src/`)) &&
  !isTest(path) &&
  !path.includes('/generated/')
const problems = [
  ...conflictMarkProblems(pages),
  ...importProblems(files, packages),
  ...cloudNameProblems(
    [...files, ...tsx, ...sourceFiles('*.mjs'), ...manifests],
    clouds,
    cloudNameExceptions,
    wellKnownNames,
  ),
  ...folderProblems([...files, ...tsx], roots),
  ...timeAndRandomnessProblems(files),
  ...plainErrorProblems([...files, ...tsx]),
  ...oneSourceProblems(files),
  ...testObjectProblems(files, wholeObjects),
  ...ownValueProblems(join(root, 'tsconfig.json'), isShipped),
  ...providerProblems(providerFolders, trackedPaths()),
  ...readmeProblems(trackedPaths(), (path) => readFileSync(join(root, path), 'utf8').split('\n').length - 1),
  ...referenceProblems(pages, { has: (path) => built.has(path) || existsSync(join(root, path)) }),
  ...uncheckedReferences(pages),
  ...siteProblems(sourceFiles('*.md').map(({ path }) => path)),
  ...wordProblems([...files, ...tsx], ownWords),
  ...messageKeyProblems(MESSAGES, JSON.parse(readFileSync(join(root, MESSAGES), 'utf8')) as object),
]
for (const problem of problems) process.stdout.write(`${problem}\n`)

const long = files
  .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
  .filter(({ lines }) => lines > LONG_FILE_LINES)
  .sort((a, b) => b.lines - a.lines)
if (long.length > 0) {
  process.stdout.write(
    `over ${LONG_FILE_LINES} lines (allowed with a reason): ${long.map(({ path, lines }) => `${path} ${lines}`).join(', ')}\n`,
  )
}
process.exitCode = problems.length === 0 ? 0 : 1
