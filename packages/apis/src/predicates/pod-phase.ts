import type { Pod } from '../kubernetes/pod.ts'

/** Returns whether the pod is bound to a node. */
export const isScheduled = (pod: Pod): boolean => (pod.spec.nodeName ?? '') !== ''

/** Returns whether the pod is Succeeded or Failed. Such a pod does not run again, and uses no resources of its node. */
export const isTerminal = (pod: Pod): boolean => pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed'

/** Returns whether the pod is being deleted. It may still run until its grace period ends. */
export const isTerminating = (pod: Pod): boolean => pod.metadata.deletionTimestamp !== undefined

/** Returns whether the pod is neither terminal nor terminating. Controllers count only active pods as replicas. */
export const isActive = (pod: Pod): boolean => !isTerminal(pod) && !isTerminating(pod)
