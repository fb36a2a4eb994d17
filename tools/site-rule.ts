import { FOLDERS_OF_PAGES, pathOf, readingOrder } from '../docs/site/reading-order.ts'

const NAVIGATION = 'docs/site/reading-order.ts'

/** Pages of `docs/` that the navigation of the site lacks, and entries of it that are no page or are there twice. One line each. */
export const siteProblems = (
  paths: readonly string[],
  entries: readonly string[] = readingOrder.flatMap(({ pages }) => pages.map(pathOf)),
): readonly string[] => {
  const there = new Set(paths)
  const named = new Set(entries)
  const isReached = (path: string): boolean => FOLDERS_OF_PAGES.some((folder) => path.startsWith(folder))
  return [
    ...paths
      .filter((path) => path.startsWith('docs/') && path.endsWith('.md') && !named.has(path) && !isReached(path))
      .map((path) => `${path}: readers of the site do not find it: add a line to ${NAVIGATION}`),
    ...entries.filter((path) => !there.has(path)).map((path) => `${NAVIGATION}: there is no ${path}`),
    ...entries
      .filter((path, place) => entries.indexOf(path) !== place)
      .map((path) => `${NAVIGATION}: ${path} is there twice`),
  ]
}
