import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { drawn } from './draw.ts'
import { instrumented, type NumberedMutant } from './instrument.ts'
import { findMutants, type Mutable } from './mutators.ts'
import { type Coverage, cover, hashTexts, judge, judgedSoFar, type MutantStatus, type Verdict } from './phases.ts'
import { copyTree, writeConfig } from './tree.ts'

/**
 * The result for a mutant. If the run was stopped before there was a result: the tests that have not detected the mutant so far, by their
 * IDs in Vitest.
 */
type Remembered =
  | { readonly status: MutantStatus; readonly by?: string | undefined }
  | { readonly held: readonly string[] }

/** Earlier results. The key is a hash of the mutant's file, of the change, and of the test files that reach it. */
export type Cache = Readonly<Record<string, Remembered>>

export interface Task {
  /** The root of a git working tree. It is not modified. */
  readonly root: string
  /** An empty folder for the mutated copy. */
  readonly scratch: string
  /** The files to mutate, relative to `root`. */
  readonly sources: readonly string[]
  readonly tests: readonly string[]
  readonly seed: number
  readonly count: number
  readonly workers: number
  readonly cache: Cache
  /** Called periodically with the results so far, so that a stopped run can be resumed. */
  readonly remember: (found: Cache) => void
  readonly print: (line: string) => void
}

export interface Result {
  readonly verdicts: readonly Verdict[]
  /** Returns the text that the mutant changes, before and after, each on one line. */
  readonly textOf: (mutant: NumberedMutant) => { readonly before: string; readonly after: string }
}

/** The interval between calls of `remember`, in milliseconds. */
const REMEMBERED_EVERY = 20_000

const runner = fileURLToPath(new URL('mutation-runner.ts', import.meta.url))
const sequencer = fileURLToPath(new URL('in-order.ts', import.meta.url))

const oneLine = (text: string): string => {
  const flat = text.replaceAll(/\s+/g, ' ').trim()
  return flat.length > 160 ? `${flat.slice(0, 160)} …` : flat
}

/** Selects mutants, compiles them into a copy of the tree, and runs the tests against them. */
export const mutate = async (task: Task): Promise<Result> => {
  const { root, scratch, seed, print } = task
  const sources = new Map(task.sources.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
  const parsed = new Map<string, Mutable>([...sources].map(([path, source]) => [path, findMutants(path, source)]))
  const all = [...parsed].flatMap(([path, { mutants }]) => mutants.map((mutant) => ({ ...mutant, path })))
  const chosen = drawn(all, task.count, seed).map((mutant, index): NumberedMutant => ({ ...mutant, id: index + 1 }))
  print(`seed ${seed} draws ${chosen.length} of ${all.length} mutants in ${sources.size} files`)

  const tree = join(scratch, 'tree')
  copyTree(root, tree)
  writeConfig(tree, runner, sequencer, existsSync(join(root, 'vitest.config.ts')))
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
    print,
  }
  const coverage = await cover(bench)
  const keys = new Map(chosen.map((mutant) => [mutant.id, keyOf(mutant, sources, coverage, root)]))
  const keyed = (id: number): string => keys.get(id) ?? ''
  const known = (mutant: NumberedMutant): Verdict | undefined => {
    const cached = task.cache[keyed(mutant.id)]
    return cached === undefined || !('status' in cached) ? undefined : { mutant, status: cached.status, by: cached.by }
  }
  const heldBefore = chosen.flatMap(({ id }): readonly [number, readonly string[]][] => {
    const cached = task.cache[keyed(id)]
    return cached !== undefined && 'held' in cached ? [[id, cached.held]] : []
  })
  const open = chosen.filter((mutant) => known(mutant) === undefined)
  print(`${coverage.length} test files run; ${chosen.length - open.length} mutants known from an earlier run`)

  const rememberSoFar = (): void => {
    const { found, held } = judgedSoFar(bench)
    task.remember({
      ...Object.fromEntries([...held].map(([id, tests]) => [keyed(id), { held: tests }])),
      ...Object.fromEntries(
        found.map(({ id, how, file, test }) => [keyed(id), { status: how, by: `${file} > ${test}` }]),
      ),
    })
  }
  const timer = setInterval(rememberSoFar, REMEMBERED_EVERY)
  try {
    const judged = new Map(
      (await judge(bench, open, coverage, new Map(heldBefore))).map((verdict) => [verdict.mutant.id, verdict]),
    )
    rememberSoFar()
    const verdicts = chosen.flatMap((mutant) => judged.get(mutant.id) ?? known(mutant) ?? [])
    task.remember(Object.fromEntries(verdicts.map(({ mutant, status, by }) => [keyed(mutant.id), { status, by }])))
    return { verdicts, textOf: textIn(sources) }
  } finally {
    clearInterval(timer)
  }
}

const textIn =
  (sources: ReadonlyMap<string, string>): Result['textOf'] =>
  ({ path, start, end, replacement }) => ({
    before: oneLine((sources.get(path) ?? '').slice(start, end)),
    after: oneLine(replacement),
  })

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
  return hashTexts(path, sources.get(path) ?? '', `${start}-${end}`, replacement, ...texts)
}
