import { formatTime, type ManagedFieldsEntry } from '@kerf/apis'
import { freeze } from '../../store/json.ts'
import { emptySet, type FieldSet, FieldSetBuilder, formatFieldSet, isEmptySet, parseFieldSet } from './field-set.ts'

/** A manager and the fields that it owns. Two entries belong to the same manager if all four identifying values are equal. */
export interface Manager {
  readonly manager: string
  readonly operation: 'Apply' | 'Update'
  readonly apiVersion: string
  readonly subresource: string
  readonly time: string | undefined
  readonly fields: FieldSet
}

type Identity = Pick<Manager, 'manager' | 'operation' | 'apiVersion' | 'subresource'>

export const isSameManager = (a: Identity, b: Identity): boolean =>
  a.manager === b.manager &&
  a.operation === b.operation &&
  a.subresource === b.subresource &&
  a.apiVersion === b.apiVersion

export const parseManagers = (entries: readonly ManagedFieldsEntry[] | undefined): Manager[] =>
  (entries ?? []).flatMap((entry) =>
    entry.manager === undefined || entry.fieldsV1 === undefined
      ? []
      : [
          {
            manager: entry.manager,
            operation: entry.operation ?? 'Update',
            apiVersion: entry.apiVersion ?? '',
            subresource: entry.subresource ?? '',
            time: entry.time,
            fields: parseFieldSet(entry.fieldsV1),
          },
        ],
  )

// Objects that were created from one template have equal field sets, so ten thousand pods share one set.
const shared = new Map<string, Readonly<Record<string, unknown>>>()
const SHARED_LIMIT = 5_000

const interned = (set: FieldSet): Readonly<Record<string, unknown>> => {
  const fields = formatFieldSet(set)
  const text = JSON.stringify(fields)
  const known = shared.get(text)
  if (known !== undefined) return known
  if (shared.size >= SHARED_LIMIT) shared.clear()
  shared.set(text, freeze(fields))
  return fields
}

export const formatManagers = (managers: readonly Manager[]): ManagedFieldsEntry[] =>
  managers
    .filter((one) => !isEmptySet(one.fields))
    .map((one) => ({
      manager: one.manager,
      operation: one.operation,
      apiVersion: one.apiVersion,
      ...(one.time === undefined ? {} : { time: one.time }),
      fieldsType: 'FieldsV1',
      fieldsV1: interned(one.fields),
      ...(one.subresource === '' ? {} : { subresource: one.subresource }),
    }))

/**
 * Returns the list of managers after one of them got new fields. The time of an entry changes only if its fields change. Entries for
 * applies come before entries for updates.
 */
export const withManager = (
  managers: readonly Manager[],
  changed: Identity & { readonly fields: FieldSet },
  now: number,
): Manager[] => {
  const known = managers.find((one) => isSameManager(one, changed))
  const isUnchanged =
    known !== undefined &&
    JSON.stringify(formatFieldSet(known.fields)) === JSON.stringify(formatFieldSet(changed.fields))
  const others = managers.filter((one) => one !== known)
  const entry: Manager = { ...changed, time: isUnchanged ? known.time : formatTime(now) }
  const all = [...others, entry]
  return [...all.filter((one) => one.operation === 'Apply'), ...all.filter((one) => one.operation === 'Update')]
}

const setOf = (...paths: readonly (readonly string[])[]): FieldSet => {
  const builder = new FieldSetBuilder()
  for (const path of paths) path.reduce((node, step) => node.child(`f:${step}`), builder).own = true
  return builder.build()
}

/** Fields that no manager owns: the fields that identify an object, and the fields that the server maintains. */
export const neverOwned: FieldSet = setOf(
  ['apiVersion'],
  ['kind'],
  ['metadata', 'name'],
  ['metadata', 'namespace'],
  ['metadata', 'generateName'],
  ['metadata', 'creationTimestamp'],
  ['metadata', 'deletionTimestamp'],
  ['metadata', 'deletionGracePeriodSeconds'],
  ['metadata', 'selfLink'],
  ['metadata', 'uid'],
  ['metadata', 'generation'],
  ['metadata', 'managedFields'],
  ['metadata', 'resourceVersion'],
)

/** Returns the fields that a manager owns. Empty if the manager is not in the list. */
export const ownedFields = (managers: readonly Manager[], identity: Identity): FieldSet =>
  managers.find((one) => isSameManager(one, identity))?.fields ?? emptySet
