import { type ClusterAccess, callCluster } from './access.ts'
import { untilTrue } from './progress.ts'

interface Resource {
  readonly path: string
  readonly namespaced: boolean
}

interface Item {
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly finalizers?: readonly string[]
    readonly labels?: Readonly<Record<string, string>>
  }
}

/** API groups in which the control plane creates all objects. */
const systemGroups = new Set([
  'apiregistration.k8s.io',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'flowcontrol.apiserver.k8s.io',
  'certificates.k8s.io',
  'internal.apiserver.k8s.io',
  // This group contains the same Events as the core group.
  'events.k8s.io',
])
const systemNamespaces = new Set(['default', 'kube-system', 'kube-public', 'kube-node-lease'])
/** Objects that the control plane creates in its own namespace, in addition to the objects of every namespace and the bootstrap roles. */
const ofControlPlane = new Set([
  'extension-apiserver-authentication',
  'kube-apiserver-legacy-service-account-token-tracking',
])
/** The objects that the control plane creates in every namespace: their names, by plural. */
const perNamespace: Readonly<Record<string, string>> = { serviceaccounts: 'default', configmaps: 'kube-root-ca.crt' }

const parseArray = (body: unknown, field: string): readonly unknown[] => {
  const value =
    typeof body === 'object' && body !== null ? (body as Readonly<Record<string, unknown>>)[field] : undefined
  return Array.isArray(value) ? value : []
}

const groupVersions = async (access: ClusterAccess): Promise<readonly string[]> => {
  const { body } = await callCluster(access, 'GET', '/apis')
  const groups = parseArray(body, 'groups') as readonly {
    readonly name: string
    readonly preferredVersion: { readonly groupVersion: string }
  }[]
  return [
    '/api/v1',
    ...groups
      .filter((group) => !systemGroups.has(group.name))
      .map((group) => `/apis/${group.preferredVersion.groupVersion}`),
  ]
}

const deletableResources = async (access: ClusterAccess, groupVersion: string): Promise<readonly Resource[]> => {
  const { body } = await callCluster(access, 'GET', groupVersion)
  const listed = parseArray(body, 'resources') as readonly {
    readonly name: string
    readonly namespaced: boolean
    readonly verbs: readonly string[]
  }[]
  return listed
    .filter(
      (resource) =>
        !resource.name.includes('/') && resource.verbs.includes('list') && resource.verbs.includes('delete'),
    )
    .map((resource) => ({ path: `${groupVersion}/${resource.name}`, namespaced: resource.namespaced }))
}

const isSystemObject = (resource: Resource, { metadata }: Item): boolean => {
  const plural = resource.path.slice(resource.path.lastIndexOf('/') + 1)
  if (plural === 'namespaces') return systemNamespaces.has(metadata.name)
  if (perNamespace[plural] === metadata.name) return true
  if (metadata.labels?.['kubernetes.io/bootstrapping'] !== undefined) return true
  if (metadata.namespace === 'default' && metadata.name === 'kubernetes') return true
  // The control plane runs no pods, so all other objects in its namespace come from tests: leases of simulated kubelets, and service
  // accounts and roles of a chart. The control plane recreates its own lease.
  if (metadata.namespace === 'kube-system')
    return ofControlPlane.has(metadata.name) || (plural === 'leases' && metadata.name.startsWith('apiserver-'))
  return /^system[:-]/.test(metadata.name) || plural === 'servicecidrs' || plural === 'ipaddresses'
}

const objectPath = (resource: Resource, { metadata }: Item): string => {
  if (!resource.namespaced) return `${resource.path}/${metadata.name}`
  const slash = resource.path.lastIndexOf('/')
  return `${resource.path.slice(0, slash)}/namespaces/${metadata.namespace}${resource.path.slice(slash)}/${metadata.name}`
}

const remove = async (access: ClusterAccess, resource: Resource, item: Item): Promise<void> => {
  const path = objectPath(resource, item)
  if ((item.metadata.finalizers?.length ?? 0) > 0) {
    await callCluster(
      access,
      'PATCH',
      path,
      { metadata: { finalizers: null } },
      { 'content-type': 'application/merge-patch+json' },
    )
  }
  await callCluster(access, 'DELETE', path, { gracePeriodSeconds: 0, propagationPolicy: 'Background' })
}

/**
 * Deletes Events with one request per namespace, because there are thousands of them and none has a finalizer. Controllers may publish new
 * Events in the meantime. These are harmless and are not counted.
 */
const removeEvents = async (access: ClusterAccess, items: readonly Item[]): Promise<void> => {
  for (const namespace of new Set(items.map(({ metadata }) => metadata.namespace))) {
    await callCluster(access, 'DELETE', `/api/v1/namespaces/${namespace}/events`)
  }
}

/** Deletes the objects. Returns the paths of the deleted objects. */
const sweep = async (access: ClusterAccess, keptDefinitions: ReadonlySet<string>): Promise<readonly string[]> => {
  const found: string[] = []
  const resources = (
    await Promise.all((await groupVersions(access)).map((each) => deletableResources(access, each)))
  ).flat()
  await Promise.all(
    resources.map(async (resource) => {
      const { body } = await callCluster(access, 'GET', resource.path)
      const isDefinition = resource.path.endsWith('/customresourcedefinitions')
      const items = (parseArray(body, 'items') as readonly Item[]).filter(
        (item) => !isSystemObject(resource, item) && !(isDefinition && keptDefinitions.has(item.metadata.name)),
      )
      if (resource.path.endsWith('/events')) return await removeEvents(access, items)
      found.push(...items.map((item) => objectPath(resource, item)))
      for (const item of items) await remove(access, resource, item)
    }),
  )
  return found
}

/**
 * Deletes every object that tests may have created, including custom resource definitions and objects with finalizers. Resolves when the
 * cluster is as empty as after its start.
 * @param keptDefinitions names of custom resource definitions to keep
 * @throws Error if objects cannot be deleted
 */
export const resetCluster = async (
  access: ClusterAccess,
  keptDefinitions: ReadonlySet<string> = new Set(),
): Promise<void> => {
  let left: readonly string[] = []
  const isEmpty = async (): Promise<boolean> => {
    left = await sweep(access, keptDefinitions)
    return left.length === 0
  }
  const fingerprint = (): string => left.toSorted().join('\n')
  await untilTrue(isEmpty, { what: 'the test cluster to be empty', fingerprint, quietSeconds: 60, everyMs: 100 })
}
