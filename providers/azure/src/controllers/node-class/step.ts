import type { ConditionChange } from '@kerf/apis'
import type { Step as StepOf, StepResult as StepResultOf } from '@kerf/provider-kit'
import type { AKSNodeClass } from '../../node-class/aks-node-class.ts'

export { toStepCause } from '../../failures/step-cause.ts'

/** Resolves one part of an AKSNodeClass. */
export type Step = StepOf<AKSNodeClass>
export type StepResult = StepResultOf<AKSNodeClass>

export const MINUTE = 60_000

export const good = (type: string, message?: string): ConditionChange => ({
  ...{ type, status: 'True' },
  ...(message === undefined ? {} : { message }),
})
export const bad = (type: string, reason: string, message: string): ConditionChange => ({
  ...{ type, status: 'False', reason, message },
})
