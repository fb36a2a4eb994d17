import type { Pod } from '../kubernetes/pod.ts'

/** Bound to a node. */
export const isScheduled = (pod: Pod): boolean => (pod.spec.nodeName ?? '') !== ''

/** Succeeded or Failed: the pod never runs again and holds nothing of its node. */
export const isTerminal = (pod: Pod): boolean => pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed'

/** Deleted, and perhaps still running until its grace period ends. */
export const isTerminating = (pod: Pod): boolean => pod.metadata.deletionTimestamp !== undefined

/** Neither terminal nor terminating: it counts towards its controller's replicas. */
export const isActive = (pod: Pod): boolean => !isTerminal(pod) && !isTerminating(pod)
