import type { Mutant } from './mutators.ts'

export interface NumberedMutant extends Mutant {
  readonly id: number
  /** The path relative to the root. */
  readonly path: string
}

interface Span {
  readonly start: number
  readonly end: number
  readonly mutants: NumberedMutant[]
  readonly inner: Span[]
}

/**
 * The switch that all instrumented files of a process share. `active` is the current mutant, or 0. `reached` collects the mutants that were
 * executed. `budget` limits the number of executions, to stop mutants that cause endless loops.
 */
export interface MutationSwitch {
  active: number
  reached: Set<number> | undefined
  passed: number
  budget: number
  exhausted: boolean
}

// This code stays on one line, so that the line numbers of the file do not change.
const prelude =
  'const __kerfSwitch = (globalThis.__kerfMutation ??= { active: Number(process.env.KERF_MUTATION_ACTIVE ?? 0), reached: undefined, passed: 0, budget: Infinity, exhausted: false });' +
  'function __kerfMutant(id) { if (++__kerfSwitch.passed > __kerfSwitch.budget) { __kerfSwitch.exhausted = true; throw new Error("the mutant does not end") } __kerfSwitch.reached?.add(id); return __kerfSwitch.active === id };'

const mutantTree = (mutants: readonly NumberedMutant[], length: number): Span => {
  const root: Span = { start: 0, end: length, mutants: [], inner: [] }
  const open: Span[] = [root]
  const sorted = mutants.toSorted((one, other) => one.start - other.start || other.end - one.end)
  for (const mutant of sorted) {
    let top = open.at(-1) ?? root
    while (top !== root && top.end <= mutant.start) {
      open.pop()
      top = open.at(-1) ?? root
    }
    if (top !== root && top.start === mutant.start && top.end === mutant.end) {
      top.mutants.push(mutant)
      continue
    }
    const span: Span = { start: mutant.start, end: mutant.end, mutants: [mutant], inner: [] }
    top.inner.push(span)
    open.push(span)
  }
  return root
}

/**
 * Returns the file with all its mutants compiled in, each behind the switch. `statements` contains the start positions of expression
 * statements.
 */
export const instrumented = (
  source: string,
  mutants: readonly NumberedMutant[],
  statements: ReadonlySet<number>,
): string => {
  const inside = (span: Span): string => {
    let text = ''
    let at = span.start
    for (const child of span.inner) {
      text += source.slice(at, child.start) + render(child)
      at = child.end
    }
    return text + source.slice(at, span.end)
  }
  const render = (span: Span): string => {
    const original = inside(span)
    const block = span.mutants.find(({ kind }) => kind === 'block')
    if (block !== undefined) return `{if(__kerfMutant(${block.id})){}else${original}}`
    const choices = span.mutants.map(({ id, replacement }) => `__kerfMutant(${id})?(${replacement}):`).join('')
    // The code has no semicolons at line ends, so a line that starts with a parenthesis would be parsed as a call of the previous
    // expression.
    return `${statements.has(span.start) ? ';' : ''}(${choices}(${original}))`
  }
  return prelude + inside(mutantTree(mutants, source.length))
}
