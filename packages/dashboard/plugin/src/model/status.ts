import { type ConditionRow, findConditionRow, isTrue } from './conditions.ts'
import { isDeleting } from './read.ts'

export type Tone = 'success' | 'warning' | 'error' | ''

/** The state of an object as a code, which the page translates, with the controller's message for the tooltip. */
export interface Status<Code extends string> {
  readonly code: Code
  readonly tone: Tone
  readonly detail: string
}

export const CLAIM_CODES = [
  'Launching',
  'Registering',
  'Initializing',
  'Ready',
  'NotReady',
  'Failed',
  'Draining',
  'WaitingForVolumes',
  'Terminating',
] as const
export type ClaimCode = (typeof CLAIM_CODES)[number]

const conditionDetail = (condition: ConditionRow | undefined): string =>
  condition === undefined ? '' : condition.message || (condition.reason === condition.type ? '' : condition.reason)

/** Returns the first incomplete step in the lifecycle of a NodeClaim, regardless of the order of its conditions. */
export const claimStatus = (claim: unknown): Status<ClaimCode> => {
  if (isDeleting(claim)) {
    const drained = findConditionRow(claim, 'Drained')
    if (drained !== undefined && drained.status !== 'True')
      return { code: 'Draining', tone: 'warning', detail: conditionDetail(drained) }
    const volumes = findConditionRow(claim, 'VolumesDetached')
    if (drained !== undefined && volumes !== undefined && volumes.status !== 'True') {
      return { code: 'WaitingForVolumes', tone: 'warning', detail: conditionDetail(volumes) }
    }
    return {
      code: 'Terminating',
      tone: 'warning',
      detail: conditionDetail(findConditionRow(claim, 'InstanceTerminating')),
    }
  }
  const steps = [
    ['Launched', 'Launching'],
    ['Registered', 'Registering'],
    ['Initialized', 'Initializing'],
  ] as const
  for (const [type, code] of steps) {
    const step = findConditionRow(claim, type)
    if (step?.status === 'True') continue
    return step?.status === 'False'
      ? { code: 'Failed', tone: 'error', detail: `${type}: ${conditionDetail(step)}` }
      : { code, tone: 'warning', detail: conditionDetail(step) }
  }
  const ready = findConditionRow(claim, 'Ready')
  return ready?.status === 'False'
    ? { code: 'NotReady', tone: 'error', detail: conditionDetail(ready) }
    : { code: 'Ready', tone: 'success', detail: '' }
}

export const CLAIM_FLAGS = ['Drifted', 'Consolidatable', 'Disrupting', 'Inconsistent'] as const
export type ClaimFlag = (typeof CLAIM_FLAGS)[number]

/**
 * Returns the true conditions of a NodeClaim in addition to its step: drifted, being disrupted, consolidatable,
 * inconsistent.
 */
export const claimFlags = (
  claim: unknown,
): readonly { readonly flag: ClaimFlag; readonly tone: Tone; readonly detail: string }[] => {
  const flags: { flag: ClaimFlag; tone: Tone; detail: string }[] = []
  const note = (type: string, flag: ClaimFlag, tone: Tone): void => {
    if (isTrue(claim, type)) flags.push({ flag, tone, detail: conditionDetail(findConditionRow(claim, type)) })
  }
  note('DisruptionReason', 'Disrupting', 'warning')
  note('Drifted', 'Drifted', 'warning')
  note('Consolidatable', 'Consolidatable', '')
  const consistent = findConditionRow(claim, 'ConsistentStateFound')
  if (consistent?.status === 'False')
    flags.push({ flag: 'Inconsistent', tone: 'error', detail: conditionDetail(consistent) })
  return flags
}

export const READY_CODES = ['Ready', 'NotReady', 'Pending', 'Terminating', 'Unhealthy'] as const
export type ReadyCode = (typeof READY_CODES)[number]

/**
 * Returns the state of an object with a `Ready` condition, such as a NodePool, NodeClass or NodeOverlay. A NodePool
 * whose nodes fail to register has its own state.
 */
export const readyStatus = (object: unknown, root = 'Ready'): Status<ReadyCode> => {
  if (isDeleting(object)) return { code: 'Terminating', tone: 'warning', detail: '' }
  const ready = findConditionRow(object, root)
  if (ready === undefined || ready.status === 'Unknown')
    return { code: 'Pending', tone: 'warning', detail: conditionDetail(ready) }
  if (ready.status === 'False') return { code: 'NotReady', tone: 'error', detail: conditionDetail(ready) }
  const healthy = findConditionRow(object, 'NodeRegistrationHealthy')
  if (healthy?.status === 'False') return { code: 'Unhealthy', tone: 'warning', detail: conditionDetail(healthy) }
  return { code: 'Ready', tone: 'success', detail: '' }
}

/** A fact that a NodeClaim's chip can show: the claim's step, or another true condition. */
export type ClaimSign =
  | ({ readonly kind: 'step'; readonly code: ClaimCode } & Omit<Status<ClaimCode>, 'code'>)
  | { readonly kind: 'flag'; readonly code: ClaimFlag; readonly tone: Tone; readonly detail: string }

const SEVERITY: Readonly<Record<Tone, number>> = { '': 0, success: 0, warning: 1, error: 2 }

/** Returns the tone of the most severe sign of a claim. The first sign is not always the most severe one. */
export const worstTone = (signs: readonly Pick<ClaimSign, 'tone'>[]): Exclude<Tone, ''> => {
  const worst = Math.max(0, ...signs.map(({ tone }) => SEVERITY[tone]))
  return worst === 2 ? 'error' : worst === 1 ? 'warning' : 'success'
}

/** Ranks conditions of equal severity. Those that need action come first. */
const FLAG_RANK: Readonly<Record<ClaimFlag, number>> = { Disrupting: 4, Inconsistent: 3, Drifted: 2, Consolidatable: 0 }

/**
 * Returns everything that a claim's chip can show, the most important first: a failed or incomplete step, then upcoming
 * actions on the node. Ready comes after these, and Consolidatable is always last.
 */
export const claimSigns = (claim: unknown): readonly [ClaimSign, ...ClaimSign[]] => {
  const step: ClaimSign = { kind: 'step', ...claimStatus(claim) }
  const flags = claimFlags(claim).map(
    ({ flag, tone, detail }): ClaimSign => ({ kind: 'flag', code: flag, tone, detail }),
  )
  const rankOf = (sign: ClaimSign): number =>
    sign.kind === 'flag' ? FLAG_RANK[sign.code] : sign.code === 'Ready' ? 1 : 5
  const [first = step, ...others] = [step, ...flags].sort((a, b) => rankOf(b) - rankOf(a))
  return [first, ...others]
}

/** Returns the codes of all signs of a claim, for filters. They do not depend on the language, because the address contains them. */
export const signCodes = (claim: unknown): readonly string[] => claimSigns(claim).map(({ code }) => code)
