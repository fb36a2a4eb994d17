import { enumField, listField, object, optional, text } from '../schema/field.ts'

/** Defines `status.fields` of the legacy kinds: the fields whose conversion users must review, and how each field was converted. */
export const convertedFields = () =>
  optional(
    listField(
      object(
        {
          field: text({ description: 'The field, for example spec.ttlSecondsUntilExpired.' }),
          fate: enumField(['changed', 'gone', 'added'], {
            description:
              'changed: it has a different meaning in v1; gone: v1 has no counterpart; added: an implicit default of the old API that is explicit in v1.',
          }),
          to: optional(text({ description: 'The field in v1.' })),
          note: optional(text({ description: 'Explanation.' })),
        },
        { description: 'One field.' },
      ),
      {
        description:
          'The fields that were not simply moved: they changed their meaning, have no counterpart, or were added.',
        listType: 'atomic',
      },
    ),
  )
