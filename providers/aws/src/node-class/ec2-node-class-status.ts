import { conditions, enumField, listField, object, optional, text, yesNo } from '@kerf/apis/schema'

/**
 * The resolved values of an EC2NodeClass. Launches use these values and do not look them up again
 * (`providers/aws/docs/spec/aws-node-class.md#status`).
 */

const subnet = object(
  {
    id: text({ description: 'The ID of the subnet.' }),
    zone: text({ description: 'The name of the zone in this account, for example us-east-1a.' }),
    zoneID: optional(
      text({ description: 'The ID of the zone, which is the same in all accounts, for example use1-az1.' }),
    ),
  },
  { description: 'One subnet.' },
)

const securityGroup = object(
  {
    id: text({ description: 'The ID of the security group.' }),
    name: optional(text({ description: 'The name of the security group.' })),
  },
  { description: 'One security group.' },
)

const amiRequirement = object(
  {
    key: text({ description: 'The label key.' }),
    operator: text({ description: 'The operator: In, NotIn, Exists, DoesNotExist, Gt or Lt.' }),
    values: optional(
      listField(text({ description: 'A label value.' }), {
        description: 'The values to compare with.',
        listType: 'atomic',
      }),
    ),
  },
  { description: 'A requirement on the labels of instance types.' },
)

const ami = object(
  {
    id: text({ description: 'The ID of the image.' }),
    deprecated: optional(yesNo({ description: 'Whether the owner has deprecated the image.' })),
    name: optional(text({ description: 'The name of the image.' })),
    requirements: listField(amiRequirement, {
      description: 'Requirements on instance types that can use the image.',
      listType: 'atomic',
    }),
  },
  { description: 'One image.' },
)

const capacityReservation = object(
  {
    availabilityZone: text({ description: 'The zone of the capacity.' }),
    endTime: optional(text({ description: 'When the reservation ends, if it has an end date.', format: 'date-time' })),
    id: text({ description: 'The ID of the reservation.', pattern: '^cr-[0-9a-z]+$' }),
    instanceMatchCriteria: enumField(['open', 'targeted'], {
      description: 'Whether any matching instance uses the reservation (open) or only instances that target it.',
    }),
    instanceType: text({ description: 'The instance type of the reservation.' }),
    interruptible: optional(yesNo({ description: 'Whether the owner can reclaim the capacity.' })),
    ownerID: text({ description: 'The account that owns the reservation.', pattern: '^[0-9]{12}$' }),
    reservationType: optional(
      enumField(['default', 'capacity-block'], { description: 'The type of the reservation.', default: 'default' }),
    ),
    state: optional(
      enumField(['active', 'expiring'], {
        description: 'expiring: it ends so soon that Kerf launches no more instances into it.',
        default: 'active',
      }),
    ),
  },
  { description: 'One capacity reservation.' },
)

export const ec2NodeClassStatus = object(
  {
    subnets: optional(
      listField(subnet, {
        description: 'The resolved subnets, the one with the most free addresses first.',
        listType: 'atomic',
      }),
    ),
    securityGroups: optional(
      listField(securityGroup, { description: 'The resolved security groups, by ID.', listType: 'atomic' }),
    ),
    amis: optional(listField(ami, { description: 'The resolved images, newest first.', listType: 'atomic' })),
    capacityReservations: optional(
      listField(capacityReservation, {
        description: 'The resolved capacity reservations, by ID.',
        listType: 'atomic',
      }),
    ),
    instanceProfile: optional(
      text({ description: 'The instance profile in use: that of the spec, or the one created for the role.' }),
    ),
    conditions: optional(conditions()),
  },
  { description: 'The resolved state of the node class, from which instances are launched.' },
)
