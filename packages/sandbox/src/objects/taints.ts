import { type Taint, type TaintEffect, type Toleration, untoleratedTaint } from '@kerf/apis'

/** Returns the first taint with one of the effects that no toleration matches. */
export const untolerated = (
  taints: readonly Taint[] | undefined,
  tolerations: readonly Toleration[] | undefined,
  effects: readonly TaintEffect[],
): Taint | undefined => untoleratedTaint(taints?.filter(({ effect }) => effects.includes(effect)) ?? [], tolerations)

/** The effects that prevent a pod from being scheduled. */
export const SCHEDULING_EFFECTS: readonly TaintEffect[] = ['NoSchedule', 'NoExecute']
