import { groupVersion, type KubeObject, kinds, type PriorityClass, type ResourceKind, type Service } from '@kerf/apis'
import { systemNamespaces } from '../operations/namespaces.ts'

interface SystemObject {
  readonly kind: ResourceKind
  readonly object: KubeObject
}

const namespaceNamed = (name: string): SystemObject => ({
  kind: kinds.Namespace,
  object: { apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
})

const priorityClass = (name: string, value: number, description: string): SystemObject => {
  const object: PriorityClass & { readonly description: string } = {
    apiVersion: groupVersion(kinds.PriorityClass),
    kind: 'PriorityClass',
    metadata: { name },
    value,
    description,
  }
  return { kind: kinds.PriorityClass, object }
}

const apiService: Service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'kubernetes', namespace: 'default', labels: { component: 'apiserver', provider: 'kubernetes' } },
  spec: { clusterIP: '10.96.0.1', ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: 6443 }] },
}

/**
 * The objects of every new cluster, in the order of creation: the system namespaces, the system priority classes and the API's own
 * service.
 */
export const systemObjects: readonly SystemObject[] = [
  ...systemNamespaces.map(namespaceNamed),
  priorityClass(
    'system-cluster-critical',
    2_000_000_000,
    'For the pods a cluster cannot work without; they may move to another node.',
  ),
  priorityClass('system-node-critical', 2_000_001_000, 'For the pods a node cannot work without.'),
  { kind: kinds.Service, object: apiService },
]
