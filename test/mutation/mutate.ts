import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { drawn } from './draw.ts'
import { instrumented, type NumberedMutant } from './instrument.ts'
import { type Mutable, mutantsOf } from './mutators.ts'
import { type Coverage, cover, type Fate, hashOf, judge, type Verdict } from './phases.ts'
import { copyTree, writeConfig } from './tree.ts'

/** What became of a mutant, by a hash of its file, of the change, and of the test files that reach it. */
export type Cache = Readonly<Record<string, { readonly fate: Fate; readonly by?: string | undefined }>>

export interface Task {
  /** A git working tree. It is only read. */
  readonly root: string
  /** An empty folder. */
  readonly scratch: string
  /** Files to plant bugs in, relative to `root`. */
  readonly sources: readonly string[]
  readonly tests: readonly string[]
  readonly seed: number
  readonly count: number
  readonly workers: number
  readonly cache: Cache
  readonly say: (line: string) => void
}

export interface Result {
  readonly verdicts: readonly Verdict[]
  readonly cache: Cache
  /** The changed text before and after, on one line each. */
  readonly textOf: (mutant: NumberedMutant) => { readonly before: string; readonly after: string }
}

const runner = fileURLToPath(new URL('mutation-runner.ts', import.meta.url))

const oneLine = (text: string): string => {
  const flat = text.replaceAll(/\s+/g, ' ').trim()
  return flat.length > 160 ? `${flat.slice(0, 160)} …` : flat
}

/** Draws mutants, compiles them into a copy of the tree, and has the tests judge them. */
export const mutate = async (task: Task): Promise<Result> => {
  const { root, scratch, seed, say } = task
  const sources = new Map(task.sources.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
  const parsed = new Map<string, Mutable>([...sources].map(([path, source]) => [path, mutantsOf(path, source)]))
  const all = [...parsed].flatMap(([path, { mutants }]) => mutants.map((mutant) => ({ ...mutant, path })))
  const chosen = drawn(all, task.count, seed).map((mutant, index): NumberedMutant => ({ ...mutant, id: index + 1 }))
  say(`seed ${seed} draws ${chosen.length} of ${all.length} mutants in ${sources.size} files`)

  const tree = join(scratch, 'tree')
  copyTree(root, tree)
  writeConfig(tree, runner, existsSync(join(root, 'vitest.config.ts')))
  for (const [path, own] of Map.groupBy(chosen, ({ path }) => path)) {
    const text = instrumented(sources.get(path) ?? '', own, parsed.get(path)?.statements ?? new Set())
    writeFileSync(join(tree, path), text)
  }

  const bench = {
    tree,
    state: join(scratch, 'state'),
    node: process.execPath,
    files: task.tests,
    workers: task.workers,
    say,
  }
  const coverage = await cover(bench)
  const keys = new Map(chosen.map((mutant) => [mutant.id, keyOf(mutant, sources, coverage, root)]))
  const known = (mutant: NumberedMutant): Verdict | undefined => {
    const cached = task.cache[keys.get(mutant.id) ?? '']
    return cached === undefined ? undefined : { mutant, fate: cached.fate, by: cached.by }
  }
  const open = chosen.filter((mutant) => known(mutant) === undefined)
  say(`${coverage.length} test files run; ${chosen.length - open.length} mutants known from an earlier run`)
  const judged = new Map((await judge(bench, open, coverage)).map((verdict) => [verdict.mutant.id, verdict]))
  const verdicts = chosen.flatMap((mutant) => judged.get(mutant.id) ?? known(mutant) ?? [])
  return {
    verdicts,
    cache: Object.fromEntries(verdicts.map(({ mutant, fate, by }) => [keys.get(mutant.id) ?? '', { fate, by }])),
    textOf: ({ path, start, end, replacement }) => ({
      before: oneLine((sources.get(path) ?? '').slice(start, end)),
      after: oneLine(replacement),
    }),
  }
}

const keyOf = (
  { id, path, start, end, replacement }: NumberedMutant,
  sources: ReadonlyMap<string, string>,
  coverage: readonly Coverage[],
  root: string,
): string => {
  const reaching = coverage
    .filter(
      ({ outside, tests }) => outside.includes(id) || Object.values(tests).some(({ reached }) => reached.includes(id)),
    )
    .map(({ file }) => file)
    .sort()
  const texts = reaching.flatMap((file) => [file, readFileSync(join(root, file), 'utf8')])
  return hashOf(path, sources.get(path) ?? '', `${start}-${end}`, replacement, ...texts)
}
