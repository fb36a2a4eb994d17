import type { Audit } from './audit.ts'
import type { Check, CheckGroup, Severity, Verdict } from './check.ts'

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

/** The findings of all checks, in their order; one for each. */
export const findingsOf = (audit: Audit, checks: readonly Check[]): readonly Finding[] =>
  checks.map((check) => {
    const unknown = check.reads.flatMap((kind) => audit.unknown(kind) ?? [])
    return findingOf(
      check,
      unknown.length === 0 ? examined(check, audit) : { kind: 'undecided', why: [...new Set(unknown)].join('; ') },
    )
  })

/** The exit code of `kerf doctor`: the worst that was found (`docs/spec/coexistence.md#kerf-doctor`). */
export const exitCodeOf = (findings: readonly Finding[]): 0 | 1 | 2 => {
  if (findings.some(({ status }) => status === 'fail')) return 2
  return findings.some(({ status }) => status === 'warn') ? 1 : 0
}
