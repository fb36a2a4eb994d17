import type { Pod } from '@kerf/apis'

/** Whether a DaemonSet owns the pod: it lives as long as its node. */
export const isOfDaemonSet = ({ metadata }: Pod): boolean =>
  metadata.ownerReferences?.some(({ kind, controller }) => kind === 'DaemonSet' && controller === true) === true
