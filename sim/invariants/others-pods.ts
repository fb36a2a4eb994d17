import { annotations, type Pod } from '@kerf/apis'

/** Whether another autoscaler serves the pod. */
export const isOfOthers = ({ metadata }: Pod): boolean =>
  metadata.annotations?.[annotations.servedBy] === 'cluster-autoscaler'
