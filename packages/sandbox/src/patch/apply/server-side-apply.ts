import type { KubeObject } from '@kerf/apis'
import { setOwnValue } from '@kerf/apis'
import { ApiError } from '@kerf/runtime'
import { apiVersionOfResource, type Resource } from '../../resources/resource.ts'
import { cloneObject, ensureObject, isObject, type JsonObject, type JsonValue } from '../../store/json.ts'
import { statusErrors } from '../../store/status-errors.ts'
import {
  emptySet,
  type FieldSet,
  fieldSetDifference,
  fieldSetIntersection,
  fieldSetUnion,
  formatPath,
  isEmptySet,
  pathsOf,
  withoutBelow,
} from './field-set.ts'
import {
  formatManagers,
  isSameManager,
  type Manager,
  neverOwned,
  ownedFields,
  parseManagers,
  withManager,
} from './managers.ts'
import { collectFieldSet, differenceBetween, mergeTyped, removePaths } from './typed-walk.ts'

export interface Application {
  readonly manager: string
  /** Whether to take fields over from other managers instead of failing with a conflict. */
  readonly force: boolean
  readonly now: number
  readonly subresource: string | undefined
}

/**
 * Returns the live object merged with the manager's configuration, with updated `managedFields`. Removes fields that the manager
 * applied earlier and now omits, unless another manager owns them. Throws 409 if another manager owns a field whose value would
 * change.
 */
export const applyConfiguration = (
  resource: Resource,
  before: KubeObject | undefined,
  body: JsonObject,
  application: Application,
): JsonObject => {
  const { schema } = resource
  const identity = {
    manager: application.manager,
    operation: 'Apply' as const,
    apiVersion: apiVersionOfResource(resource),
    subresource: application.subresource ?? '',
  }
  if (isObject(body['metadata']) && body['metadata']['managedFields'] !== undefined) {
    throw statusErrors.badRequest('metadata.managedFields must be nil')
  }
  const config = ownHalf(resource, withoutNulls(body), application.subresource)
  const configured = withoutBelow(collectFieldSet(config, schema), neverOwned)
  const live = before === undefined ? {} : cloneObject(before)
  if (before !== undefined && isObject(config['metadata']) && config['metadata']['resourceVersion'] === undefined)
    delete ensureObject(live, 'metadata')['resourceVersion']
  let managers = parseManagers(before?.metadata.managedFields)
  const merged = mergeTyped(live, config, schema)
  const { changed } = differenceBetween(live, merged, schema)
  managers = takeOver(managers, fieldSetIntersection(changed, configured), application.force, (one) =>
    isSameManager(one, identity),
  )
  const dropped = fieldSetDifference(ownedFields(managers, identity), configured)
  const othersOwn = managers
    .filter((one) => !isSameManager(one, identity))
    .reduce((sum, one) => fieldSetUnion(sum, one.fields), configured)
  const result = removePaths(merged, unownedOf(dropped, othersOwn), schema)
  managers = withManager(managers, { ...identity, fields: configured }, application.now)
  ensureObject(result, 'metadata')['managedFields'] = formatManagers(managers) as unknown as JsonValue
  return result
}

/** Returns the dropped paths that no manager owns and below which no manager owns a path. */
const unownedOf = (dropped: FieldSet, owned: FieldSet): FieldSet => {
  const children = new Map<string, FieldSet>()
  for (const [step, child] of dropped.children) {
    const left = unownedOf(child, owned.children.get(step) ?? emptySet)
    if (!isEmptySet(left)) children.set(step, left)
  }
  return { own: dropped.own && isEmptySet(owned), children }
}

/** Removes the `wanted` fields from all other managers. Throws 409 if another manager owns one of them and the apply is not forced. */
const takeOver = (
  managers: readonly Manager[],
  wanted: FieldSet,
  force: boolean,
  isApplier: (manager: Manager) => boolean,
): Manager[] => {
  if (!force) {
    const conflicts = managers.flatMap((one) =>
      isApplier(one) ? [] : [...pathsOf(fieldSetIntersection(one.fields, wanted))].map((path) => ({ one, path })),
    )
    if (conflicts.length > 0) throw conflictError(conflicts)
  }
  return managers.map((one) => (isApplier(one) ? one : { ...one, fields: fieldSetDifference(one.fields, wanted) }))
}

const shown = (manager: Manager): string => {
  const where = manager.subresource === '' ? '' : ` with subresource "${manager.subresource}"`
  const name = `"${manager.manager}"${where}`
  if (manager.operation === 'Apply') return name
  return `${name} using ${manager.apiVersion}`
}

const conflictError = (conflicts: readonly { readonly one: Manager; readonly path: readonly string[] }[]): ApiError => {
  const byManager = new Map<string, string[]>()
  for (const { one, path } of conflicts)
    byManager.set(shown(one), [...(byManager.get(shown(one)) ?? []), formatPath(path)])
  const [first] = byManager
  const text =
    conflicts.length === 1 && first !== undefined
      ? `Apply failed with 1 conflict: conflict with ${first[0]}: ${first[1][0]}`
      : `Apply failed with ${conflicts.length} conflicts: ${[...byManager].map(([name, paths]) => `conflicts with ${name}:\n${paths.map((path) => `- ${path}`).join('\n')}`).join('\n')}`
  return new ApiError({
    code: 409,
    reason: 'Conflict',
    message: text,
    details: {
      causes: conflicts.map(({ one, path }) => ({
        reason: 'FieldManagerConflict',
        message: `conflict with ${shown(one)}`,
        field: formatPath(path),
      })),
    },
  })
}

/** Drops the status from an apply to the object, and everything else from an apply to the status. */
const ownHalf = (resource: Resource, body: JsonObject, subresource: string | undefined): JsonObject => {
  if (subresource === 'status') {
    const { apiVersion, kind, metadata, status } = body
    const name = isObject(metadata) ? { name: metadata['name'], namespace: metadata['namespace'] } : {}
    return { apiVersion, kind, metadata: name, ...(status === undefined ? {} : { status }) }
  }
  if (!resource.strategy.hasStatus) return body
  const { status: _status, ...rest } = body
  return rest
}

const withoutNulls = (object: JsonObject): JsonObject => {
  const out: JsonObject = {}
  for (const [key, value] of Object.entries(object)) {
    if (value === null || value === undefined) continue
    setOwnValue(
      out,
      key,
      isObject(value)
        ? withoutNulls(value)
        : Array.isArray(value)
          ? value.map((item) => (isObject(item) ? withoutNulls(item) : item))
          : value,
    )
  }
  return out
}
