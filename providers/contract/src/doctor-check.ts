import type { Audit } from './audit.ts'

/** Severity of a finding. Critical: something breaks or will break. Warning: it may cost something. Information: it is good to know. */
export type Severity = 'critical' | 'warning' | 'information'

/** The sections of a report, in order. */
export const checkGroups = ['coexistence', 'controller', 'pools', 'workloads', 'cloud'] as const
export type CheckGroup = (typeof checkGroups)[number]

/** The result of one check. */
export type Verdict =
  | { readonly kind: 'in-order'; readonly seen: string }
  | {
      readonly kind: 'found'
      /** The affected objects, as `Kind name` or `Kind namespace/name`. */
      readonly objects: readonly string[]
      /** What the check found, as a sentence without a full stop. */
      readonly seen: string
      /** What to do, as a command if there is one. */
      readonly remedy: string
      /** Set if it differs from the severity of the check. */
      readonly severity?: Severity
    }
  /** The check cannot be decided, because something is unknown. */
  | { readonly kind: 'undecided'; readonly why: string }

/** One check of `kerf doctor`. Its id never changes and is never reused. */
export interface Check {
  readonly id: string
  readonly group: CheckGroup
  readonly severity: Severity
  /** What the check looks for, in a few words. */
  readonly title: string
  /** What the check is about and why it matters. `--explain` prints this text. */
  readonly why: string
  /** Kinds that the check needs. In files, there must be at least one object of each. */
  readonly reads: readonly string[]
  /** Runs the check. It is a pure function of the audit. */
  examine(audit: Audit): Verdict
}

export const inOrder = (seen: string): Verdict => ({ kind: 'in-order', seen })

export const undecided = (why: string): Verdict => ({ kind: 'undecided', why })

/** Returns a verdict `found` if there are objects, otherwise `in-order`. */
export const foundAny = (
  objects: readonly string[],
  found: { readonly seen: string; readonly remedy: string; readonly severity?: Severity },
  otherwise: string,
): Verdict => (objects.length === 0 ? inOrder(otherwise) : { kind: 'found', objects, ...found })
