import { anyText, conditions, listField, object, optional, text } from '@kerf/apis/schema'

const requirement = object(
  {
    key: text({ description: 'The label.' }),
    operator: text({ description: 'The operator: In, NotIn, Exists, DoesNotExist, Gt or Lt.' }),
    values: optional(
      listField(anyText(), { description: 'The values that the label is compared with.', listType: 'atomic' }),
    ),
  },
  { description: 'One requirement on a label of an instance type.' },
)

const image = object(
  {
    sourceImage: text({ description: 'The image, as projects/PROJECT/global/images/NAME.' }),
    requirements: listField(requirement, {
      description: 'What instance types must satisfy to boot the image.',
      listType: 'atomic',
    }),
  },
  { description: 'One image.' },
)

/** The status of a GCENodeClass. */
export const gceNodeClassStatus = object(
  {
    conditions: optional(conditions()),
    images: optional(
      listField(image, {
        description: 'The images that the terms select. The first one that an instance type can boot is used.',
        listType: 'atomic',
      }),
    ),
  },
  { description: 'The observed state of the node class.' },
)
