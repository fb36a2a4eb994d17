import type { Audit } from './audit.ts'

/** How bad it is when a check finds something: it will break or already does, it may cost something, or it is good to know. */
export type Severity = 'critical' | 'warning' | 'information'

/** The parts of a report, in its order. */
export const checkGroups = ['coexistence', 'controller', 'pools', 'workloads', 'cloud'] as const
export type CheckGroup = (typeof checkGroups)[number]

/** What a check says of a cluster. */
export type Verdict =
  | { readonly kind: 'in-order'; readonly seen: string }
  | {
      readonly kind: 'found'
      /** The objects concerned, as `Kind name` or `Kind namespace/name`. */
      readonly objects: readonly string[]
      /** What was seen, as a sentence without a full stop. */
      readonly seen: string
      /** What to do, as a command where there is one. */
      readonly remedy: string
      /** Where it differs from that of the check. */
      readonly severity?: Severity
    }
  /** It cannot be decided, because something is not known. */
  | { readonly kind: 'undecided'; readonly why: string }

/** One question that `kerf doctor` puts to a cluster. Its id never changes and is never used again. */
export interface Check {
  readonly id: string
  readonly group: CheckGroup
  readonly severity: Severity
  /** What is looked for, in a few words. */
  readonly title: string
  /** What it is about, why that matters, and what it is worth: what `--explain` prints. */
  readonly why: string
  /** Kinds without which nothing can be said. In files there has to be at least one object of each. */
  readonly reads: readonly string[]
  /** Pure: the audit holds all there is. */
  examine(audit: Audit): Verdict
}

export const inOrder = (seen: string): Verdict => ({ kind: 'in-order', seen })

export const undecided = (why: string): Verdict => ({ kind: 'undecided', why })

/** Something when there are objects, else in order. */
export const foundAny = (
  objects: readonly string[],
  found: { readonly seen: string; readonly remedy: string; readonly severity?: Severity },
  otherwise: string,
): Verdict => (objects.length === 0 ? inOrder(otherwise) : { kind: 'found', objects, ...found })
