import type { TUnsafe } from 'typebox'
import { Type } from 'typebox'
import type { LabelSelector } from '../kubernetes/object.ts'
import { enumField, KEY, listField, mapField, object, optional, text, VALUE } from '../schema/field.ts'

const value = () => Type.String({ pattern: VALUE, maxLength: 63 })

const selectorRequirement = object(
  {
    key: text({ description: 'The key of the label.', pattern: KEY, maxLength: 316 }),
    operator: enumField(['In', 'NotIn', 'Exists', 'DoesNotExist'], { description: 'How the label is compared.' }),
    values: optional(
      listField(value(), {
        description: 'The values for In and NotIn. Not together with Exists and DoesNotExist.',
        listType: 'atomic',
        maxItems: 64,
      }),
    ),
  },
  {
    description: 'A condition on one label.',
    rules: [
      {
        rule: "(self.operator in ['In', 'NotIn']) == (has(self.values) && self.values.size() > 0)",
        message: '"In" and "NotIn" need "values"; "Exists" and "DoesNotExist" take none',
      },
    ],
  },
)

/** A label selector whose content the API server checks. An empty selector matches everything. */
export const labelSelector = (description: string): TUnsafe<LabelSelector> =>
  Type.Unsafe<LabelSelector>(
    object(
      {
        matchLabels: optional(
          mapField(value(), { description: 'Labels that must have exactly these values.', maxProperties: 32 }),
        ),
        matchExpressions: optional(
          listField(selectorRequirement, {
            description: 'Conditions on labels. All of them must be met.',
            listType: 'atomic',
            maxItems: 32,
          }),
        ),
      },
      { description },
    ),
  )
