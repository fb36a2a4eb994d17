import { enumField, listField, mapField, object, optional, type Rule, text } from '@kerf/apis/schema'

/**
 * The terms that select existing resources of the account for an EC2NodeClass (`providers/aws/docs/spec/aws-node-class.md#nested-types`,
 * `providers/aws/docs/spec/aws-node-class.md#admission-rules`).
 */

const tags = () =>
  optional(
    mapField(text({ description: 'The value of the tag, or * for any value.' }), {
      description: 'Tags that must all exist with these values; the value * matches any value.',
      maxProperties: 20,
      rules: [
        { rule: 'self.size() > 0', message: 'set at least one tag, or omit "tags"' },
        {
          rule: "self.all(k, k != '' && self[k] != '')",
          message: 'a tag needs a key and a value; use "*" for any value',
        },
      ],
    }),
  )

const id = (what: string, pattern: string) => optional(text({ description: `The ID of the ${what}.`, pattern }))

const anyOf = (fields: readonly string[]): Rule => ({
  rule: `self.all(x, ${fields.map((field) => `has(x.${field})`).join(' || ')})`,
  message: `each term needs one of ${fields.map((field) => `"${field}"`).join(', ')}`,
})

const notEmpty: Rule = { rule: 'self.size() != 0', message: 'at least one term is required' }

const combines = (field: string, others: readonly string[]): string =>
  `has(x.${field}) && (${others.map((other) => `has(x.${other})`).join(' || ')})`
const aloneMessage = (field: string): string =>
  `"${field}" cannot be combined with other fields: use a separate term for them`

/** Like upstream, refuses a list only if every term combines the field with other fields. A stricter rule would refuse stored objects. */
const notAllCombine = (field: string, others: readonly string[]): Rule => ({
  rule: `!self.all(x, ${combines(field, others)})`,
  message: aloneMessage(field),
})

const noneCombines = (field: string, others: readonly string[]): Rule => ({
  rule: `!self.exists(x, ${combines(field, others)})`,
  message: aloneMessage(field),
})

const ONE_OF_MANY = 'Terms are alternatives; all fields of a term must match.'

export const subnetSelectorTerms = () =>
  listField(
    object({ tags: tags(), id: id('subnet', 'subnet-[0-9a-z]+') }, { description: 'A selector term for subnets.' }),
    {
      description: `The subnets of the instances. ${ONE_OF_MANY}`,
      listType: 'atomic',
      maxItems: 30,
      rules: [notEmpty, anyOf(['tags', 'id']), notAllCombine('id', ['tags'])],
    },
  )

export const securityGroupSelectorTerms = () =>
  listField(
    object(
      {
        tags: tags(),
        id: id('security group', 'sg-[0-9a-z]+'),
        name: optional(text({ description: 'The group name (not the tag Name).' })),
      },
      { description: 'A selector term for security groups.' },
    ),
    {
      description: `The security groups of the network interfaces; all matching groups are used. ${ONE_OF_MANY}`,
      listType: 'atomic',
      maxItems: 30,
      rules: [
        notEmpty,
        anyOf(['tags', 'id', 'name']),
        notAllCombine('id', ['tags', 'name']),
        notAllCombine('name', ['tags', 'id']),
      ],
    },
  )

export const capacityReservationSelectorTerms = () =>
  optional(
    listField(
      object(
        {
          tags: tags(),
          id: id('capacity reservation', '^cr-[0-9a-z]+$'),
          ownerID: optional(
            text({ description: 'The account that owns the reservation, twelve digits.', pattern: '^[0-9]{12}$' }),
          ),
          instanceMatchCriteria: optional(
            enumField(['open', 'targeted'], {
              description:
                'Whether any matching instance uses the reservation (open) or only instances that target it.',
            }),
          ),
        },
        { description: 'A selector term for capacity reservations.' },
      ),
      {
        description: `The capacity reservations for instances. Requires the feature gate ReservedCapacity. ${ONE_OF_MANY}`,
        listType: 'atomic',
        maxItems: 30,
        rules: [
          anyOf(['tags', 'id', 'instanceMatchCriteria']),
          notAllCombine('id', ['tags', 'ownerID', 'instanceMatchCriteria']),
        ],
      },
    ),
  )

/** AMI families as in `amiFamily`. In an alias they are in lower case. */
export const aliasFamilies = ['AL2', 'AL2023', 'Bottlerocket', 'Windows2019', 'Windows2022', 'Windows2025'] as const
const aliases = aliasFamilies.map((family) => family.toLowerCase())
const inCel = (values: readonly string[]): string => `[${values.map((value) => `'${value}'`).join(', ')}]`

const alias = text({
  description:
    'An image that AWS publishes for Kubernetes, as family@version: al2023@latest, bottlerocket@v1.20.4. The family is al2, al2023, bottlerocket, windows2019, windows2022 or windows2025; with latest, nodes drift to each new image. Windows has only latest.',
  maxLength: 30,
  rules: [
    {
      rule: "self.matches('^[a-zA-Z0-9]+@.+$')",
      message: 'an alias has the form family@version, for example "al2023@latest"',
    },
    {
      rule: `self.find('^[^@]+') in ${inCel(aliases)}`,
      message: `the family of an alias must be one of ${aliases.join(', ')}`,
    },
    {
      rule: `!(self.find('^[^@]+') in ${inCel(aliases.filter((family) => family.startsWith('windows')))}) || self.find('@[^@]*') == '@latest'`,
      message: 'a Windows alias must have the version "latest"',
    },
  ],
})

export const amiSelectorTerms = () =>
  listField(
    object(
      {
        alias: optional(alias),
        tags: tags(),
        id: id('image', 'ami-[0-9a-z]+'),
        name: optional(text({ description: 'The name of the image, with wildcards * and ?.' })),
        owner: optional(
          text({
            description:
              'The owner of the image: an account ID, self, amazon or aws-marketplace. Absent: self and amazon if a name is set, otherwise any owner.',
          }),
        ),
        ssmParameter: optional(
          text({ description: 'The name or ARN of the Systems Manager parameter with the image ID.' }),
        ),
      },
      { description: 'A selector term for images.' },
    ),
    {
      description: `The images of the instances; each instance type uses the newest compatible image. ${ONE_OF_MANY}`,
      listType: 'atomic',
      maxItems: 30,
      rules: [
        notEmpty,
        anyOf(['tags', 'id', 'name', 'alias', 'ssmParameter']),
        noneCombines('id', ['alias', 'tags', 'name', 'owner']),
        noneCombines('alias', ['id', 'tags', 'name', 'owner']),
        {
          rule: '!(self.exists(x, has(x.alias)) && self.size() != 1)',
          message: '"alias" cannot be combined with other terms: it matches images of every architecture',
        },
      ],
    },
  )
