const MAXIMUM_LINES = 15

/** READMEs that may be longer, each with the reason. */
const LONG: ReadonlyMap<string, string> = new Map([
  ['docs/README.md', 'the first page of the site'],
  ['docs/decisions/README.md', 'the index page of the decisions; each new decision adds a line'],
  ['docs/spec/README.md', 'the index page of the specification'],
])

/** Returns the folders on the first two levels that contain the path, except those whose name begins with a dot. */
const foldersAbove = (path: string): readonly string[] => {
  const names = path.split('/').slice(0, -1)
  return names.some((name) => name.startsWith('.'))
    ? []
    : names.slice(0, 2).map((_, index) => names.slice(0, index + 1).join('/'))
}

/**
 * Returns one line for each folder on the first two levels that has no README, and for each README of these folders that has more than
 * fifteen lines.
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
