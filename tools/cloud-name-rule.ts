import { isTest, lineAt, type SourceFile, withoutComments } from './source-files.ts'

/** The words that belong to one cloud: its name, the API groups and kinds of its classes, and names of its products. */
export interface CloudWords {
  /** The name of its folder below `providers/`. */
  readonly provider: string
  readonly words: readonly string[]
  /** Whether tests use it as the default cloud, so that they may name it. */
  readonly isDefault?: boolean
}

/** A file, or a folder that ends with a slash, that may name a cloud. */
export interface CloudNameException {
  readonly path: string
  readonly reason: string
}

const escaped = (word: string): string => word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** Matches a word as part of a name too: `aws` in `awsMetrics` and `AwsParts`, but not in `draws`. */
const patternOf = (words: readonly string[]): RegExp => {
  // The longest first, so that the line names the whole word.
  const forms = words
    .toSorted((a, b) => b.length - a.length)
    .flatMap((word) => [
      `(?<![A-Za-z])${escaped(word)}`,
      escaped(word.charAt(0).toUpperCase() + word.slice(1)),
      `(?<![A-Z])${escaped(word.toUpperCase())}`,
    ])
  return new RegExp(`(?:${forms.join('|')})(?![a-z]{2})`, 'g')
}

const isBelow = (path: string, exception: CloudNameException): boolean =>
  exception.path.endsWith('/') ? path.startsWith(exception.path) : path === exception.path

/**
 * Returns the files outside a cloud's folder that name it in their path or code, one line each, and the exceptions that are not
 * needed. A cloud is one folder: to add or change one, nobody edits another.
 */
export const cloudNameProblems = (
  files: readonly SourceFile[],
  clouds: readonly CloudWords[],
  exceptions: readonly CloudNameException[],
): readonly string[] => {
  const used = new Set<CloudNameException>()
  const problems = files.flatMap(({ path, text }) =>
    clouds.flatMap(({ provider, words, isDefault = false }) => {
      if (path.startsWith(`providers/${provider}/`)) return []
      if (isDefault && (isTest(path) || path.startsWith('tests/'))) return []
      const pattern = patternOf(words)
      const code = withoutComments(text)
      const isInPath = path.search(pattern) >= 0
      const found = isInPath ? undefined : [...code.matchAll(pattern)][0]
      if (!isInPath && found === undefined) return []
      const exception = exceptions.find((each) => isBelow(path, each))
      if (exception !== undefined) {
        used.add(exception)
        return []
      }
      return found === undefined
        ? [`${path}: the path names ${provider}: the file belongs into providers/${provider}/`]
        : [`${path}:${lineAt(code, found.index)} '${found[0]}' belongs into providers/${provider}/`]
    }),
  )
  const unused = exceptions
    .filter((each) => !used.has(each))
    .map(({ path }) => `tools/cloud-name-exceptions.ts: ${path} names no cloud: remove the exception`)
  return [...problems, ...unused]
}
