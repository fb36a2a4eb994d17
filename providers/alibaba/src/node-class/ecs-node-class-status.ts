import { anyText, atomicConditions, listField, object, optional, text } from '@kerf/apis/schema'

/**
 * The resources that the controllers resolved (`providers/alibaba/docs/spec/alibaba.md#status`). Launches use these values without further
 * API calls.
 */

const vSwitch = object(
  { id: text({ description: 'The ID of the vSwitch.' }), zoneID: text({ description: 'The zone of the vSwitch.' }) },
  { description: 'One vSwitch.' },
)

const securityGroup = object(
  {
    id: text({ description: 'The ID of the security group.' }),
    name: optional(text({ description: 'The name of the security group.' })),
  },
  { description: 'One security group.' },
)

const requirement = object(
  {
    key: text({ description: 'The label.' }),
    operator: text({ description: 'The operator: In, NotIn, Exists, DoesNotExist, Gt or Lt.' }),
    values: optional(
      listField(anyText(), { description: 'The values that the label is compared with.', listType: 'atomic' }),
    ),
  },
  { description: 'One condition on a label of instance types.' },
)

const image = object(
  {
    id: text({ description: 'The ID of the image.' }),
    name: optional(text({ description: 'The name of the image.' })),
    requirements: listField(requirement, {
      description: 'The requirements that an instance type must satisfy to start from the image.',
      listType: 'atomic',
    }),
  },
  { description: 'One image.' },
)

export const ecsNodeClassStatus = object(
  {
    vSwitches: optional(listField(vSwitch, { description: 'The selected vSwitches, by ID.', listType: 'atomic' })),
    securityGroups: optional(
      listField(securityGroup, { description: 'The selected security groups, by ID.', listType: 'atomic' }),
    ),
    images: optional(
      listField(image, {
        description: 'The selected images. An instance type uses the first one whose requirements it satisfies.',
        listType: 'atomic',
      }),
    ),
    // Like Karpenter's CRD, the schema accepts duplicate condition types.
    conditions: optional(atomicConditions()),
  },
  { description: 'The resources that the class selects. Instances are launched with them.' },
)
