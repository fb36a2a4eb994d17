import { globSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'

const repository = fileURLToPath(new URL('../..', import.meta.url))

/** The pages of a folder whose addresses began with `address/` earlier. */
const movedFolder = (address: string, folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    globSync(`${folder}/*.md`, { cwd: repository })
      .toSorted()
      .map((path) => [`${address}/${posix.basename(path, '.md')}`, path.replaceAll('\\', '/')]),
  )

/** Addresses of earlier pages of the site, without an ending, and the page of the repository that has the text now. */
export const MOVED_PAGES: Readonly<Record<string, string>> = {
  ...movedFolder('mutation', 'tests/support/mutation/results'),
  'beside-upstream': 'tests/benchmarks/beside/METHOD.md',
  'cli-times': 'tests/benchmarks/cli/TIMES.md',
  mutation: 'tests/support/mutation/README.md',
  'reference/surface': 'tests/integration/surface/surface.md',
}

/** Returns an HTML page that sends its reader to another page of the site. Both paths have no ending. */
export const redirectPage = (from: string, to: string): string => {
  const url = posix.relative(posix.dirname(from), `${to}.html`)
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=${url}"><title>This page has moved</title></head>
<body><h1>This page has moved</h1><p><a href="${url}">The new page</a></p></body>
</html>
`
}
