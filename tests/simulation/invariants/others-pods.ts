import { annotations, type Pod } from '@kerf/apis'

/** Reports whether another autoscaler serves the pod. */
export const isOfOthers = ({ metadata }: Pod): boolean =>
  metadata.annotations?.[annotations.servedBy] === 'cluster-autoscaler'
