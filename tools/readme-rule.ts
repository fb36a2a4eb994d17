const MAXIMUM_LINES = 15

/** READMEs that may be longer, each with the reason. */
const LONG: ReadonlyMap<string, string> = new Map([
  ['docs/README.md', 'the first page of the site'],
  ['docs/decisions/README.md', 'the index page of the decisions; each new decision adds a line'],
  ['docs/spec/README.md', 'the index page of the specification'],
])

/** Returns the folders of the path down to the second level, without those that begin with a dot. */
const foldersAbove = (path: string): readonly string[] => {
  const names = path.split('/').slice(0, -1)
  return names.some((name) => name.startsWith('.'))
    ? []
    : names.slice(0, 2).map((_, index) => names.slice(0, index + 1).join('/'))
}

/**
 * Returns the folders down to the second level without a README, and READMEs of these folders with more than fifteen lines. One line each.
 * @param paths the tracked files, relative to the repository
 * @param linesOf returns the number of lines of a file
 */
export const readmeProblems = (paths: readonly string[], linesOf: (path: string) => number): readonly string[] => {
  const files = new Set(paths)
  return [...new Set(paths.flatMap(foldersAbove))].sort().flatMap((folder) => {
    const readme = `${folder}/README.md`
    if (!files.has(readme))
      return [`${folder} has no README.md: say what is here, what it may import, and where to begin reading`]
    const lines = linesOf(readme)
    if (lines <= MAXIMUM_LINES || LONG.has(readme)) return []
    return [`${readme} has ${lines} lines, more than ${MAXIMUM_LINES}: move the details into a page beside it`]
  })
}
