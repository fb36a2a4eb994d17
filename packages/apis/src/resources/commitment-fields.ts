import { enumField, listField, object, optional, text, whole } from '../schema/field.ts'
import { ABOVE_ZERO } from './price-book-fields.ts'

/** The most commitments of a policy. */
const MOST_COMMITMENTS = 200

/** The largest number of instances of one commitment. */
const MOST_INSTANCES = 100_000

/** The pattern of a number from 0 to 1. */
const SHARE = '^(0(\\.\\d+)?|1(\\.0+)?)$'
/** The pattern of a number above 0 and up to 1. */
const FACTOR = '^(0\\.\\d*[1-9]\\d*|1(\\.0+)?)$'
/** The pattern of a time of RFC 3339 in UTC, without a fraction. Two of them can be compared as text. */
const UTC_TIME = '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])T([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\dZ$'
/** The pattern of the name of an instance type. */
const TYPE_NAME = '^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$'
/** The pattern of the name of an instance type, or of its beginning with a `*`. */
const TYPE_NAMES = '^[A-Za-z0-9][-A-Za-z0-9_.]*\\*?$'

const prepaid = object(
  {
    instanceType: text({
      description: 'The instance type that is paid for, for example m5.large.',
      pattern: TYPE_NAME,
      maxLength: 63,
    }),
    count: whole({
      description: 'How many instances are paid for.',
      format: 'int32',
      minimum: 1,
      maximum: MOST_INSTANCES,
    }),
    region: optional(
      text({
        description:
          'The region of the instances: the value of the label topology.kubernetes.io/region. Absent: the region of the cluster.',
        pattern: '^[-a-z0-9]+$',
        maxLength: 63,
      }),
    ),
    zone: optional(
      text({
        description:
          'The zone of the instances: the value of the label topology.kubernetes.io/zone. Absent: every zone of the region.',
        pattern: '^[-a-zA-Z0-9_.]+$',
        maxLength: 63,
      }),
    ),
    share: text({
      description:
        'The share of the instances that this cluster may use, from 0 to 1. Kerf cannot see what other clusters and accounts use.',
      default: '1',
      pattern: SHARE,
      maxLength: 10,
    }),
    usdPerHour: optional(
      text({
        description:
          'The amortised price of one instance in US dollars per hour: what was paid for it, divided by its hours. Only reports use this price; for decisions, a covered node costs nothing more.',
        pattern: ABOVE_ZERO,
        maxLength: 20,
      }),
    ),
    start: optional(
      text({
        description: 'When the commitment starts, for example 2026-01-01T00:00:00Z. Absent: it has started.',
        pattern: UTC_TIME,
        maxLength: 20,
      }),
    ),
    end: optional(
      text({
        description: 'When the commitment ends, for example 2027-01-01T00:00:00Z. Absent: it does not end.',
        pattern: UTC_TIME,
        maxLength: 20,
      }),
    ),
  },
  {
    description:
      'On-demand instances that are paid for whether they run or not, for example reserved instances. Until they are used up, a node of this type costs nothing more.',
    rules: [
      {
        rule: '!has(self.start) || !has(self.end) || self.start < self.end',
        message: '"end" must be after "start"',
      },
    ],
  },
)

const discount = object(
  {
    factor: text({
      description: 'The factor on the price of the cloud, above 0 and up to 1. With 0.85, the price is 15 % lower.',
      pattern: FACTOR,
      maxLength: 20,
    }),
    instanceTypes: optional(
      listField(text({ description: 'A name, or its beginning with a "*".', pattern: TYPE_NAMES, maxLength: 63 }), {
        description:
          'The instance types with the discount: names, or beginnings of names with a "*", for example "m5.*". Absent: every instance type.',
        listType: 'set',
        minItems: 1,
        maxItems: 100,
      }),
    ),
    capacityTypes: optional(
      listField(enumField(['on-demand', 'spot'], { description: 'A capacity type.' }), {
        description: 'The capacity types with the discount: on-demand, spot, or both. Absent: on-demand.',
        listType: 'set',
        minItems: 1,
        maxItems: 2,
      }),
    ),
  },
  { description: 'A negotiated discount on the prices of the cloud. It does not change prices of the price book.' },
)

const commitment = object(
  {
    name: text({
      description: 'The name of the commitment, in reports and metrics.',
      pattern: '^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$',
      maxLength: 63,
    }),
    prepaid: optional(prepaid),
    discount: optional(discount),
  },
  {
    description: 'One commitment: prepaid instances, or a discount.',
    rules: [
      {
        rule: 'has(self.prepaid) != has(self.discount)',
        message: 'exactly one of "prepaid" and "discount" must be set',
      },
    ],
  },
)

/** The section `commitments` of a ClusterPolicy. */
export const commitments = listField(commitment, {
  description:
    'What was agreed with the cloud: prepaid instances and discounts. If several commitments cover a node, it uses the one with a zone first, then the first of the list. Absent: the prices of the cloud apply.',
  listType: 'map',
  listMapKeys: ['name'],
  minItems: 1,
  maxItems: MOST_COMMITMENTS,
})

const commitmentUse = object(
  {
    name: text({ description: 'The name of the commitment.' }),
    state: text({ description: 'Active, Pending (before its start) or Ended.' }),
    covers: text({ description: 'How many instances the commitment covers in this cluster.' }),
    used: text({ description: 'How many of them nodes use.' }),
    unused: text({ description: 'How many of them no node uses.' }),
  },
  { description: 'One commitment and its use.' },
)

/** The section `commitments` of the status of a ClusterPolicy. */
export const commitmentsStatus = listField(commitmentUse, {
  description: 'The prepaid commitments and their use, at most a few seconds old.',
  listType: 'map',
  listMapKeys: ['name'],
  maxItems: MOST_COMMITMENTS,
})
