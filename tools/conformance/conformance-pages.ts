import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { BUILT_PAGES } from '../../docs/site/reading-order.ts'
import { providerNames } from '../../packages/cli/src/providers.ts'
import { checks } from '../../providers/contract/src/testing/checks.ts'
import { disruptionSections } from '../../tests/integration/facts/disruption-facts.ts'
import type { Fact } from '../../tests/integration/facts/fact.ts'
import { sections } from '../../tests/integration/facts/facts.ts'
import { numberedCases } from '../../tests/integration/facts/numbered-cases.ts'
import { numberedDisruptionCases } from '../../tests/integration/facts/numbered-disruption-cases.ts'
import { quirks } from '../../tests/integration/facts/quirks.ts'
import { loadConformance } from '../provider-conformance.ts'
import { root } from '../source-files.ts'

const PARTS = ['packages', 'providers', 'tests', 'tools']
const CASES = 160

/** A place where a test title occurs. `file` is relative to the repository. */
interface Place {
  readonly title: string
  readonly file: string
}

const testFiles = (): readonly string[] =>
  PARTS.flatMap((part) =>
    readdirSync(join(root, part), { recursive: true, withFileTypes: true })
      .filter(({ name, parentPath }) => name.endsWith('.test.ts') && !/node_modules|dashboard\/plugin/.test(parentPath))
      .map(({ name, parentPath }) => relative(root, join(parentPath, name))),
  ).sort()

/** Matches the first argument of `test`, of `describe`, and of the second call of `test.each`. */
const TITLE =
  /(?:\b(?:test|it|describe)(?:\.(?:only|concurrent))?|\))\(\s*(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"),/g

const fileTitles = (file: string): readonly Place[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(TITLE)].map(([, single, double]) => ({
    // The pages of facts quote a title without the placeholder for the values of a table row.
    title: (single ?? double ?? '').replaceAll("\\'", "'").replace(/: %s$/, ''),
    file,
  }))

/**
 * Returns the checks of the provider contract that at least one provider must pass. `TITLE` does not match them, because their titles are
 * composed at run time.
 */
const contractChecks = async (): Promise<readonly Place[]> => {
  const held = await Promise.all(
    providerNames.map(async (name) => ({ name, notApplicable: (await loadConformance(name)).notApplicable })),
  )
  return Object.entries(checks).flatMap(([id, text]) => {
    const provider = held.find(({ notApplicable }) => !(id in notApplicable))?.name
    return provider === undefined
      ? []
      : [{ title: `${id} ${text}`, file: `providers/${provider}/src/conformance.test.ts` }]
  })
}

const link = (file: string, from: string): string => {
  const up = '../'.repeat(from.split('/').length - 1)
  return `[${file}](${up}${file})`
}

const cell = (text: string): string => text.replaceAll('|', '\\|')

class Conformance {
  readonly #places: readonly Place[]
  readonly #byTitle: ReadonlyMap<string, readonly Place[]>
  readonly problems: string[] = []

  constructor(contractChecks: readonly Place[]) {
    this.#places = [...testFiles().flatMap(fileTitles), ...contractChecks]
    this.#byTitle = Map.groupBy(this.#places, ({ title }) => title)
  }

  #tests(titles: readonly string[], of: string, page: string): string {
    return titles
      .map((title) => {
        const [place] = this.#byTitle.get(title) ?? []
        if (place === undefined) {
          this.problems.push(`${of}: no test is called ${JSON.stringify(title)}`)
          return ''
        }
        return `${link(place.file, page)}: ${cell(title)}`
      })
      .join('<br>')
  }

  #row(id: string, fact: Fact, ownTitle: (text: string) => string, page: string): string {
    if (typeof fact === 'string') {
      const title = ownTitle(fact)
      const [place] = this.#byTitle.get(title) ?? []
      if (place === undefined) this.problems.push(`${id}: neither tested nor explained: ${fact}`)
      return `| ${cell(fact)} | ${place === undefined ? '' : link(place.file, page)} |`
    }
    return `| ${cell(fact.text)} | ${this.#proof(fact, id, page)} |`
  }

  #proof(of: { readonly tests: readonly string[] } | { readonly why: string }, id: string, page: string): string {
    return 'why' in of ? `Not tested. ${cell(of.why)}` : this.#tests(of.tests, id, page)
  }

  scheduling(page: string): string {
    const known = new Set<string>()
    const tables = Object.entries(sections).map(([id, facts]) => {
      const rows = facts.map((fact) => {
        if (typeof fact === 'string') known.add(`${id}: ${fact}`)
        return this.#row(id, fact, (text) => `${id}: ${text}`, page)
      })
      return `## ${id}\n\n| Fact | Test |\n| --- | --- |\n${rows.join('\n')}`
    })
    for (const { title, file } of this.#places) {
      const isFact =
        file.startsWith('tests/integration/facts/') && Object.keys(sections).some((id) => title.startsWith(`${id}: `))
      if (isFact && !known.has(title)) this.problems.push(`${file}: not among the facts: ${title}`)
    }
    return `${tables.join('\n\n')}\n\n## Edge cases\n\n${this.#cases(page)}`
  }

  disruption(page: string): string {
    const tables = Object.entries(disruptionSections).map(([id, facts]) => {
      const rows = facts.map((fact) => this.#row(id, fact, (text) => text, page))
      return `## ${id}\n\n| Fact | Test |\n| --- | --- |\n${rows.join('\n')}`
    })
    return `${tables.join('\n\n')}\n\n## Edge cases with a test of their own\n\n${this.#disruptionCases(page)}`
  }

  #disruptionCases(page: string): string {
    const rows = numberedDisruptionCases.map(({ from, to, test }) => {
      const number = `[${to === undefined ? from : `${from}–${to}`}](../spec/disruption-edge-cases.md#case-${from})`
      return `| ${number} ${this.#row(`disruption case ${from}`, test, (text) => text, page)}`
    })
    return `| | Case | Test |\n| --- | --- | --- |\n${rows.join('\n')}`
  }

  #cases(page: string): string {
    const rows: string[] = []
    for (let number = 1; number <= CASES; number++) {
      const fact = numberedCases[number]
      if (fact === undefined) this.problems.push(`case ${number}: neither tested nor explained`)
      else {
        const label = `[${number}](../spec/scheduling-edge-cases.md#case-${number})`
        rows.push(`| ${label} ${this.#row(`case ${number}`, fact, (text) => text, page)}`)
      }
    }
    return `| | Case | Test |\n| --- | --- | --- |\n${rows.join('\n')}`
  }

  quirks(page: string): string {
    return Object.entries(quirks)
      .map(([area, list]) => {
        const rows = list.map((quirk) => {
          const { upstream, kerf, verdict } = quirk
          const proof = this.#proof(quirk, `quirk of ${area}`, page)
          return `| ${cell(upstream)} | *${verdict}*: ${cell(kerf)} | ${proof} |`
        })
        return `## ${area}\n\n| Upstream | Kerf | Test |\n| --- | --- | --- |\n${rows.join('\n')}`
      })
      .join('\n\n')
  }
}

