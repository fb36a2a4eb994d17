import { type Taint, type TaintEffect, type Toleration, untoleratedTaint } from '@kerf/apis'

/** The first taint with one of the effects that nothing tolerates. */
export const untolerated = (
  taints: readonly Taint[] | undefined,
  tolerations: readonly Toleration[] | undefined,
  effects: readonly TaintEffect[],
): Taint | undefined => untoleratedTaint(taints?.filter(({ effect }) => effects.includes(effect)) ?? [], tolerations)

/** The effects that keep a pod from being placed. */
export const SCHEDULING_EFFECTS: readonly TaintEffect[] = ['NoSchedule', 'NoExecute']
