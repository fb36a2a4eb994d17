import type { ResourceKind } from '@kerf/apis'
import { statusErrors } from '../store/status-errors.ts'
import type { Resource } from './resource.ts'

const address = (group: string, version: string, plural: string): string => `${group}/${version}/${plural}`

/** The served resources: built-in ones, and those that CustomResourceDefinitions define. */
export class ResourceRegistry {
  private readonly byAddress = new Map<string, Resource>()
  private changeCount = 0

  /** Increases with every registration, so that documents built from the registry can be cached. */
  get generation(): number {
    return this.changeCount
  }

  add(resource: Resource): void {
    this.byAddress.set(address(resource.group, resource.version, resource.plural), resource)
    this.changeCount++
  }

  remove(resource: Resource): void {
    this.byAddress.delete(address(resource.group, resource.version, resource.plural))
    this.changeCount++
  }

  find(group: string, version: string, plural: string): Resource | undefined {
    return this.byAddress.get(address(group, version, plural))
  }

  /** Returns the resource of a resource kind. Throws the server's 404 if it is not served. */
  of(kind: Pick<ResourceKind, 'group' | 'version' | 'plural'>): Resource {
    const resource = this.find(kind.group, kind.version, kind.plural)
    if (resource === undefined) throw statusErrors.noSuchResource()
    return resource
  }

  byKind(group: string, kind: string): Resource | undefined {
    for (const resource of this.byAddress.values())
      if (resource.group === group && resource.kind === kind) return resource
    return undefined
  }

  all(): Iterable<Resource> {
    return this.byAddress.values()
  }
}
