import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/** A built page. */
export interface BuiltPage {
  /** The path with its extension, as in the URL. */
  readonly path: string
  readonly anchors: ReadonlySet<string>
  /** The targets of the page's links, as written. */
  readonly links: readonly string[]
  /** The resources that the browser loads with the page: scripts, styles and pictures. */
  readonly loads: readonly string[]
}

const ATTRIBUTE = /\s(href|src|id)="([^"]*)"/g
const TAG = /<(a|link|script|img|source|iframe|[a-z][a-z0-9-]*)\b([^>]*)>/g

const withoutEntities = (text: string): string => text.replaceAll('&amp;', '&').replaceAll('&quot;', '"')

const readPage = (path: string, html: string): BuiltPage => {
  const anchors = new Set<string>()
  const links: string[] = []
  const loads: string[] = []
  for (const [, tag, attributes = ''] of html.matchAll(TAG)) {
    for (const [, name, value = ''] of attributes.matchAll(ATTRIBUTE)) {
      if (name === 'id') anchors.add(withoutEntities(value))
      else if (tag === 'a') links.push(withoutEntities(value))
      else loads.push(withoutEntities(value))
    }
  }
  return { path, anchors, links, loads }
}

/** Returns every page of a built site. */
export const builtPages = (directory: string): readonly BuiltPage[] =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.html'))
    .sort()
    .map((path) => readPage(path, readFileSync(join(directory, path), 'utf8')))

const isOutside = (link: string): boolean => /^[a-z][a-z+.-]*:|^\/\//i.test(link)

/** Returns the page or file that a link of a page refers to, and its anchor. The path of a link out of the base starts with `..`. */
const pageTarget = (
  page: BuiltPage,
  link: string,
  base: string,
): { readonly path: string; readonly anchor: string } => {
  const { pathname, hash } = new URL(link, `http://site${base}${page.path}`)
  const place = decodeURIComponent(pathname)
  const path = place.startsWith(base) ? place.slice(base.length) : `..${place}`
  return {
    path: path === '' || path.endsWith('/') ? posix.join(path, 'index.html') : path,
    anchor: decodeURIComponent(hash.slice(1)),
  }
}

/**
 * Returns one line for each link to a missing page, file or anchor, and for each resource from another host.
 * @param base the path below which the site is published, with a slash at both ends
 */
export const siteLinkProblems = (directory: string, pages: readonly BuiltPage[], base = '/'): readonly string[] => {
  const byPath = new Map(pages.map((page) => [page.path, page]))
  return pages.flatMap((page) => [
    ...page.loads.filter(isOutside).map((load) => `${page.path} loads ${load}`),
    ...[...page.links, ...page.loads.filter((load) => !isOutside(load))].flatMap((link) => {
      if (isOutside(link)) return []
      const { path, anchor } = pageTarget(page, link, base)
      const target = byPath.get(path)
      if (target === undefined)
        return !path.startsWith('..') && existsSync(join(directory, path))
          ? []
          : [`${page.path}: ${link}: no such page`]
      return anchor === '' || target.anchors.has(anchor) ? [] : [`${page.path}: ${link}: no such heading`]
    }),
  ])
}

/** Returns the pages that no chain of links from the first page reaches. */
export const unreachedPages = (pages: readonly BuiltPage[], base = '/'): readonly string[] => {
  const byPath = new Map(pages.map((page) => [page.path, page]))
  const reached = new Set(['index.html'])
  for (const path of reached) {
    const page = byPath.get(path)
    if (page === undefined) continue
    for (const link of page.links) if (!isOutside(link)) reached.add(pageTarget(page, link, base).path)
  }
  return pages.map(({ path }) => path).filter((path) => !reached.has(path) && path !== '404.html')
}
