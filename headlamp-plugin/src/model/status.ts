import { conditionOf, type ConditionRow, isTrue } from './conditions.ts'
import { isDeleting } from './read.ts'

export type Tone = 'success' | 'warning' | 'error' | ''

/** What an object is at, as a code that the page translates, and the controller's own words for the tooltip. */
export interface Status<Code extends string> {
  readonly code: Code
  readonly tone: Tone
  readonly detail: string
}

export type ClaimCode =
  | 'Launching'
  | 'Registering'
  | 'Initializing'
  | 'Ready'
  | 'NotReady'
  | 'Failed'
  | 'Draining'
  | 'WaitingForVolumes'
  | 'Terminating'

const wordsOf = (condition: ConditionRow | undefined): string =>
  condition === undefined ? '' : condition.message || (condition.reason === condition.type ? '' : condition.reason)

/** The step a claim is at: the first that is not done, in the order of its life, whatever the order of its conditions. */
export const claimStatus = (claim: unknown): Status<ClaimCode> => {
  if (isDeleting(claim)) {
    const drained = conditionOf(claim, 'Drained')
    if (drained !== undefined && drained.status !== 'True')
      return { code: 'Draining', tone: 'warning', detail: wordsOf(drained) }
    const volumes = conditionOf(claim, 'VolumesDetached')
    if (drained !== undefined && volumes !== undefined && volumes.status !== 'True') {
      return { code: 'WaitingForVolumes', tone: 'warning', detail: wordsOf(volumes) }
    }
    return { code: 'Terminating', tone: 'warning', detail: wordsOf(conditionOf(claim, 'InstanceTerminating')) }
  }
  const steps = [
    ['Launched', 'Launching'],
    ['Registered', 'Registering'],
    ['Initialized', 'Initializing'],
  ] as const
  for (const [type, code] of steps) {
    const step = conditionOf(claim, type)
    if (step?.status === 'True') continue
    return step?.status === 'False'
      ? { code: 'Failed', tone: 'error', detail: `${type}: ${wordsOf(step)}` }
      : { code, tone: 'warning', detail: wordsOf(step) }
  }
  const ready = conditionOf(claim, 'Ready')
  return ready?.status === 'False'
    ? { code: 'NotReady', tone: 'error', detail: wordsOf(ready) }
    : { code: 'Ready', tone: 'success', detail: '' }
}

export type Mark = 'Drifted' | 'Consolidatable' | 'Disrupting' | 'Inconsistent'

/** What else is true of a claim. */
export const claimMarks = (
  claim: unknown,
): readonly { readonly mark: Mark; readonly tone: Tone; readonly detail: string }[] => {
  const marks: { mark: Mark; tone: Tone; detail: string }[] = []
  const note = (type: string, mark: Mark, tone: Tone): void => {
    if (isTrue(claim, type)) marks.push({ mark, tone, detail: wordsOf(conditionOf(claim, type)) })
  }
  note('DisruptionReason', 'Disrupting', 'warning')
  note('Drifted', 'Drifted', 'warning')
  note('Consolidatable', 'Consolidatable', '')
  const consistent = conditionOf(claim, 'ConsistentStateFound')
  if (consistent?.status === 'False') marks.push({ mark: 'Inconsistent', tone: 'error', detail: wordsOf(consistent) })
  return marks
}

export type ReadyCode = 'Ready' | 'NotReady' | 'Pending' | 'Terminating' | 'Unhealthy'

/** Of anything with a `Ready` condition: pools, classes, overlays. A pool whose nodes do not register says so. */
export const readyStatus = (object: unknown, root = 'Ready'): Status<ReadyCode> => {
  if (isDeleting(object)) return { code: 'Terminating', tone: 'warning', detail: '' }
  const ready = conditionOf(object, root)
  if (ready === undefined || ready.status === 'Unknown')
    return { code: 'Pending', tone: 'warning', detail: wordsOf(ready) }
  if (ready.status === 'False') return { code: 'NotReady', tone: 'error', detail: wordsOf(ready) }
  const healthy = conditionOf(object, 'NodeRegistrationHealthy')
  if (healthy?.status === 'False') return { code: 'Unhealthy', tone: 'warning', detail: wordsOf(healthy) }
  return { code: 'Ready', tone: 'success', detail: '' }
}
