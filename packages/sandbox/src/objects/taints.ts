import { type Taint, type TaintEffect, type Toleration, untoleratedTaint } from '@kerf/apis'

/** Returns the first taint that has one of the effects and that the pod does not tolerate. */
export const untolerated = (
  taints: readonly Taint[] | undefined,
  tolerations: readonly Toleration[] | undefined,
  effects: readonly TaintEffect[],
): Taint | undefined => untoleratedTaint(taints?.filter(({ effect }) => effects.includes(effect)) ?? [], tolerations)

/** The effects that prevent a pod from being scheduled. */
export const SCHEDULING_EFFECTS: readonly TaintEffect[] = ['NoSchedule', 'NoExecute']
