import { annotations, type Pod } from '@kerf/apis'

/** Reports whether another autoscaler is responsible for the pod. */
export const isOfOthers = ({ metadata }: Pod): boolean =>
  metadata.annotations?.[annotations.servedBy] === 'cluster-autoscaler'
