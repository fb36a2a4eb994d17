import { type TUnsafe, Type } from 'typebox'
import type { Condition } from '../kubernetes/object.ts'
import { enumField, listField, object, optional, text, whole } from '../schema/field.ts'

const DESCRIPTION = 'The observed state of this object, with one entry for each aspect.'

const common = {
  lastTransitionTime: text({
    description:
      'When the status last changed from one value to another. A change of only the reason or message does not change it.',
    format: 'date-time',
  }),
  observedGeneration: optional(
    whole({
      description:
        'The metadata.generation for which this entry was computed. If it is lower than the current generation, the entry describes an older spec.',
      format: 'int64',
      minimum: 0,
    }),
  ),
  status: enumField(['True', 'False', 'Unknown'], { description: 'Status of the condition: True, False or Unknown.' }),
}

const TYPE_PATTERN =
  '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$'
const type = text({ description: 'Type of the condition, in CamelCase.', maxLength: 316, pattern: TYPE_PATTERN })
const message = text({ description: 'Human-readable details. May be empty.', maxLength: 32768 })

/** One `metav1.Condition`. */
const condition = object(
  {
    ...common,
    message,
    reason: text({
      description: 'The reason for the status, as one CamelCase word for programs.',
      maxLength: 1024,
      minLength: 1,
      pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$',
    }),
    type,
  },
  { description: 'A condition of the object.' },
)

/** The list of `metav1.Condition` that most kinds use. */
export const conditions = (): TUnsafe<readonly Condition[]> => asConditions(condition)

/** A list of `metav1.Condition` that accepts the same type twice. */
export const atomicConditions = (): TUnsafe<readonly Condition[]> =>
  Type.Unsafe<readonly Condition[]>(listField(condition, { description: DESCRIPTION, listType: 'atomic' }))

/**
 * The conditions of NodeClaims. Their reason and message may be missing, and the reason may be empty
 * (`docs/spec/resources.md#nodeclaim`).
 */
export const relaxedConditions = (): TUnsafe<readonly Condition[]> =>
  asConditions(
    object(
      {
        ...common,
        message: optional(message),
        reason: optional(
          text({
            description: 'The reason for the status, as one CamelCase word for programs. May be empty.',
            maxLength: 1024,
            pattern: '^([A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?|)$',
          }),
        ),
        type,
      },
      { description: 'A condition of the object.' },
    ),
  )

const asConditions = (item: ReturnType<typeof object>): TUnsafe<readonly Condition[]> =>
  Type.Unsafe<readonly Condition[]>(
    listField(item, { description: DESCRIPTION, listType: 'map', listMapKeys: ['type'] }),
  )
