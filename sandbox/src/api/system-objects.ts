import { apiVersionOf, kinds, type PriorityClass, type Service } from '@kerf/apis'
import { systemNamespaces } from './namespaces.ts'
import { administrator } from './request.ts'
import type { SandboxApi } from './sandbox-api.ts'

const request = { identity: administrator }

/** What every cluster holds from its first moment: the system namespaces and priority classes and the API's own service. */
export const createSystemObjects = (api: SandboxApi): void => {
  for (const name of systemNamespaces)
    api.create(kinds.Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, request)
  for (const [name, value, description] of [
    [
      'system-cluster-critical',
      2_000_000_000,
      'For the pods a cluster cannot work without; they may move to another node.',
    ],
    ['system-node-critical', 2_000_001_000, 'For the pods a node cannot work without.'],
  ] as const) {
    const priorityClass: PriorityClass & { readonly description: string } = {
      apiVersion: apiVersionOf(kinds.PriorityClass),
      kind: 'PriorityClass',
      metadata: { name },
      value,
      description,
    }
    api.create(kinds.PriorityClass, priorityClass, request)
  }
  const service: Service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'kubernetes', namespace: 'default', labels: { component: 'apiserver', provider: 'kubernetes' } },
    spec: { clusterIP: '10.96.0.1', ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: 6443 }] },
  }
  api.create(kinds.Service, service, request)
}
