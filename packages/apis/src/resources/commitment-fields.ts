import { enumField, listField, object, optional, text, whole } from '../schema/field.ts'
import { ABOVE_ZERO, CALENDAR_DAY } from './price-book-fields.ts'

/** The maximum number of commitments in a policy. */
export const MOST_COMMITMENTS = 200

/** The maximum number of instances of one commitment. */
const MOST_INSTANCES = 100_000

/** The maximum number of vCPUs of one commitment. */
const MOST_VCPUS = 10_000_000

/** The pattern of a number from 0 to 1. */
export const SHARE = '^(0(\\.\\d+)?|1(\\.0+)?)$'
/** The pattern of a number above 0 and up to 1. */
const FACTOR = '^(0\\.\\d*[1-9]\\d*|1(\\.0+)?)$'
/** The pattern of an RFC 3339 time in UTC, without a fraction. Two such times can be compared as strings. */
const UTC_TIME = `^${CALENDAR_DAY}T([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\dZ$`
/** The pattern of the name of an instance type. */
const TYPE_NAME = '^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$'
/** The pattern of the name of an instance type, or of a name prefix followed by `*`. */
const TYPE_NAMES = '^[A-Za-z0-9][-A-Za-z0-9_.]*\\*?$'

const rate = object(
  {
    instanceType: text({ description: 'The instance type.', pattern: TYPE_NAME, maxLength: 63 }),
    usdPerHour: text({
      description: 'What one instance uses of the commitment, in US dollars per hour.',
      pattern: ABOVE_ZERO,
      maxLength: 20,
    }),
  },
  { description: 'The rate of one instance type.' },
)

const rates = object(
  {
    factor: optional(
      text({
        description:
          'The rate of an instance type as a factor on its on-demand price, above 0 and up to 1, for example "0.72". Absent: the commitment covers only the types in "instanceTypes".',
        pattern: FACTOR,
        maxLength: 20,
      }),
    ),
    instanceTypes: optional(
      listField(rate, {
        description: 'Rates by instance type. They apply instead of "factor".',
        listType: 'map',
        listMapKeys: ['instanceType'],
        minItems: 1,
        maxItems: 1000,
      }),
    ),
  },
  {
    description: 'The rates at which instances use "committedUsdPerHour".',
    rules: [
      {
        rule: 'has(self.factor) || has(self.instanceTypes)',
        message: 'at least one of "factor" and "instanceTypes" must be set',
      },
    ],
  },
)

