import { isTest, lineAt, type SourceFile, withoutComments } from './source-files.ts'

/** The words that belong to one cloud: its name, the API groups and kinds of its node classes, and its product names. */
export interface CloudWords {
  /** The name of its folder below `providers/`. */
  readonly provider: string
  readonly words: readonly string[]
  /** Whether tests use this cloud by default. If so, tests may name it. */
  readonly isDefault?: boolean
}

/** A file, or a folder (ending with a slash), that may name a cloud. */
export interface CloudNameException {
  readonly path: string
  readonly reason: string
}

/** A name that contains the name of a cloud but may be used in any file. */
export interface WellKnownName {
  readonly name: string
  readonly reason: string
}

const escaped = (word: string): string => word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** Matches a word even as part of a longer name: `aws` in `awsMetrics` and `AwsDeps`, but not in `draws`. */
const patternOf = (words: readonly string[]): RegExp => {
  // The longest words come first, so that a message contains the whole word.
  const forms = words
    .toSorted((a, b) => b.length - a.length)
    .flatMap((word) => [
      `(?<![A-Za-z])${escaped(word)}`,
      escaped(word.charAt(0).toUpperCase() + word.slice(1)),
      `(?<![A-Z])${escaped(word.toUpperCase())}`,
    ])
  return new RegExp(`(?:${forms.join('|')})(?![a-z]{2})`, 'g')
}

const EXCEPTIONS = 'tools/cloud-name-exceptions.ts'

const isBelow = (path: string, exception: CloudNameException): boolean =>
  exception.path.endsWith('/') ? path.startsWith(exception.path) : path === exception.path

/**
 * Returns one line for each file outside a cloud's folder whose path or code names the cloud, and for each unnecessary exception. This
 * keeps each cloud in one folder: adding or changing a cloud requires no edit elsewhere.
 */
export const cloudNameProblems = (
  files: readonly SourceFile[],
  clouds: readonly CloudWords[],
  exceptions: readonly CloudNameException[],
  wellKnownNames: readonly WellKnownName[] = [],
): readonly string[] => {
  const used = new Set<CloudNameException>()
  const usedNames = new Set<WellKnownName>()
  // The longest names come first, so that a name is removed as a whole even if it contains another one.
  const byLength = wellKnownNames.toSorted((a, b) => b.name.length - a.name.length)
  const withoutWellKnownNames = (path: string, code: string, pattern: RegExp): string =>
    byLength.reduce((rest, each) => {
      if (!rest.includes(each.name) || each.name.search(pattern) < 0) return rest
      if (path !== EXCEPTIONS) usedNames.add(each)
      return rest.replaceAll(each.name, '')
    }, code)
  const problems = files.flatMap(({ path, text }) => {
    const uncommented = withoutComments(text)
    return clouds.flatMap(({ provider, words, isDefault = false }) => {
      if (path.startsWith(`providers/${provider}/`)) return []
      if (isDefault && (isTest(path) || path.startsWith('tests/'))) return []
      const pattern = patternOf(words)
      const code = withoutWellKnownNames(path, uncommented, pattern)
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
    })
  })
  const unused = exceptions
    .filter((each) => !used.has(each))
    .map(({ path }) => `${EXCEPTIONS}: ${path} names no cloud: remove the exception`)
  const unusedNames = wellKnownNames
    .filter((each) => !usedNames.has(each))
    .map(({ name }) => `${EXCEPTIONS}: no file outside the folders of clouds has ${name}: remove it`)
  return [...problems, ...unused, ...unusedNames]
}
