/** A provider's folder: its package exports, and what its descriptor declares. */
export interface ProviderFolder {
  /** The name of the folder below `providers/`. */
  readonly name: string
  /** The files that its package exports, by subpath. */
  readonly exports: Readonly<Record<string, string>>
  /** Absent if the provider is not in the list of providers. */
  readonly descriptor?: DeclaredProvider
}

/** Properties of a descriptor that determine what the provider's folder must contain. */
export interface DeclaredProvider {
  readonly documentation?: { readonly specification: string; readonly guide?: string }
  /** Whether the provider runs in a real cloud instead of only simulating one. */
  readonly isReal: boolean
  readonly hasColumns: boolean
}

const NEEDED = {
  './testing': 'the conformance suite',
  './testing/simulation': 'the account of the fault simulation',
} as const
const NEEDED_OF_REAL = { './testing/call-bench': 'the bench of its calls' } as const

const exportProblems = (
  { name, exports, descriptor }: ProviderFolder,
  has: (path: string) => boolean,
): readonly string[] => {
  const needed: Readonly<Record<string, string>> = {
    ...('./display' in exports || descriptor?.hasColumns === true
      ? { './testing/dashboard': 'the file with typical classes' }
      : {}),
    ...(descriptor === undefined ? {} : NEEDED),
    ...(descriptor?.isReal === true ? NEEDED_OF_REAL : {}),
  }
  return [
    ...Object.entries(exports).flatMap(([subpath, file]) =>
      has(file.replace(/^\.\//, '')) ? [] : [`package.json exports ${subpath}, and there is no ${file}`],
    ),
    ...Object.entries(needed).flatMap(([subpath, what]) =>
      subpath in exports ? [] : [`${what} is missing: package.json does not export ${subpath}`],
    ),
  ].map((problem) => `providers/${name}: ${problem}`)
}

const declaredProblems = (
  { documentation, isReal }: DeclaredProvider,
  files: readonly string[],
  paths: readonly string[],
): readonly string[] => {
  const { specification, guide } = documentation ?? {}
  const page = (what: string, path: string | undefined): readonly string[] => {
    if (path === undefined) return [`the ${what} is missing: name it in documentation of the descriptor`]
    return paths.includes(path) ? [] : [`the ${what} is missing: there is no ${path}`]
  }
  const folder = (needed: boolean, what: string, pattern: RegExp, place: string): readonly string[] =>
    !needed || files.some((path) => pattern.test(path)) ? [] : [`${what} missing: there is no ${place}`]
  return [
    ...page('specification', specification),
    ...(isReal || guide !== undefined ? page('guide', guide) : []),
    ...folder(true, 'the conformance test is', /^src\/(?:[^/]+-)?conformance\.test\.ts$/, 'src/conformance.test.ts'),
    ...folder(isReal, 'tests of the whole product are', /^tests\/.+\.test\.ts$/, 'test file in tests/'),
  ]
}

/**
 * Returns one line for each thing that is missing in a provider's folder although its descriptor or its package requires it. Display-only
 * folders, and folders of providers that are not in the list yet, need only what their package exports.
 * @param paths the tracked files, relative to the repository
 */
export const providerProblems = (providers: readonly ProviderFolder[], paths: readonly string[]): readonly string[] =>
  providers.flatMap((provider) => {
    const folder = `providers/${provider.name}/`
    const files = paths.flatMap((path) => (path.startsWith(folder) ? [path.slice(folder.length)] : []))
    const own = provider.descriptor === undefined ? [] : declaredProblems(provider.descriptor, files, paths)
    return [
      ...(files.includes('README.md') ? [] : [`${folder.slice(0, -1)}: README.md is missing`]),
      ...exportProblems(provider, (path) => files.includes(path)),
      ...own.map((problem) => `${folder.slice(0, -1)}: ${problem}`),
    ]
  })
