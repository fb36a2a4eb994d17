import { basename } from 'node:path'
import type { FileCost } from './record.ts'

/** The costs and benefits of one test file, as a row of tests/support/costs/table.json. The seconds come from the last nightly run. */
export interface CostRow {
  /** The file's base name and the title of its first test. Neither changes if the file moves. */
  readonly name: string
  readonly file: string
  readonly tests: number
  readonly wallSeconds: number
  /**
   * The CPU seconds of the process that ran the file. `childSeconds` is the CPU time of its child processes, and `clusterSeconds` that of
   * borrowed control planes.
   */
  readonly ownSeconds: number
  readonly childSeconds: number
  readonly clusterSeconds: number
  /** The tools that the file needs, for example `cluster`, `browser` or `aws`. Empty if it needs only Node.js. */
  readonly needs: readonly string[]
  /**
   * For each package, the number of product files that the test file covers. `coversAlone` is the number of files that no other test file
   * covers.
   */
  readonly covers: Readonly<Record<string, number>>
  readonly coversAlone: number
  /** The number of mutants and planted bugs that the file caught. `caughtAlone` counts those that no other file caught. */
  readonly caught: number
  readonly caughtAlone: number
}

/** The part of a run's report about one test file. */
export interface ReportedFile {
  readonly file: string
  readonly assertionResults: readonly { readonly name: string; readonly status: string }[]
}

/** A bug, and the test files that caught it. The bug was tried against every test that reaches it. */
export interface CaughtBug {
  readonly bug: string
  readonly by: readonly string[]
}

const rowName = (file: string, firstTest: string): string =>
  firstTest === '' ? basename(file) : `${basename(file)}: ${firstTest}`

/**
 * Returns the package of a path, for example `packages/engine` for `packages/engine/src/…` and `providers/aws` for `providers/aws/src/…`.
 */
const pathPackage = (path: string): string => path.split('/').slice(0, 2).join('/')

const rounded = (seconds: number): number => Math.round(seconds * 100) / 100

const coverers = (costs: readonly FileCost[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const { covered } of costs)
    for (const path of Object.keys(covered ?? {})) counts.set(path, (counts.get(path) ?? 0) + 1)
  return counts
}

/** Returns the table rows for the recorded costs. The most expensive files come first. */
export const costRows = (
  costs: readonly FileCost[],
  reported: readonly ReportedFile[],
  needs: (file: string) => readonly string[],
  caught: readonly CaughtBug[],
): readonly CostRow[] => {
  const names = new Map(reported.map(({ file, assertionResults }) => [file, assertionResults] as const))
  const counts = coverers(costs)
  return costs
    .map((cost): CostRow => {
      const tests = names.get(cost.file) ?? []
      const first = tests[0]?.name ?? ''
      const paths = Object.keys(cost.covered ?? {})
      const byPackage = Map.groupBy(paths, pathPackage)
      const bugs = caught.filter(({ by }) => by.includes(cost.file))
      return {
        name: rowName(cost.file, first.startsWith(`${cost.file} > `) ? first.slice(cost.file.length + 3) : first),
        file: cost.file,
        tests: tests.length,
        wallSeconds: rounded(cost.wallSeconds),
        ownSeconds: rounded(cost.ownSeconds),
        childSeconds: rounded(cost.childSeconds),
        clusterSeconds: rounded(cost.clusterSeconds),
        needs: needs(cost.file),
        covers: Object.fromEntries([...byPackage].map(([name, files]) => [name, files.length] as const).toSorted()),
        coversAlone: paths.filter((path) => counts.get(path) === 1).length,
        caught: bugs.length,
        caughtAlone: bugs.filter(({ by }) => by.length === 1).length,
      }
    })
    .toSorted((a, b) => processorSeconds(b) - processorSeconds(a) || (a.file < b.file ? -1 : 1))
}

export const processorSeconds = (row: Pick<CostRow, 'ownSeconds' | 'childSeconds' | 'clusterSeconds'>): number =>
  row.ownSeconds + row.childSeconds + row.clusterSeconds

/** Finds the row of a test file, even after the file was moved or renamed. */
export class CostTable {
  readonly #byFile: ReadonlyMap<string, CostRow>
  readonly #byBaseName: ReadonlyMap<string, readonly CostRow[]>
  readonly rows: readonly CostRow[]

  constructor(rows: readonly CostRow[]) {
    this.rows = rows
    this.#byFile = new Map(rows.map((row) => [row.file, row]))
    this.#byBaseName = Map.groupBy(rows, ({ file }) => basename(file))
  }

  /** @param text returns the text of the file; called only if the name alone does not identify one row */
  row(file: string, text: () => string): CostRow | undefined {
    const exact = this.#byFile.get(file)
    if (exact !== undefined) return exact
    const sameName = this.#byBaseName.get(basename(file)) ?? []
    const source = text()
    const holdsFirstTest = ({ name }: CostRow): boolean => {
      const title =
        name
          .slice(name.indexOf(': ') + 2)
          .split(' > ')
          .at(-1) ?? ''
      return title.length > 12 && source.includes(title)
    }
    return (
      sameName.find(holdsFirstTest) ??
      (sameName.length === 1 ? sameName[0] : undefined) ??
      this.rows.find(holdsFirstTest)
    )
  }
}

/** Returns the table with one row per line, so that a changed row is one changed line. */
export const tableText = (rows: readonly CostRow[]): string =>
  `[\n${rows.map((row) => `  ${JSON.stringify(row)}`).join(',\n')}\n]\n`

/** Copies from the replaced row the fields that a run without coverage does not measure. */
const completed = (row: CostRow, old: CostRow | undefined): CostRow =>
  old === undefined || Object.keys(row.covers).length > 0
    ? row
    : { ...row, covers: old.covers, coversAlone: old.coversAlone, caught: old.caught, caughtAlone: old.caughtAlone }

/**
 * Returns the old rows without those of deleted files. Rows that the new run measured replace the old ones. A run without coverage keeps
 * the coverage fields. With `keepsSeconds`, the old seconds stay, because measuring coverage makes a run slower.
 */
export const mergedRows = (
  old: readonly CostRow[],
  renewed: readonly CostRow[],
  exists: (file: string) => boolean,
  keepsSeconds = false,
): readonly CostRow[] => {
  const names = new Map(old.map((row) => [row.name, row]))
  const files = new Map(old.map((row) => [row.file, row]))
  const merged = renewed.map((row) => {
    const before = files.get(row.file) ?? names.get(row.name)
    const { wallSeconds, ownSeconds, childSeconds, clusterSeconds } = (keepsSeconds ? before : undefined) ?? row
    return { ...completed(row, before), wallSeconds, ownSeconds, childSeconds, clusterSeconds }
  })
  const renewedFiles = new Set(renewed.map(({ file }) => file))
  return [...merged, ...old.filter(({ file }) => !renewedFiles.has(file) && exists(file))].toSorted(
    (a, b) => processorSeconds(b) - processorSeconds(a) || (a.file < b.file ? -1 : 1),
  )
}
