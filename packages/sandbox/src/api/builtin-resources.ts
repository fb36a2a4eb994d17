import { builtinStrategy } from '../admission/builtin-strategy.ts'
import type { ApiState } from '../resources/api-state.ts'
import { eventConversion } from '../resources/event-conversion.ts'
import type { Resource, Subresource } from '../resources/resource.ts'
import { builtinKind, builtinResources, builtinType } from '../schema/type-schema.ts'
import { Collection } from '../store/collection.ts'
import { selectableFields } from '../store/field-selector.ts'

/** Registers every built-in resource. Both API groups that serve Events share one collection. */
export const registerBuiltinResources = (state: ApiState, historyLimit: number): void => {
  const subresources = new Map<string, Subresource[]>()
  for (const entry of builtinResources) {
    const [plural, name] = entry.name.split('/')
    if (name === undefined) continue
    const id = `${entry.group}/${entry.version}/${plural}`
    const list = subresources.get(id) ?? []
    list.push({
      name,
      kind: entry.kind,
      group: entry.kindGroup ?? entry.group,
      version: entry.kindVersion ?? entry.version,
      verbs: entry.verbs,
    })
    subresources.set(id, list)
  }
  for (const entry of builtinResources) {
    if (entry.name.includes('/')) continue
    const own = subresources.get(`${entry.group}/${entry.version}/${entry.name}`) ?? []
    const schema = builtinKind(entry.group, entry.version, entry.kind) ?? builtinType('')
    const isNewEvents = entry.group === 'events.k8s.io'
    const collection = isNewEvents ? state.registry.find('', 'v1', 'events')?.collection : undefined
    const resource: Resource = {
      group: entry.group,
      version: entry.version,
      kind: entry.kind,
      plural: entry.name,
      singular: entry.singular,
      namespaced: entry.namespaced,
      shortNames: entry.shortNames ?? [],
      categories: entry.categories ?? [],
      verbs: entry.verbs,
      subresources: own,
      collection: collection ?? new Collection(0, historyLimit),
      selectable: selectableFields(entry.group, entry.name),
      schema,
      strategy: builtinStrategy(
        state,
        entry.kind,
        isNewEvents ? (builtinKind('', 'v1', 'Event') ?? schema) : schema,
        own.some((one) => one.name === 'status'),
      ),
      ...(isNewEvents ? { conversion: eventConversion } : {}),
    }
    state.registry.add(resource)
  }
}
