import { conditions, listOf, object, oneOf, optional, text, yesNo } from '@kerf/apis/schema'

/** The resolved values of an EC2NodeClass. Launches use these instead of new look-ups (`providers/aws/docs/spec/aws-node-class.md#status`). */

const subnet = object(
  {
    id: text({ description: 'The id of the subnet.' }),
    zone: text({ description: 'The zone by its name in this account, like us-east-1a.' }),
    zoneID: optional(text({ description: 'The zone by its id, the same in all accounts, like use1-az1.' })),
  },
  { description: 'One subnet.' },
)

const securityGroup = object(
  {
    id: text({ description: 'The id of the security group.' }),
    name: optional(text({ description: 'The name of the security group.' })),
  },
  { description: 'One security group.' },
)

const amiRequirement = object(
  {
    key: text({ description: 'The label key.' }),
    operator: text({ description: 'How it is compared: In, NotIn, Exists, DoesNotExist, Gt or Lt.' }),
    values: optional(
      listOf(text({ description: 'A label value.' }), {
        description: 'What it is compared with.',
        listType: 'atomic',
      }),
    ),
  },
  { description: 'A condition on the labels of instance types.' },
)

const ami = object(
  {
    id: text({ description: 'The id of the image.' }),
    deprecated: optional(yesNo({ description: 'Whether the owner has deprecated the image.' })),
    name: optional(text({ description: 'The name of the image.' })),
    requirements: listOf(amiRequirement, {
      description: 'What instance types must be like to start from the image.',
      listType: 'atomic',
    }),
  },
  { description: 'One image.' },
)

const capacityReservation = object(
  {
    availabilityZone: text({ description: 'The zone the capacity is in.' }),
    endTime: optional(text({ description: 'When the reservation ends, if it does.', format: 'date-time' })),
    id: text({ description: 'The id of the reservation.', pattern: '^cr-[0-9a-z]+$' }),
    instanceMatchCriteria: oneOf(['open', 'targeted'], {
      description: 'Whether any matching instance takes capacity (open) or only those that name the reservation.',
    }),
    instanceType: text({ description: 'The instance type the capacity is for.' }),
    interruptible: optional(yesNo({ description: 'Whether the owner can take the capacity back.' })),
    ownerID: text({ description: 'The account that owns the reservation.', pattern: '^[0-9]{12}$' }),
    reservationType: optional(
      oneOf(['default', 'capacity-block'], { description: 'The kind of the reservation.', default: 'default' }),
    ),
    state: optional(
      oneOf(['active', 'expiring'], {
        description: 'expiring: it ends so soon that nothing more is launched into it.',
        default: 'active',
      }),
    ),
  },
  { description: 'One capacity reservation.' },
)

export const ec2NodeClassStatus = object(
  {
    subnets: optional(
      listOf(subnet, {
        description: 'The subnets that were found, the one with most free addresses first.',
        listType: 'atomic',
      }),
    ),
    securityGroups: optional(
      listOf(securityGroup, { description: 'The security groups that were found, by id.', listType: 'atomic' }),
    ),
    amis: optional(listOf(ami, { description: 'The images that were found, newest first.', listType: 'atomic' })),
    capacityReservations: optional(
      listOf(capacityReservation, {
        description: 'The capacity reservations that were found, by id.',
        listType: 'atomic',
      }),
    ),
    instanceProfile: optional(
      text({ description: 'The instance profile in use: the given one, or the one made for the role.' }),
    ),
    conditions: optional(conditions()),
  },
  { description: 'What the node class was resolved to. Instances are launched from this.' },
)
