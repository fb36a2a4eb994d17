import { type TUnsafe, Type } from 'typebox'
import type { Condition } from '../kubernetes/object.ts'
import { listOf, object, oneOf, optional, text, whole } from '../schema/field.ts'

const DESCRIPTION = 'What the controllers found out about this object, one entry for each aspect.'

const common = {
  lastTransitionTime: text({
    description:
      'When the status last changed from one value to another. A new reason or message alone leaves it as it is.',
    format: 'date-time',
  }),
  observedGeneration: optional(
    whole({
      description:
        'The metadata.generation this entry was worked out from. Lower than the current one: the entry describes an older spec.',
      format: 'int64',
      minimum: 0,
    }),
  ),
  status: oneOf(['True', 'False', 'Unknown'], { description: 'Whether the aspect holds.' }),
}

const TYPE_PATTERN =
  '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$'
const type = text({ description: 'The aspect, in CamelCase.', maxLength: 316, pattern: TYPE_PATTERN })
const message = text({ description: 'Details for people. May be empty.', maxLength: 32768 })

/** One `metav1.Condition`. */
const condition = object(
  {
    ...common,
    message,
    reason: text({
      description: 'Why the status is what it is, in one CamelCase word that programs may compare.',
      maxLength: 1024,
      minLength: 1,
      pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$',
    }),
    type,
  },
  { description: 'One aspect of the object and its state.' },
)

/** The list of `metav1.Condition` that most kinds use. */
export const conditions = (): TUnsafe<readonly Condition[]> => asConditions(condition)

/** A list of `metav1.Condition` that accepts the same type twice. */
export const atomicConditions = (): TUnsafe<readonly Condition[]> =>
  Type.Unsafe<readonly Condition[]>(listOf(condition, { description: DESCRIPTION, listType: 'atomic' }))

/**
 * The conditions of NodeClaim: reason and message may be missing, and the reason may be empty
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
            description: 'Why the status is what it is, in one CamelCase word that programs may compare. May be empty.',
            maxLength: 1024,
            pattern: '^([A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?|)$',
          }),
        ),
        type,
      },
      { description: 'One aspect of the object and its state.' },
    ),
  )

const asConditions = (item: ReturnType<typeof object>): TUnsafe<readonly Condition[]> =>
  Type.Unsafe<readonly Condition[]>(listOf(item, { description: DESCRIPTION, listType: 'map', listMapKeys: ['type'] }))
