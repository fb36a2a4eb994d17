/** A provider's folder, its package exports, and what its descriptor declares. */
export interface ProviderFolder {
  /** The name of its folder below `providers/`. */
  readonly name: string
  /** The files of its package exports by subpath. */
  readonly exports: Readonly<Record<string, string>>
  /** Absent if the list of providers does not have it. */
  readonly descriptor?: DeclaredProvider
}

/** What a descriptor declares and its folder must have. */
export interface DeclaredProvider {
  readonly documentation?: { readonly specification: string; readonly guide?: string }
  /** Whether it runs in a cloud, and does not only simulate one. */
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
 * Returns the parts that a provider's folder lacks although its descriptor or its package promises them, one line each. A display-only
 * folder and one that is not in the list yet need only what their package exports.
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
