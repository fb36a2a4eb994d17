import type { Pod } from '@kerf/apis'

/** A pod that comes with its node and goes with it. */
export const isOfDaemonSet = ({ metadata }: Pod): boolean =>
  metadata.ownerReferences?.some(({ kind, controller }) => kind === 'DaemonSet' && controller === true) === true
