import type { KubeObject } from '@kerf/apis'
import type { ApiState } from '../resources/api-state.ts'
import type { Resource } from '../resources/resource.ts'
import { statusErrors } from '../store/status-errors.ts'

export const systemNamespaces = ['default', 'kube-system', 'kube-public', 'kube-node-lease'] as const

const namespaceResource = { group: '', plural: 'namespaces', kind: 'Namespace' }

/** Throws if nothing can be created in the namespace because it is missing or being deleted. */
export const checkNamespaceForCreate = (state: ApiState, resource: Resource, namespace: string, name: string): void => {
  const found: KubeObject | undefined = state.registry.find('', 'v1', 'namespaces')?.collection.get(namespace)
  if (found === undefined) throw statusErrors.notFound(namespaceResource, namespace)
  if (found.metadata.deletionTimestamp === undefined) return
  throw statusErrors.forbidden(
    resource,
    name,
    `unable to create new content in namespace ${namespace} because it is being terminated`,
    [
      {
        reason: 'NamespaceTerminating',
        message: `namespace ${namespace} is being terminated`,
        field: 'metadata.namespace',
      },
    ],
  )
}
