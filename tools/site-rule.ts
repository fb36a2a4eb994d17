import { BUILT_PAGES, FOLDERS_OF_PAGES, introducesFolder, pagePath, readingOrder } from '../docs/site/reading-order.ts'

const NAVIGATION = 'docs/site/reading-order.ts'
const OF_PROVIDER = /^providers\/[^/]+\/(?=docs\/)/

/**
 * Returns one line for each page of `docs/` or of a provider's `docs/` that is missing in the site's navigation, and for each entry of the
 * navigation that has no page or occurs twice.
 */
export const siteProblems = (
  paths: readonly string[],
  entries: readonly string[] = readingOrder.flatMap(({ pages }) => pages.map(pagePath)),
): readonly string[] => {
  const there = new Set<string>([...paths, ...BUILT_PAGES])
  const named = new Set(entries)
  const isReached = (path: string): boolean =>
    FOLDERS_OF_PAGES.some((folder) => path.replace(OF_PROVIDER, '').startsWith(folder))
  return [
    ...paths
      .filter(
        (path) =>
          path.replace(OF_PROVIDER, '').startsWith('docs/') &&
          path.endsWith('.md') &&
          !introducesFolder(path) &&
          !named.has(path) &&
          !isReached(path),
      )
      .map((path) => {
        const [provider] = OF_PROVIDER.exec(path) ?? []
        const place = provider === undefined ? NAVIGATION : `${provider}docs/navigation.json`
        return `${path}: readers of the site do not find it: add a line to ${place}`
      }),
    ...entries.filter((path) => !there.has(path)).map((path) => `${NAVIGATION}: there is no ${path}`),
    ...entries
      .filter((path, place) => entries.indexOf(path) !== place)
      .map((path) => `${NAVIGATION}: ${path} is defined twice`),
  ]
}
