import type { Suite } from '../suite.ts'
import { type ImportGraph, reached } from './import-graph.ts'

/** A test file of a suite, with the data on which its selection depends. */
export interface SuiteFile {
  readonly file: string
  readonly suite: Suite
}

/** The reasons to run an expensive test file. The most important reason comes first. */
export type Reason =
  | { readonly kind: 'changed'; readonly path: string }
  | { readonly kind: 'input'; readonly path: string }
  | { readonly kind: 'import'; readonly path: string; readonly distance: number }
  | { readonly kind: 'rotation' }

export interface Choice extends SuiteFile {
  readonly reason: Reason
  /** The expected increase in the duration of the run. */
  readonly wallSeconds: number
}

export interface Choices {
  readonly chosen: readonly Choice[]
  /** Files that the change can affect but that exceed the budget. The nightly run must include them. */
  readonly leftToNightly: readonly Choice[]
}

const SHARED_FOLDERS = ['providers/contract/', 'providers/kit/']

/**
 * Returns the test files that belong to a suite, in the order of the suites. If several suites list a file, it belongs to the first one.
 */
export const suiteFiles = (suites: readonly Suite[], testFiles: readonly string[]): readonly SuiteFile[] => {
  const found = new Map<string, SuiteFile>()
  for (const suite of suites) {
    const { files, except = [] } = suite
    for (const file of testFiles) {
      const isIn = (name: string): boolean => (name.endsWith('/') ? file.startsWith(name) : file === name)
      if (files.some(isIn) && !except.some(isIn) && !found.has(file)) found.set(file, { file, suite })
    }
  }
  return [...found.values()]
}

/**
 * Reports whether a path is in the folder of a provider that the suite does not use. Returns false if the suite does not list its
 * providers.
 */
const isOtherProvider = ({ providers }: Suite, path: string): boolean => {
  if (providers === undefined || !path.startsWith('providers/')) return false
  if (SHARED_FOLDERS.some((folder) => path.startsWith(folder))) return false
  return !providers.some((provider) => path.startsWith(`providers/${provider}/`))
}

const isBelow = (name: string, path: string): boolean => (name.endsWith('/') ? path.startsWith(name) : path === name)

/** Returns the most important reason for which the changed files may affect the test file, or undefined if they cannot affect it. */
const reasonFor = ({ file, suite }: SuiteFile, changed: readonly string[], graph: ImportGraph): Reason | undefined => {
  if (changed.includes(file)) return { kind: 'changed', path: file }
  const input = changed.find((path) => suite.inputs.some((name) => isBelow(name, path)))
  if (input !== undefined) return { kind: 'input', path: input }
  const distances = reached(graph, [file, ...suite.runs], (path) => isOtherProvider(suite, path))
  const folders = [...distances].filter(([path]) => path.endsWith('/'))
  let nearest: { readonly path: string; readonly distance: number } | undefined
  for (const path of changed) {
    const distance = distances.get(path) ?? folders.find(([folder]) => path.startsWith(folder))?.[1]
    if (distance !== undefined && (nearest === undefined || distance < nearest.distance)) nearest = { path, distance }
  }
  return nearest === undefined ? undefined : { kind: 'import', ...nearest }
}

const RANK: Readonly<Record<Reason['kind'], number>> = { changed: 0, input: 1, import: 2, rotation: 3 }

/** Orders test files by the importance of the reason, then by duration, shortest first. */
const byPriority = (a: Choice, b: Choice): number =>
  RANK[a.reason.kind] - RANK[b.reason.kind] || a.wallSeconds - b.wallSeconds || (a.file < b.file ? -1 : 1)

/**
 * The number of groups in the rotation. Each commit runs one group of unaffected files, so each file runs about once per this many commits.
 */
const ROTATION = 10

/** Returns the group of the text, from 0 to 9, by its FNV-1a hash. The text is made of the file and the commit. */
const turn = (text: string): number => {
  let hash = 0x811c9dc5
  for (const character of text) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193) >>> 0
  return (hash >>> 8) % ROTATION
}

export interface ChoiceOptions {
  readonly suites: readonly Suite[]
  readonly testFiles: readonly string[]
  readonly changed: readonly string[]
  readonly graph: ImportGraph
  /** The commit under test. It determines which tenth of the unaffected files runs. */
  readonly commit: string
  /** Returns the duration of a file in a run, in seconds of wall time. */
  wallSeconds(file: string): number
  /** The budget for all chosen files, in seconds of wall time. */
  readonly budgetSeconds: number
}

/**
 * Returns the expensive test files to run for a change, the most important first, and those that exceed the budget and run only in the
 * nightly run.
 */
export const chooseFiles = (options: ChoiceOptions): Choices => {
  const { suites, testFiles, changed, graph, commit, budgetSeconds } = options
  const wanted = suiteFiles(suites, testFiles).flatMap((each): readonly Choice[] => {
    const reason =
      reasonFor(each, changed, graph) ?? (turn(`${commit} ${each.file}`) === 0 ? { kind: 'rotation' } : undefined)
    return reason === undefined ? [] : [{ ...each, reason, wallSeconds: options.wallSeconds(each.file) }]
  })
  const chosen: Choice[] = []
  const leftToNightly: Choice[] = []
  let left = budgetSeconds
  for (const choice of wanted.toSorted(byPriority)) {
    if (choice.wallSeconds <= left) {
      chosen.push(choice)
      left -= choice.wallSeconds
    } else leftToNightly.push(choice)
  }
  return { chosen, leftToNightly }
}
