import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../../tools/source-files.ts'
import { type CostRow, CostTable } from '../costs/table.ts'
import { SUITES } from '../suites.ts'
import { suiteFiles } from './choose.ts'
import { type ImportGraph, importGraph, type PackageExports } from './import-graph.ts'
import { neededTools } from './needed-tools.ts'

const TABLE = 'tests/support/costs/table.json'

/** The test files in the working tree, with their imports, needed tools and costs. */
export interface TestTree {
  readonly testFiles: readonly string[]
  /** The test files that belong to a suite, so that `npm test` does not run them. */
  readonly expensive: ReadonlySet<string>
  readonly graph: ImportGraph
  readonly table: CostTable
  /** Returns a file's row in the table of costs. */
  row(file: string): CostRow | undefined
  needs(file: string): readonly string[]
}

const listed = (...patterns: readonly string[]): readonly string[] =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z', '--', ...patterns], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\0')
    .filter((path) => path !== '' && existsSync(join(root, path)))

const readText = (path: string): string => {
  try {
    return readFileSync(join(root, path), 'utf8')
  } catch {
    return ''
  }
}

interface Manifest {
  readonly name: string
  readonly exports?: Readonly<Record<string, string>>
  readonly workspaces?: readonly string[]
}

const packages = (): readonly PackageExports[] => {
  const read = (folder: string): Manifest => JSON.parse(readText(join(folder, 'package.json'))) as Manifest
  return (read('.').workspaces ?? [])
    .flatMap((pattern) => globSync(pattern, { cwd: root }))
    .filter((folder) => existsSync(join(root, folder, 'package.json')))
    .map((folder) => ({ folder, name: read(folder).name, exports: read(folder).exports ?? {} }))
}

export const readTestTree = (): TestTree => {
  const sources = listed('*.ts', '*.mjs', '*.tsx').map((path) => ({ path, text: readText(path) }))
  const graph = importGraph(sources, packages())
  const text = readText(TABLE)
  const table = new CostTable(text === '' ? [] : (JSON.parse(text) as readonly CostRow[]))
  const testFiles = sources
    .map(({ path }) => path)
    .filter((path) => path.endsWith('.test.ts'))
    .toSorted()
  return {
    testFiles,
    expensive: new Set(suiteFiles(SUITES, testFiles).map(({ file }) => file)),
    graph,
    table,
    row: (file) => table.row(file, () => readText(file)),
    needs: (file) => neededTools(file, graph, readText),
  }
}

export const TABLE_FILE = join(root, TABLE)
