import { posix } from 'node:path'

/** What a link of a page leads to. */
export type LinkTarget =
  /** Somewhere on the same page, or outside of the repository. */
  | { readonly kind: 'as-written' }
  /** A page, a picture or a file of the repository, with the path that it has on the site. */
  | { readonly kind: 'on-site'; readonly url: string }
  | { readonly kind: 'missing'; readonly path: string }

/** What the site has, by path in the repository. */
export interface SiteFiles {
  /** The path on the site of a page, without its ending; nothing for a file that is no page. */
  pageAt(path: string): string | undefined
  has(path: string): boolean
}

/** The folder of the pages that show a file of the repository. */
export const SOURCE = 'source'

/** The page that shows a file of the repository, without its ending. VitePress sees no file whose path has a name that begins with a dot. */
export const sourcePageOf = (path: string): string => `${SOURCE}/${path.replaceAll(/(^|\/)\./g, '$1')}`

/** The path in the repository that a link of a page means; nothing when it leads outside or stays on the page. */
export const linkedPath = (page: string, link: string): string | undefined => {
  if (/^[a-z][a-z+.-]*:|^\/\/|^#/i.test(link)) return undefined
  const [file = ''] = decodeURI(link).split('#')
  return posix.normalize(posix.join(posix.dirname(page), file)).replace(/\/$/, '')
}

/** Where the site keeps a picture of `docs/images/`. */
const pictureAt = (path: string): string | undefined =>
  path.startsWith('docs/images/') ? path.slice('docs'.length) : undefined

/** Where a link of a page of the repository leads on the site. Links are written as GitHub reads them: relative to their file. */
export const resolveLink = (page: string, link: string, files: SiteFiles): LinkTarget => {
  const path = linkedPath(page, link)
  if (path === undefined) return { kind: 'as-written' }
  const hash = link.includes('#') ? link.slice(link.indexOf('#')) : ''
  const picture = pictureAt(path)
  if (!files.has(path)) return { kind: 'missing', path }
  if (picture !== undefined) return { kind: 'on-site', url: picture }
  const target = files.pageAt(path)
  if (target !== undefined) return { kind: 'on-site', url: `/${target}${hash}` }
  return { kind: 'on-site', url: `/${sourcePageOf(path)}.html` }
}
