import { anyText, atomicConditions, listField, object, optional, text } from '@kerf/apis/schema'

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

const cidrUtilization = object(
  {
    addressType: optional(text({ description: 'The kind of the addresses.' })),
    cidr: optional(text({ description: 'The block of addresses.' })),
    utilization: optional(text({ description: 'The share of used addresses in percent.' })),
  },
  { description: 'How many addresses of a block are used. Only zoom/karpenter-oci writes it.' },
)

const named = (what: string) => ({
  id: optional(text({ description: `The OCID of the ${what}.` })),
  name: optional(text({ description: `The display name of the ${what}.` })),
})

/** The status of an OciNodeClass. */
export const communityStatus = object(
  {
    subnets: optional(
      listField(
        object(
          {
            ...named('subnet'),
            cidrUtilization: optional(
              listField(cidrUtilization, { description: 'The use of the addresses.', listType: 'atomic' }),
            ),
          },
          { description: 'One subnet.' },
        ),
        { description: 'The subnets that the selector finds.', listType: 'atomic' },
      ),
    ),
    images: optional(
      listField(
        object(
          {
            ...named('image'),
            compartmentId: optional(text({ description: 'The OCID of the compartment of the image.' })),
            requirements: optional(
              listField(requirement, {
                description: 'What instance types must satisfy to boot the image.',
                listType: 'atomic',
              }),
            ),
          },
          { description: 'One image.' },
        ),
        { description: 'The images that the selector finds.', listType: 'atomic' },
      ),
    ),
    securityGroups: optional(
      listField(object(named('network security group'), { description: 'One network security group.' }), {
        description: 'The network security groups that the selector finds.',
        listType: 'atomic',
      }),
    ),
    conditions: optional(atomicConditions()),
  },
  { description: 'What the class selects in the cloud.' },
)
