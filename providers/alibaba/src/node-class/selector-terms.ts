import { anyText, listField, mapField, object, optional, type Rule, text } from '@kerf/apis/schema'

/**
 * The terms that select vSwitches, security groups and images (`providers/alibaba/docs/spec/alibaba.md#spec`). Like in Karpenter's CRD, the
 * patterns are not anchored, and the rules reject only lists in which every term mixes fields. Stricter rules would reject stored objects.
 * The status controller reports invalid terms that the rules accept.
 */

const tags = () =>
  optional(
    mapField(anyText(), {
      description: 'Tags that must all be present with these values. The value * matches any value.',
      maxProperties: 20,
      rules: [{ rule: "self.all(k, k != '')", message: 'a tag needs a key' }],
    }),
  )

const notEmpty: Rule = { rule: 'self.size() != 0', message: 'at least one term is required' }

const anyField = (fields: readonly string[]): Rule => ({
  rule: `self.all(x, ${fields.map((field) => `has(x.${field})`).join(' || ')})`,
  message: `each term needs one of ${fields.map((field) => `"${field}"`).join(', ')}`,
})

const mixes = (field: string, others: readonly string[]): string =>
  `has(x.${field}) && (${others.map((other) => `has(x.${other})`).join(' || ')})`

const notAllMix = (field: string, others: readonly string[]): Rule => ({
  rule: `!self.all(x, ${mixes(field, others)})`,
  message: `"${field}" must be the only field of its term`,
})

const ALTERNATIVES = 'Terms are alternatives; all fields of one term must match.'

export const vSwitchSelectorTerms = () =>
  listField(
    object(
      {
        tags: tags(),
        id: optional(text({ description: 'The ID of the vSwitch.', pattern: 'vsw-[0-9a-z]+' })),
      },
      { description: 'One way to select vSwitches.' },
    ),
    {
      description: `The vSwitches in which instances are launched. Their zones are the zones of the class. ${ALTERNATIVES}`,
      listType: 'atomic',
      maxItems: 30,
      rules: [notEmpty, anyField(['tags', 'id']), notAllMix('id', ['tags'])],
    },
  )

export const securityGroupSelectorTerms = () =>
  listField(
    object(
      {
        tags: tags(),
        id: optional(text({ description: 'The ID of the security group.', pattern: 'sg-[0-9a-z]+' })),
        name: optional(text({ description: 'The name of the security group, which is not its tag Name.' })),
      },
      { description: 'One way to select security groups.' },
    ),
    {
      description: `The security groups of the instances; all that match are used. ${ALTERNATIVES}`,
      listType: 'atomic',
      maxItems: 30,
      rules: [
        notEmpty,
        anyField(['tags', 'id', 'name']),
        notAllMix('id', ['tags', 'name']),
        notAllMix('name', ['tags', 'id']),
      ],
    },
  )

/** The families of images that ACK publishes. */
const imageFamilies = ['AlibabaCloudLinux3', 'ContainerOS'] as const

const alias = text({
  description:
    'A family of images that ACK publishes for the version of the cluster: AlibabaCloudLinux3 or ContainerOS, optionally with @latest. With @latest, Karpenter’s own CRD does not accept the class.',
  maxLength: 30,
  rules: [
    {
      rule: "self.matches('^[a-zA-Z0-9]+(@latest)?$')",
      message: 'an alias is the name of a family, optionally followed by "@latest"',
    },
    {
      rule: `self.find('^[^@]+') in [${imageFamilies.map((family) => `'${family}'`).join(', ')}]`,
      message: `the family of an alias must be one of ${imageFamilies.join(', ')}`,
    },
  ],
})

export const imageSelectorTerms = () =>
  listField(
    object(
      { alias: optional(alias), id: optional(text({ description: 'The ID of the image.' })) },
      { description: 'One way to select images.' },
    ),
    {
      description: `The images from which instances start. Each instance type uses the first one for its architecture. ${ALTERNATIVES}`,
      listType: 'atomic',
      minItems: 1,
      maxItems: 30,
      rules: [
        notEmpty,
        anyField(['id', 'alias']),
        { rule: '!self.exists(x, has(x.id) && has(x.alias))', message: '"id" and "alias" cannot be in one term' },
        {
          rule: '!(self.exists(x, has(x.alias)) && self.size() != 1)',
          message: 'a term with "alias" must be the only term: it selects the images of every architecture',
        },
      ],
    },
  )
