import type { Pod } from '@kerf/apis'

/** Returns `namespace/name`. Also works for incomplete pods. */
export const podName = (pod: Pod): string => `${pod.metadata?.namespace ?? 'default'}/${pod.metadata?.name ?? ''}`

/** Returns the namespace of a pod. A pod that is read from a file might not have a namespace. */
export const podNamespace = (pod: Pod): string => pod.metadata.namespace ?? 'default'
