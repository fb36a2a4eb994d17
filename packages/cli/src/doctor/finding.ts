import type { CheckGroup, Severity, Verdict } from '@kerf/provider-contract'
import { undecided } from '@kerf/provider-kit/doctor'
import type { Audit } from './audit.ts'
import type { Check } from './check.ts'

/** Status of a finding. `skipped` means that the check had no result; `seen` gives the reason. */
export type FindingStatus = 'fail' | 'warn' | 'info' | 'pass' | 'skipped'

/** The result of one check, as `kerf doctor -o json` prints it. */
export interface Finding {
  readonly id: string
  readonly group: CheckGroup
  readonly title: string
  readonly status: FindingStatus
  readonly severity: Severity
  readonly objects: readonly string[]
  readonly seen: string
  readonly why: string
  /** Empty if there is nothing to do. */
  readonly remedy: string
}

const statusBySeverity: Readonly<Record<Severity, FindingStatus>> = {
  critical: 'fail',
  warning: 'warn',
  information: 'info',
}

const checkFinding = ({ id, group, title, severity, why }: Check, verdict: Verdict): Finding => {
  const check = { id, group, title, severity, why }
  switch (verdict.kind) {
    case 'in-order':
      return { ...check, status: 'pass', objects: [], seen: verdict.seen, remedy: '' }
    case 'undecided':
      return { ...check, status: 'skipped', objects: [], seen: verdict.why, remedy: '' }
    case 'found': {
      const { objects, seen, remedy, severity: own = severity } = verdict
      return { ...check, severity: own, status: statusBySeverity[own], objects, seen, remedy }
    }
  }
}

/**
 * Runs a check. If it throws, only this check is skipped. Objects in files are not validated, so a malformed object can make a
 * check throw.
 */
const examined = (check: Check, audit: Audit): Verdict => {
  try {
    return check.examine(audit)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { kind: 'undecided', why: `an object does not match its API (${why})` }
  }
}

/**
 * Returns the verdict of a check. Skips the check if the objects of a resource kind in `reads` are unknown. Also skips it if it found no
 * problem but used a kind whose objects could not be read, because those objects may have the problem.
 */
const checkVerdict = (check: Check, audit: Audit): Verdict => {
  const unknown = check.reads.flatMap((kind) => audit.unknown(kind) ?? [])
  if (unknown.length > 0) return undecidedBecause(unknown)
  const { result, kinds } = audit.objects.derive(() => examined(check, audit))
  const unread = [...kinds].flatMap((kind) => audit.unread(kind) ?? [])
  return result.kind === 'in-order' && unread.length > 0 ? undecidedBecause(unread) : result
}

const undecidedBecause = (reasons: readonly string[]): Verdict => undecided([...new Set(reasons)].join('; '))

/** Returns one finding for each check, in the order of the checks. */
export const auditFindings = (audit: Audit, checks: readonly Check[]): readonly Finding[] =>
  checks.map((check) => checkFinding(check, checkVerdict(check, audit)))

/** Values of `--fail-on`: the lowest severity for which `kerf doctor` exits with code 3. */
export const failLevels = ['critical', 'warning', 'information', 'never'] as const
export type FailLevel = (typeof failLevels)[number]

const counting: Readonly<Record<FailLevel, readonly FindingStatus[]>> = {
  critical: ['fail'],
  warning: ['fail', 'warn'],
  information: ['fail', 'warn', 'info'],
  never: [],
}

/**
 * Returns the exit code of `kerf doctor`: 3 if there is a finding of severity `failOn` or higher
 * (`docs/spec/coexistence.md#kerf-doctor`), otherwise 0.
 */
export const findingsExitCode = (findings: readonly Finding[], failOn: FailLevel): 0 | 3 =>
  findings.some(({ status }) => counting[failOn].includes(status)) ? 3 : 0
