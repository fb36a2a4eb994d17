/**
 * Lays out what VitePress builds: the pages, the pictures, and a page for each file of the repository that one of them links to, so that a link to a proof needs no other host.
 */
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { linkedPath, sourcePageOf } from './links.ts'
import { MOVED_PAGES, redirectPage } from './moved-pages.ts'
import { FIRST_PAGE, introducesFolder, pagePath, readingOrder } from './reading-order.ts'

export const repository = fileURLToPath(new URL('../..', import.meta.url))
/** Where VitePress finds the pages. */
const pagesFolder = fileURLToPath(new URL('pages', import.meta.url))

/** Larger files are shown in part. */
const SHOWN_BYTES = 200_000
/** What a file of the repository is shown as; everything else as it is. */
const LANGUAGES: Readonly<Record<string, string>> = {
  '.ts': 'ts',
  '.tsx': 'tsx',
  '.mjs': 'js',
  '.json': 'json',
  '.yaml': 'yaml',
  '.yml': 'yaml',
}

const LINK = /\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g

/** The paths in the repository that a page links to, as far as they exist. */
const pageLinks = (page: string): readonly string[] =>
  [...readFileSync(join(repository, page), 'utf8').matchAll(LINK)].flatMap(([, link = '']) => {
    const path = linkedPath(page, link)
    return path === undefined || path.startsWith('..') || !existsSync(join(repository, path)) ? [] : [path]
  })

/**
 * Every page of the site by its path in the repository, with its path on the site without an ending: those of `docs/` and of
 * the providers' `docs/` except READMEs of folders, those that the navigation names, and the pages elsewhere that one of them links to.
 */
export const sitePages = (): ReadonlyMap<string, string> => {
  const inDocs = readdirSync(join(repository, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((path) => `docs/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.md') && !introducesFolder(path) && !path.startsWith('docs/site/'))
  const ofProviders = globSync('providers/*/docs/**/*.md', { cwd: repository })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !introducesFolder(path))
  const pages = new Set([...inDocs, ...ofProviders, ...readingOrder.flatMap((section) => section.pages.map(pagePath))])
  // A set hands out what is added while it is read.
  for (const page of pages) for (const path of pageLinks(page)) if (path.endsWith('.md')) pages.add(path)
  const found = new Map([...pages].sort().map((path) => [path, pathSitePath(path)]))
  const owners = Map.groupBy(found.keys(), (path) => found.get(path))
  for (const [address, paths] of owners)
    if (paths.length > 1) throw new Error(`${paths.join(' and ')} have the same address on the site: /${address}`)
  return found
}

/** The folders whose pages have the address of their path below the folder. A page keeps its address when it moves to a provider. */
const PAGES_BELOW = /^(?:providers\/[^/]+\/)?docs\//

const pathSitePath = (path: string): string => {
  if (path === FIRST_PAGE) return 'index'
  // `docs/security.md` has the address that its name would give.
  if (path === 'SECURITY.md') return 'security-policy'
  return path
    .replace(PAGES_BELOW, '')
    .replace(/\.md$/, '')
    .replace(/(^|\/)README$/, '$1index')
    .replace(/^[A-Z_]+$/, (name) => name.toLowerCase().replaceAll('_', '-'))
}

const write = (path: string, text: string): void => {
  const file = join(pagesFolder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/** A fence that nothing in the text closes. */
const fenceFor = (text: string): string => {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  return '`'.repeat(longest + 1)
}

const sourcePage = (path: string): string => {
  const heading = `---\noutline: false\nprev: false\nnext: false\neditLink: false\n---\n\n# ${path}\n\n`
  const file = join(repository, path)
  if (statSync(file).isDirectory()) {
    const names = readdirSync(file).sort()
    return `${heading}A folder of the repository:\n\n${names.map((name) => `- \`${name}\``).join('\n')}\n`
  }
  const whole = readFileSync(file, 'utf8')
  const text = whole.slice(0, SHOWN_BYTES)
  const fence = fenceFor(text)
  const cut = text.length < whole.length ? 'The beginning of a file of the repository:' : 'A file of the repository:'
  const language = text.length > 30_000 ? 'text' : (LANGUAGES[extname(path)] ?? 'text')
  return `${heading}${cut}\n\n${fence}${language}\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}\n`
}

/** Writes all pages anew. Returns how many there are of each sort. */
export const stagePages = (): { readonly pages: number; readonly sources: number } => {
  rmSync(pagesFolder, { recursive: true, force: true })
  const pages = sitePages()
  const linked = new Set<string>()
  for (const [path, target] of pages) {
    write(`${target}.md`, readFileSync(join(repository, path), 'utf8'))
    for (const to of pageLinks(path)) if (!pages.has(to) && !to.startsWith('docs/images/')) linked.add(to)
  }
  for (const [from, page] of Object.entries(MOVED_PAGES)) {
    const to = pages.get(page)
    if (to === undefined) throw new Error(`docs/site/moved-pages.ts: the site has no page for ${page}`)
    write(`public/${from}.html`, redirectPage(from, to))
  }
  for (const path of linked) write(`${sourcePageOf(path)}.md`, sourcePage(path))
  cpSync(join(repository, 'docs', 'images'), join(pagesFolder, 'public', 'images'), {
    recursive: true,
    filter: (path) => !path.endsWith('.md'),
  })
  return { pages: pages.size, sources: linked.size }
}
