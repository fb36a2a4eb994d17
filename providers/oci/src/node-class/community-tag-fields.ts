import { anyText, mapField, optional } from '@kerf/apis/schema'

const RESERVED = [
  'karpenter.sh/nodepool',
  'karpenter.sh/nodeclaim',
  'karpenter.sh/managed-by',
  'karpenter.k8s.oracle/ocinodeclass',
]

/** The OciNodeClass fields that contain tags. */
export const communityTagFields = () => ({
  tags: optional(
    mapField(anyText(), {
      description: 'Deprecated and not used. Set definedTags or freeFormTags.',
      rules: [
        { rule: "self.all(k, k != '')", message: 'a key of "tags" must not be empty' },
        {
          rule: "self.all(k, !k.startsWith('kubernetes.io/cluster'))",
          message: 'keys of "tags" that begin with kubernetes.io/cluster are reserved',
        },
        ...RESERVED.map((key) => ({
          rule: `self.all(k, k != '${key}')`,
          message: `the key ${key} of "tags" is reserved`,
        })),
      ],
    }),
  ),
  definedTags: optional(
    mapField(
      mapField(anyText(), {
        description: 'The values of one namespace by key.',
        maxProperties: 64,
        rules: [
          { rule: "self.all(k, !k.contains('.'))", message: 'a tag key must not contain a dot' },
          { rule: "self.all(k, !k.contains(' '))", message: 'a tag key must not contain a space' },
          { rule: 'self.all(k, size(k) <= 100)', message: 'a tag key must have at most 100 characters' },
          { rule: 'self.all(k, size(self[k]) <= 256)', message: 'a tag value must have at most 256 characters' },
        ],
      }),
      {
        description: 'Defined tags of the instances, by namespace and key.',
        maxProperties: 64,
        rules: [
          { rule: "self.all(k, k != '')", message: 'a namespace of "definedTags" must not be empty' },
          { rule: "self.all(k, !k.contains('.'))", message: 'a namespace of "definedTags" must not contain a dot' },
          { rule: "self.all(k, !k.contains(' '))", message: 'a namespace of "definedTags" must not contain a space' },
          {
            rule: 'self.all(k, size(k) <= 100)',
            message: 'a namespace of "definedTags" must have at most 100 characters',
          },
        ],
      },
    ),
  ),
  freeFormTags: optional(
    mapField(anyText(), {
      description: 'Free-form tags of the instances.',
      maxProperties: 10,
      rules: [
        { rule: "self.all(k, !k.contains(' '))", message: 'a key of "freeFormTags" must not contain a space' },
        { rule: "self.all(k, !k.contains('.'))", message: 'a key of "freeFormTags" must not contain a dot' },
        { rule: 'self.all(k, size(k) <= 100)', message: 'a key of "freeFormTags" must have at most 100 characters' },
      ],
    }),
  ),
})
