import type { Pod } from '@kerf/apis'

/** Reports whether a DaemonSet owns the pod. Such a pod lives as long as its node. */
export const isOfDaemonSet = ({ metadata }: Pod): boolean =>
  metadata.ownerReferences?.some(({ kind, controller }) => kind === 'DaemonSet' && controller === true) === true
