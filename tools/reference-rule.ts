import { posix } from 'node:path'
import { anchorOf } from '../docs/site/anchor.ts'
import { lineAt, type SourceFile } from './source-files.ts'

/** What may be linked to: the files of the repository, folders without a slash at the end. */
export interface Repository {
  has(path: string): boolean
}

/**
 * A page of `docs/`, of the docs of a provider, or of the benchmarks and the test tools, with or without an anchor, named in a comment, a
 * text or a test. Links are checked separately. In `docs/` and in `results/` capitals stand for any name.
 */
const MENTION =
  /(?<![\w/.-]|\]\()(?:(?:providers\/[\w-]+\/)?docs\/(?:[\w.-]+\/)*(?![A-Z]+\.md)|tests\/(?:benchmarks|support)\/(?:[\w.-]+\/)*(?<!results\/))[\w.-]+\.md(?:#[\w-]+)?/g

const LINK = /\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g

/** References as they were before the specification was part of the repository; they name nothing that can be checked. */
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

/** Code blocks and code spans blanked, places kept: what looks like a link there is none. */
const withoutCode = (text: string): string =>
  text
    .replaceAll(/^( *)(```+|~~~+)[^\n]*\n[\s\S]*?^ *\2[^\n]*$/gm, (block) => block.replaceAll(/[^\n]/g, ' '))
    .replaceAll(/(`+)(?!`)[^\n]*?[^`]\1(?!`)/g, (span) => ' '.repeat(span.length))

/** Every anchor of a page: its headings, numbered where they repeat, and the anchors that are written down. */
export const anchorsOf = (markdown: string): ReadonlySet<string> => {
  const anchors = new Set([...markdown.matchAll(/<a (?:id|name)="([^"]+)"/g)].map(([, id]) => id ?? ''))
  const times = new Map<string, number>()
  const withoutBlocks = markdown.replaceAll(/^( *)(```+|~~~+)[^\n]*\n[\s\S]*?^ *\2[^\n]*$/gm, '')
  for (const [, heading] of withoutBlocks.matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
    const base = anchorOf(heading ?? '')
    const before = times.get(base) ?? 0
    times.set(base, before + 1)
    anchors.add(before === 0 ? base : `${base}-${before}`)
  }
  return anchors
}

/** Links of a Markdown file to files and headings that are not there. */
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

/** Pages of `docs/` that a file names by their path from the root. */
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
 * References to files and headings that are not there: pages of `docs/` wherever they are named, and links of Markdown files
 * within the repository. One line each. `pages` are the files that are read; links may lead to any file of the repository.
 */
export const referenceProblems = (pages: readonly SourceFile[], repository: Repository): readonly string[] => {
  const anchors = new Map(
    pages.filter(({ path }) => path.endsWith('.md')).map(({ path, text }) => [path, anchorsOf(text)]),
  )
  const problemOf = (target: string, anchor: string | undefined): string | undefined => {
    if (!repository.has(target)) return `there is no ${target}`
    const known = anchors.get(target)
    // GitHub's anchors have no capitals: they stand for any name.
    if (anchor === undefined || known === undefined || known.has(anchor) || /[A-Z]/.test(anchor)) return undefined
    return `${target} has no heading #${anchor}`
  }
  return pages.flatMap((page) => [
    ...brokenMentions(page, problemOf),
    ...(page.path.endsWith('.md') ? brokenLinks(page, problemOf) : []),
  ])
}

/** References that name a section by a number, or a page that is not in the repository. One line each. */
export const uncheckedReferences = (pages: readonly SourceFile[]): readonly string[] =>
  pages.flatMap(({ path, text }) =>
    unchecked.flatMap(({ pattern, instead }) =>
      [...text.matchAll(pattern)].map(({ 0: found, index }) => `${path}:${lineAt(text, index)} ${found}: ${instead}`),
    ),
  )
