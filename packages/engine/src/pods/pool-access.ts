import { type LabelSelector, matchesLabelSelector, type Pod } from '@kerf/apis'
import type { PoolAccess } from '../snapshot.ts'
import { podNamespace } from './pod-name.ts'

const DEFAULT_SCHEDULER = 'default-scheduler'

type Labels = Readonly<Record<string, string>> | undefined

/** Returns the labels of a namespace, or `undefined` if the namespace is not known. */
export type NamespaceLabels = (name: string) => { readonly labels: Labels } | undefined

/** The reason why a pod must not use a NodePool. */
export type AccessRefusal =
  | { readonly code: 'access.namespace'; readonly namespace: string }
  | { readonly code: 'access.scheduler'; readonly schedulerName: string }

/**
 * Returns the reason why a pod must not use the nodes of a NodePool, or `undefined` if the pod may use them
 * (`docs/spec/policies.md#access`). A pod whose namespace is not known must not use a NodePool that selects namespaces.
 */
export const accessRefusal = (
  { namespaceSelector, schedulerNames }: PoolAccess,
  pod: Pod,
  namespaceLabels: NamespaceLabels,
): AccessRefusal | undefined => {
  const namespace = podNamespace(pod)
  if (namespaceSelector !== undefined && !isSelected(namespaceSelector, namespaceLabels(namespace)))
    return { code: 'access.namespace', namespace }
  const schedulerName = pod.spec.schedulerName ?? DEFAULT_SCHEDULER
  return schedulerNames === undefined || schedulerNames.includes(schedulerName)
    ? undefined
    : { code: 'access.scheduler', schedulerName }
}

const isSelected = (selector: LabelSelector, namespace: ReturnType<NamespaceLabels>): boolean =>
  namespace !== undefined && matchesLabelSelector(selector, namespace.labels)
