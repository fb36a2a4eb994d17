import {
  type Condition,
  type ConditionChange,
  type ConditionSet,
  clearCondition,
  conditionEventReason,
  findCondition,
  type KubeObject,
  objectConditions,
  ownValue,
  READY,
  type ResourceKind,
  setCondition,
} from '@kerf/apis'
import type { FieldReport } from '@kerf/apis/legacy'
import type { Deps } from '../deps.ts'
import { eventObject } from '../event-object.ts'

/** The status fields that all legacy kinds share. */
export interface OldObject extends KubeObject {
  readonly status?: { readonly conditions?: readonly Condition[]; readonly fields?: readonly object[] }
}

/** The status to write to a legacy object. */
export interface OldStatus {
  readonly converted: Omit<ConditionChange, 'type'>
  /** The readiness of its converted objects. */
  readonly ready: ConditionChange
  readonly fields: readonly FieldReport[]
  /** The desired values of the status fields other than conditions. */
  readonly rest: Readonly<Record<string, unknown>>
}

interface Conditioned extends KubeObject {
  readonly status?: { readonly conditions?: readonly Condition[] }
}

/** Returns why an object is not ready: the messages of its conditions that are False. */
export const whyNotReady = (reference: string, object: Conditioned): string => {
  const said = (object.status?.conditions ?? []).filter(({ type, status }) => type !== READY && status === 'False')
  const reasons = said.map(
    ({ type, reason, message }) => `${type}: ${(message ?? '') === '' ? (reason ?? '') : message}`,
  )
  return `${reference} ${reasons.length === 0 ? 'is not ready yet' : reasons.join('; ')}`
}

/** Returns the legacy object's condition of this type. Its status follows the readiness of the converted object. */
export const findReadiness = <T extends Conditioned>(
  type: string,
  made: T | undefined,
  why: (made: T) => string,
): ConditionChange => {
  const ready = made === undefined ? undefined : findCondition(made, READY)
  if (made === undefined || ready === undefined) return { type, status: 'Unknown' }
  if (ready.status === 'True') return { type, status: 'True' }
  return { type, status: ready.status, reason: ready.reason ?? 'NotReady', message: why(made) }
}

/** Returns the names of the fields with this conversion result, without duplicates. */
const fieldNames = (fields: readonly FieldReport[], fate: FieldReport['fate']): string =>
  [...new Set(fields.filter((each) => each.fate === fate).map(({ field }) => field))].join(', ')

const NAMED = [
  ['FieldsChanged', 'changed'],
  ['FieldsGone', 'gone'],
] as const

/** Adds the field names to the messages of conditions, because the CRDs of older releases have no other field for the names. */
const withFieldNames = (
  set: ConditionSet,
  object: OldObject,
  conditions: readonly Condition[],
  fields: readonly FieldReport[],
  now: number,
): readonly Condition[] =>
  NAMED.reduce<readonly Condition[]>((present, [type, result]) => {
    const holder = { ...object, status: { conditions: present } }
    const message = fieldNames(fields, result)
    return message === ''
      ? clearCondition(set, holder, type)
      : setCondition(set, holder, { type, status: 'True', reason: type, message }, now)
  }, conditions)

/**
 * Writes the status of a legacy object if it has changed. Publishes an Event if the conversion fails, unless the status already reports the
 * same failure.
 */
export const writeOldStatus = async <T extends OldObject>(
  { client, clock, events }: Pick<Deps, 'client' | 'clock' | 'events'>,
  kind: ResourceKind<T>,
  set: ConditionSet,
  object: T,
  { converted, ready, fields, rest }: OldStatus,
  signal: AbortSignal,
): Promise<void> => {
  const now = clock.now()
  const reported = fields.filter(({ fate }) => fate === 'changed' || fate === 'gone' || fate === 'added')
  let conditions = objectConditions(object)
  for (const change of [{ ...converted, type: 'Converted' }, ready])
    conditions = setCondition(set, { ...object, status: { conditions } }, change, now)
  conditions = withFieldNames(set, object, conditions, reported, now)
  const status = {
    ...rest,
    fields: reported.map(({ field, fate, to, note }) => ({
      field,
      fate,
      ...(to === undefined ? {} : { to }),
      ...(note === undefined ? {} : { note }),
    })),
    conditions,
  }
  const before: Readonly<Record<string, unknown>> = { ...object.status }
  const isNews = Object.entries(status).some(
    ([field, value]) => value !== undefined && JSON.stringify(value) !== JSON.stringify(ownValue(before, field)),
  )
  if (!isNews) return
  const { name = '', resourceVersion } = object.metadata
  const body = { metadata: { resourceVersion }, status }
  await client.patch(kind, { name }, { type: 'merge', body }, { subresource: 'status', signal })
  const known = findCondition(object, 'Converted')
  if (converted.status !== 'False' || (known?.status === 'False' && known.message === converted.message)) return
  events.publish({
    object: eventObject(kind, object),
    type: 'Warning',
    reason: conditionEventReason(converted.reason ?? 'NotConverted'),
    message: converted.message ?? '',
    dedupeValues: [object.metadata.uid ?? '', converted.message ?? ''],
  })
}
