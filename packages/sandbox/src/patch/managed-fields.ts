import type { KubeObject } from '@kerf/apis'
import type { WriteRequest } from '../resources/request.ts'
import { apiVersionOfResource, type Resource } from '../resources/resource.ts'
import { ensureObject, type JsonObject, type JsonValue } from '../store/json.ts'
import { fieldSetDifference, fieldSetUnion, withoutBelow } from './apply/field-set.ts'
import { formatManagers, isSameManager, neverOwned, ownedFields, parseManagers, withManager } from './apply/managers.ts'
import { differenceBetween } from './apply/typed-walk.ts'

/**
 * Records field ownership in `draft`. Fields that this write changes belong only to the manager of the write. If the write has no manager,
 * no owner is recorded, but the changed fields are still removed from the other managers.
 */
export const recordOwnership = (
  resource: Resource,
  before: KubeObject | undefined,
  draft: JsonObject,
  request: WriteRequest,
  subresource: string | undefined,
  now: number,
): void => {
  const metadata = ensureObject(draft, 'metadata')
  const sent = metadata['managedFields']
  const wantsReset =
    before !== undefined && Array.isArray(sent) && sent.every((entry) => JSON.stringify(entry) === '{}')
  const known = wantsReset ? undefined : before?.metadata.managedFields
  const { fieldManager } = request
  if (fieldManager === undefined || fieldManager === '' || wantsReset) {
    if (known === undefined || known.length === 0) {
      delete metadata['managedFields']
      return
    }
  }
  const difference = differenceBetween((before ?? {}) as unknown as JsonObject, draft, resource.schema)
  const changed = withoutBelow(difference.changed, neverOwned)
  const removed = withoutBelow(difference.removed, neverOwned)
  const identity = {
    manager: fieldManager ?? '',
    operation: 'Update' as const,
    apiVersion: apiVersionOfResource(resource),
    subresource: subresource ?? '',
  }
  let managers = parseManagers(known).map((one) => ({
    ...one,
    fields: fieldSetDifference(
      isSameManager(one, identity) ? one.fields : fieldSetDifference(one.fields, changed),
      removed,
    ),
  }))
  if (identity.manager !== '') {
    managers = withManager(
      managers,
      { ...identity, fields: fieldSetUnion(fieldSetDifference(ownedFields(managers, identity), removed), changed) },
      now,
    )
  }
  const entries = formatManagers(managers)
  if (entries.length === 0) delete metadata['managedFields']
  else metadata['managedFields'] = entries as unknown as JsonValue
}
