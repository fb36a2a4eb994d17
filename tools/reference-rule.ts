import { posix } from 'node:path'
import { headingAnchor } from '../docs/site/anchor.ts'
import { lineAt, type SourceFile } from './source-files.ts'

/** The files and folders to which references may lead. Folders are given without a slash at the end. */
export interface Repository {
  has(path: string): boolean
}

/**
 * Matches the path of a page in a comment, a text or a test, with or without an anchor. The pages are in `docs/`, in the docs of a
 * provider, and in the folders of the benchmarks and test tools. Links are checked separately. In `docs/` and in `results/`, capital
 * letters stand for any name.
 */
const MENTION =
  /(?<![\w/.-]|\]\()(?:(?:providers\/[\w-]+\/)?docs\/(?:[\w.-]+\/)*(?![A-Z]+\.md)|tests\/(?:benchmarks|support)\/(?:[\w.-]+\/)*(?<!results\/))[\w.-]+\.md(?:#[\w-]+)?/g

const LINK = /\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g

/** References in forms that contain no page and heading, so they cannot be checked. */
const unchecked: readonly { readonly pattern: RegExp; readonly instead: string }[] = [
  { pattern: /(?<![\w/-])spec\/[a-z-]+\.md/g, instead: 'name the page as docs/spec/PAGE.md#HEADING' },
  {
    pattern: /(?<![\w/-])(?:core-api|disruption-and-lifecycle|engine-notes|upstream-benchmark|upstream-faults)\.md/g,
    instead: 'name the page as docs/spec/PAGE.md#HEADING',
  },
  { pattern: /§ ?\d[\d.]*/g, instead: 'name the heading: docs/spec/PAGE.md#HEADING' },
  { pattern: /\bedge (?:cases? )?\d+/gi, instead: 'name the case: docs/spec/scheduling-edge-cases.md#case-NUMBER' },
  {
    pattern: /(?<=['"`(\s])(?:\d+, )?F\d{1,2}(?=[:,)])/g,
    instead: 'name the fault: docs/spec/scheduling-edge-cases.md#fault-NUMBER',
  },
]

/** Replaces code blocks and code spans with blanks, so that nothing in them looks like a link. Positions do not change. */
const withoutCode = (text: string): string =>
  text
    .replaceAll(/^( *)(```+|~~~+)[^\n]*\n[\s\S]*?^ *\2[^\n]*$/gm, (block) => block.replaceAll(/[^\n]/g, ' '))
    .replaceAll(/(`+)(?!`)[^\n]*?[^`]\1(?!`)/g, (span) => ' '.repeat(span.length))

/** Returns all anchors of a page: its headings, numbered if they occur more than once, and anchors that the page defines explicitly. */
export const pageAnchors = (markdown: string): ReadonlySet<string> => {
  const anchors = new Set([...markdown.matchAll(/<a (?:id|name)="([^"]+)"/g)].map(([, id]) => id ?? ''))
  const times = new Map<string, number>()
  const withoutBlocks = markdown.replaceAll(/^( *)(```+|~~~+)[^\n]*\n[\s\S]*?^ *\2[^\n]*$/gm, '')
  for (const [, heading] of withoutBlocks.matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
    const base = headingAnchor(heading ?? '')
    const before = times.get(base) ?? 0
    times.set(base, before + 1)
    anchors.add(before === 0 ? base : `${base}-${before}`)
  }
  return anchors
}

/** Returns one line for each link in a Markdown file to a file or heading that does not exist. */
const brokenLinks = (
  { path, text }: SourceFile,
  problemOf: (target: string, anchor: string | undefined) => string | undefined,
): readonly string[] => {
  const prose = withoutCode(text)
  return [...prose.matchAll(LINK)].flatMap(({ 1: link = '', index }) => {
    if (/^[a-z][a-z+.-]*:|^\/\//i.test(link)) return []
    const [file = '', anchor] = decodeURI(link).split('#')
    const target = file === '' ? path : posix.normalize(posix.join(posix.dirname(path), file)).replace(/\/$/, '')
    const problem = problemOf(target, anchor)
    return problem === undefined ? [] : [`${path}:${lineAt(prose, index)} ${link}: ${problem}`]
  })
}

/**
 * Returns one line for each mention of a page that does not exist, or of a heading that does not exist. A mention is the path of the page,
 * relative to the root.
 */
const brokenMentions = (
  { path, text }: SourceFile,
  problemOf: (target: string, anchor: string | undefined) => string | undefined,
): readonly string[] =>
  [...text.matchAll(MENTION)].flatMap(({ 0: mention, index }) => {
    const [target = '', anchor] = mention.split('#')
    const problem = problemOf(target, anchor)
    return problem === undefined ? [] : [`${path}:${lineAt(text, index)} ${mention}: ${problem}`]
  })

/**
 * Returns one line for each reference to a file or heading that does not exist. Checks mentions of pages in any file, and links in Markdown
 * files within the repository. `pages` are the files to check; links may lead to any file of the repository.
 */
export const referenceProblems = (pages: readonly SourceFile[], repository: Repository): readonly string[] => {
  const anchors = new Map(
    pages.filter(({ path }) => path.endsWith('.md')).map(({ path, text }) => [path, pageAnchors(text)]),
  )
  const problemOf = (target: string, anchor: string | undefined): string | undefined => {
    if (!repository.has(target)) return `there is no ${target}`
    const known = anchors.get(target)
    // GitHub's anchors contain no capital letters. In a mention, capital letters stand for any name.
    if (anchor === undefined || known === undefined || known.has(anchor) || /[A-Z]/.test(anchor)) return undefined
    return `${target} has no heading #${anchor}`
  }
  return pages.flatMap((page) => [
    ...brokenMentions(page, problemOf),
    ...(page.path.endsWith('.md') ? brokenLinks(page, problemOf) : []),
  ])
}

/** Returns one line for each reference to a section by its number, or to a page that is not in the repository. */
export const uncheckedReferences = (pages: readonly SourceFile[]): readonly string[] =>
  pages.flatMap(({ path, text }) =>
    unchecked.flatMap(({ pattern, instead }) =>
      [...text.matchAll(pattern)].map(({ 0: found, index }) => `${path}:${lineAt(text, index)} ${found}: ${instead}`),
    ),
  )
