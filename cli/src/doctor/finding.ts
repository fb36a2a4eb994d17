import type { Audit } from './audit.ts'
import { type Check, type CheckGroup, type Severity, undecided, type Verdict } from './check.ts'

/** `skipped`: it could not be decided; `seen` says why. */
export type FindingStatus = 'fail' | 'warn' | 'info' | 'pass' | 'skipped'

/** What one check says, as `kerf doctor -o json` prints it. */
export interface Finding {
  readonly id: string
  readonly group: CheckGroup
  readonly title: string
  readonly status: FindingStatus
  readonly severity: Severity
  readonly objects: readonly string[]
  readonly seen: string
  readonly why: string
  /** Empty where nothing has to be done. */
  readonly remedy: string
}

const statusOf: Readonly<Record<Severity, FindingStatus>> = { critical: 'fail', warning: 'warn', information: 'info' }

const findingOf = ({ id, group, title, severity, why }: Check, verdict: Verdict): Finding => {
  const check = { id, group, title, severity, why }
  switch (verdict.kind) {
    case 'in-order':
      return { ...check, status: 'pass', objects: [], seen: verdict.seen, remedy: '' }
    case 'undecided':
      return { ...check, status: 'skipped', objects: [], seen: verdict.why, remedy: '' }
    case 'found': {
      const { objects, seen, remedy, severity: own = severity } = verdict
      return { ...check, severity: own, status: statusOf[own], objects, seen, remedy }
    }
  }
}

/** Objects of files were checked by nobody: one that is not as its API says stops the check that meets it, and no other. */
const examined = (check: Check, audit: Audit): Verdict => {
  try {
    return check.examine(audit)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { kind: 'undecided', why: `an object is not as its API says (${why})` }
  }
}

/**
 * What the check says. It is undecided if a kind that it reads is not known, and if it found nothing but asked for a kind that
 * could not be read: nothing is in order that was not looked at.
 */
const verdictOf = (check: Check, audit: Audit): Verdict => {
  const unknown = check.reads.flatMap((kind) => audit.unknown(kind) ?? [])
  if (unknown.length > 0) return undecidedBecause(unknown)
  const { result, kinds } = audit.objects.derive(() => examined(check, audit))
  const unread = [...kinds].flatMap((kind) => audit.unread(kind) ?? [])
  return result.kind === 'in-order' && unread.length > 0 ? undecidedBecause(unread) : result
}

const undecidedBecause = (reasons: readonly string[]): Verdict => undecided([...new Set(reasons)].join('; '))

/** The findings of all checks, in their order; one for each. */
export const findingsOf = (audit: Audit, checks: readonly Check[]): readonly Finding[] =>
  checks.map((check) => findingOf(check, verdictOf(check, audit)))

/** From which severity on findings end `kerf doctor` with exit code 3. */
export const failLevels = ['critical', 'warning', 'information', 'never'] as const
export type FailLevel = (typeof failLevels)[number]

const counting: Readonly<Record<FailLevel, readonly FindingStatus[]>> = {
  critical: ['fail'],
  warning: ['fail', 'warn'],
  information: ['fail', 'warn', 'info'],
  never: [],
}

/** The exit code of `kerf doctor`: 3 if something of the severity, or worse, was found (`docs/spec/coexistence.md#kerf-doctor`). */
export const exitCodeOf = (findings: readonly Finding[], failOn: FailLevel): 0 | 3 =>
  findings.some(({ status }) => counting[failOn].includes(status)) ? 3 : 0
