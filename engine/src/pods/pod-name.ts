import type { Pod } from '@kerf/apis'

/** `namespace/name`, also of what is hardly a pod. */
export const podName = (pod: Pod): string => `${pod.metadata?.namespace ?? 'default'}/${pod.metadata?.name ?? ''}`

/** The namespace of a pod; one that is read from a file may have none. */
export const namespaceOf = (pod: Pod): string => pod.metadata.namespace ?? 'default'