/**
 * Returns the pages of the site that list Kerf's promises, each with the test that proves it. These pages are not in the repository.
 * @throws Error if a line has neither a test nor a reason, or if a test quotes a line that is not in the list
 */
export const conformancePages = async (): Promise<readonly { readonly path: string; readonly content: string }[]> => {
  const conformance = new Conformance(await contractChecks())
  const [quirksPage, table, disruptionTable] = BUILT_PAGES
  const scheduling = `# Scheduling: what is promised, and the tests that hold us to it

Each line is a behaviour of Karpenter that pods, pools or nodes can notice, in the order of upstream's own test suites; after
them come the [edge cases](../spec/scheduling-edge-cases.md) of the specification. A line without a test says why it has none.

${conformance.scheduling(table)}
`
  const disruption = `# Disruption and the life of nodes: what is promised, and the tests that hold us to it

Each line is something that upstream's own test suites assert of the life and end of nodes, in the order of those suites. A
line without a test says why it has none. Where upstream is odd and Kerf is not, [another page](quirks.md) says so.

${conformance.disruption(disruptionTable)}
`
  const odd = `# Where upstream is odd

Cases in which upstream's behaviour looks unintended. [Conformance](../conformance.md#where-upstream-is-odd) says what *kept*, *better* and
*different* mean.

${conformance.quirks(quirksPage)}
`
  if (conformance.problems.length > 0) throw new Error(`conformance:\n${conformance.problems.join('\n')}`)
  return [
    { path: quirksPage, content: odd },
    { path: table, content: scheduling },
    { path: disruptionTable, content: disruption },
  ]
}
