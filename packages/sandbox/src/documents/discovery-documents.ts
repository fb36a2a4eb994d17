import { apiVersionOfResource, type Resource, type Subresource } from '../resources/resource.ts'
import type { ResourceRegistry } from '../resources/resource-registry.ts'

interface GroupVersion {
  readonly group: string
  readonly version: string
  readonly resources: readonly Resource[]
}

/** The discovery documents in both forms. They are rebuilt only if the registry has changed. */
export class DiscoveryDocuments {
  readonly #registry: ResourceRegistry
  #generation = -1
  #groups = new Map<string, Map<string, Resource[]>>()

  constructor(registry: ResourceRegistry) {
    this.#registry = registry
  }

  /** Returns the groups with their versions. The core group comes first, and custom groups come last. */
  groupVersions(): GroupVersion[] {
    this.#refresh()
    return [...this.#groups].flatMap(([group, versions]) =>
      [...versions].map(([version, resources]) => ({ group, version, resources })),
    )
  }

  /** `/api`. */
  coreVersions(): object {
    return { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] }
  }

  /** `/apis`. */
  groupList(): object {
    this.#refresh()
    const groups = [...this.#groups.keys()].filter((group) => group !== '')
    return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map((group) => this.#groupEntry(group)) }
  }

  /** `/apis/<group>`, or undefined. */
  group(group: string): object | undefined {
    this.#refresh()
    if (!this.#groups.has(group)) return undefined
    return { kind: 'APIGroup', apiVersion: 'v1', ...this.#groupEntry(group) }
  }

  /** Returns the resource list of `/api/v1` or `/apis/<group>/<version>`. Undefined if no such version is served. */
  resourceList(group: string, version: string): object | undefined {
    this.#refresh()
    const resources = this.#groups.get(group)?.get(version)
    if (resources === undefined) return undefined
    return {
      kind: 'APIResourceList',
      apiVersion: 'v1',
      groupVersion: group === '' ? version : `${group}/${version}`,
      resources: resources.flatMap((resource) => [
        resourceEntry(resource),
        ...resource.subresources.map((sub) => subresourceEntry(resource, sub)),
      ]),
    }
  }

  /** Returns the aggregated discovery document of `/api` if `core` is true, otherwise of `/apis`. */
  aggregated(core: boolean): object {
    this.#refresh()
    const groups = [...this.#groups].filter(([group]) => (group === '') === core)
    return {
      kind: 'APIGroupDiscoveryList',
      apiVersion: 'apidiscovery.k8s.io/v2',
      metadata: {},
      items: groups.map(([group, versions]) => ({
        metadata: { ...(group === '' ? {} : { name: group }), creationTimestamp: null },
        versions: [...versions].map(([version, resources]) => ({
          version,
          resources: resources.map(aggregatedEntry),
          freshness: 'Current',
        })),
      })),
    }
  }

  #groupEntry(group: string): object {
    const versions = [...(this.#groups.get(group)?.keys() ?? [])].map((version) => ({
      groupVersion: `${group}/${version}`,
      version,
    }))
    return { name: group, versions, preferredVersion: versions[0] }
  }

  #refresh(): void {
    if (this.#generation === this.#registry.generation) return
    this.#generation = this.#registry.generation
    this.#groups = new Map()
    for (const resource of this.#registry.all()) {
      const versions = this.#groups.get(resource.group) ?? new Map<string, Resource[]>()
      this.#groups.set(resource.group, versions)
      const list = versions.get(resource.version)
      if (list === undefined) versions.set(resource.version, [resource])
      else list.push(resource)
    }
    for (const [group, versions] of this.#groups) {
      const ordered = [...versions].toSorted(([a], [b]) => versionRank(b) - versionRank(a))
      this.#groups.set(group, new Map(ordered))
    }
  }
}

/** Returns a sort key: stable versions before beta before alpha, and higher numbers first. */
const versionRank = (version: string): number => {
  const parsed = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version)
  if (parsed === null) return 0
  const [, major = '0', stage, minor = '0'] = parsed
  const level = stage === undefined ? 3 : stage === 'beta' ? 2 : 1
  return level * 1_000_000 + Number(major) * 1000 + Number(minor)
}

const resourceEntry = (resource: Resource): object => ({
  name: resource.plural,
  singularName: resource.singular,
  namespaced: resource.namespaced,
  kind: resource.kind,
  verbs: resource.verbs,
  ...(resource.shortNames.length === 0 ? {} : { shortNames: resource.shortNames }),
  ...(resource.categories.length === 0 ? {} : { categories: resource.categories }),
})

const subresourceEntry = (resource: Resource, sub: Subresource): object => ({
  name: `${resource.plural}/${sub.name}`,
  singularName: '',
  namespaced: resource.namespaced,
  ...(apiVersionOfResource(sub) === apiVersionOfResource(resource) ? {} : { group: sub.group, version: sub.version }),
  kind: sub.kind,
  verbs: sub.verbs,
})

const aggregatedEntry = (resource: Resource): object => ({
  resource: resource.plural,
  responseKind: { group: resource.group, version: resource.version, kind: resource.kind },
  scope: resource.namespaced ? 'Namespaced' : 'Cluster',
  singularResource: resource.singular,
  verbs: resource.verbs,
  ...(resource.shortNames.length === 0 ? {} : { shortNames: resource.shortNames }),
  ...(resource.categories.length === 0 ? {} : { categories: resource.categories }),
  ...(resource.subresources.length === 0
    ? {}
    : {
        subresources: resource.subresources.map((sub) => ({
          subresource: sub.name,
          responseKind: { group: sub.group, version: sub.version, kind: sub.kind },
          verbs: sub.verbs,
        })),
      }),
})
