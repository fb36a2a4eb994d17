import { listOf, object, oneOf, optional, text } from '../schema/field.ts'

/** Defines `status.fields` of the old kinds: how fields of the object were converted, as far as users must know. */
export const fieldFates = () =>
  optional(
    listOf(
      object(
        {
          field: text({ description: 'The field, like spec.ttlSecondsUntilExpired.' }),
          fate: oneOf(['changed', 'gone', 'added'], {
            description:
              'changed: it means something else in v1; gone: v1 has no such thing; added: what the old API did without being told.',
          }),
          to: optional(text({ description: 'Where it is in v1.' })),
          note: optional(text({ description: 'What that means.' })),
        },
        { description: 'One field.' },
      ),
      {
        description: 'The fields that did not simply move: those that changed their meaning, are gone, or were added.',
        listType: 'atomic',
      },
    ),
  )