const prepaid = object(
  {
    instanceType: optional(
      text({
        description: 'The instance type that is paid for, for example m5.large. Required with "count".',
        pattern: TYPE_NAME,
        maxLength: 63,
      }),
    ),
    count: optional(
      whole({
        description: 'How many instances of "instanceType" are paid for.',
        format: 'int32',
        minimum: 1,
        maximum: MOST_INSTANCES,
      }),
    ),
    instanceTypes: optional(
      listField(text({ description: 'A name, or its beginning with a "*".', pattern: TYPE_NAMES, maxLength: 63 }), {
        description:
          'The instance types that are paid for, without "count": names, or beginnings of names with a "*", for example "m5.*". Absent: every instance type.',
        listType: 'set',
        minItems: 1,
        maxItems: 100,
      }),
    ),
    normalizedUnits: optional(
      text({
        description:
          'The size of a reservation that covers all sizes of a family, in normalised units. For example, two reservations of m5.xlarge are "16". Requires "instanceTypes".',
        pattern: ABOVE_ZERO,
        maxLength: 20,
      }),
    ),
    vcpus: optional(
      whole({
        description: 'How many vCPUs are paid for. An instance uses as many as it has, and is covered as a whole.',
        format: 'int32',
        minimum: 1,
        maximum: MOST_VCPUS,
      }),
    ),
    committedUsdPerHour: optional(
      text({
        description:
          'The hourly commitment of a savings plan in US dollars, at the rates of the plan. Requires "rates".',
        pattern: ABOVE_ZERO,
        maxLength: 20,
      }),
    ),
    rates: optional(rates),
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
          'The zone of the instances: the value of the label topology.kubernetes.io/zone. Only with "count". Absent: every zone of the region.',
        pattern: '^[-a-zA-Z0-9_.]+$',
        maxLength: 63,
      }),
    ),
    share: text({
      description:
        'The share of the commitment that this cluster may use, from 0 to 1. Kerf cannot see what other clusters and accounts use.',
      default: '1',
      pattern: SHARE,
      maxLength: 10,
    }),
    usdPerHour: optional(
      text({
        description:
          'The amortised price of one instance, normalised unit or vCPU in US dollars per hour: what was paid for it, divided by its hours. Only reports use this price; for decisions, a covered node costs nothing more.',
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
      'On-demand capacity that is paid for whether it runs or not, for example reserved instances or a savings plan. Until it is used up, a node that it covers costs nothing more.',
    rules: [
      {
        rule: '[has(self.count), has(self.normalizedUnits), has(self.vcpus), has(self.committedUsdPerHour)].exists_one(each, each)',
        message: 'exactly one of "count", "normalizedUnits", "vcpus" and "committedUsdPerHour" must be set',
      },
      {
        rule: 'has(self.count) == has(self.instanceType)',
        message: '"instanceType" must be set together with "count"',
      },
      {
        rule: '!has(self.count) || !has(self.instanceTypes)',
        message: '"instanceTypes" must not be set together with "count"',
      },
      {
        rule: '!has(self.normalizedUnits) || has(self.instanceTypes)',
        message: '"instanceTypes" must be set together with "normalizedUnits"',
      },
      {
        rule: 'has(self.rates) == has(self.committedUsdPerHour)',
        message: '"rates" must be set together with "committedUsdPerHour"',
      },
      {
        rule: '!has(self.zone) || has(self.count)',
        message: '"zone" may be set only together with "count"',
      },
      {
        rule: '!has(self.usdPerHour) || !has(self.committedUsdPerHour)',
        message: '"usdPerHour" must not be set together with "committedUsdPerHour"',
      },
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

/** One entry of `commitments`. */
export const commitment = object(
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
    description: 'One commitment: prepaid capacity, or a discount.',
    rules: [
      {
        rule: 'has(self.prepaid) != has(self.discount)',
        message: 'exactly one of "prepaid" and "discount" must be set',
      },
    ],
  },
)

/** The `commitments` section of a ClusterPolicy. */
export const commitments = listField(commitment, {
  description:
    'What was agreed with the cloud: prepaid capacity and discounts. If several commitments cover a node, it uses them in the order of the bill: instances of a zone, instances, normalised units, vCPUs, savings plans for some instance types, other savings plans; then in the order of the list. Absent: the prices of the cloud apply.',
  listType: 'map',
  listMapKeys: ['name'],
  minItems: 1,
  maxItems: MOST_COMMITMENTS,
})

const commitmentUse = object(
  {
    name: text({ description: 'The name of the commitment.' }),
    state: text({ description: 'Active, Pending (before its start) or Ended.' }),
    unit: optional(text({ description: 'What is counted: normalizedUnits, vcpus or usdPerHour. Absent: instances.' })),
    covers: text({ description: 'How much the commitment covers in this cluster, in its unit.' }),
    used: text({ description: 'How much of it nodes use.' }),
    unused: text({ description: 'How much of it no node uses.' }),
  },
  { description: 'One commitment and its use.' },
)

/** The `commitments` section of the status of a ClusterPolicy. */
export const commitmentsStatus = listField(commitmentUse, {
  description: 'The prepaid commitments and their use, at most a few seconds old.',
  listType: 'map',
  listMapKeys: ['name'],
  maxItems: MOST_COMMITMENTS,
})
