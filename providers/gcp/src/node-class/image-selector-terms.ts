import { enumField, listField, object, optional, type Rule, text } from '@kerf/apis/schema'

const COS_VERSION = '[0-9]+[.][0-9]+[.][0-9]+[.][0-9]+'
const UBUNTU_VERSION = 'v[0-9]{8}'

const versionOf = (family: string, pattern: string, example: string): Rule => ({
  rule: `!has(self.version) || !has(self.family) || self.family != '${family}' || self.version == 'latest' || self.version.matches('^${pattern}$')`,
  message: `the "version" of ${family} must be "latest" or of the form ${example}`,
})

const term = object(
  {
    alias: optional(
      text({
        description:
          'Deprecated, use family. Family and version of an image, for example ContainerOptimizedOS@latest. Ubuntu means Ubuntu 24.04.',
        maxLength: 60,
        rules: [
          {
            rule: "self.matches('^[a-zA-Z0-9]+@.+$')",
            message: '"alias" must have the form FAMILY@VERSION',
          },
          {
            rule: "self.find('^[^@]+') in ['ContainerOptimizedOS', 'Ubuntu']",
            message: 'the family of "alias" must be ContainerOptimizedOS or Ubuntu',
          },
          {
            rule: `!self.startsWith('ContainerOptimizedOS@') || self.matches('^ContainerOptimizedOS@(latest|${COS_VERSION})$')`,
            message: 'the version of ContainerOptimizedOS must be "latest" or of the form 125.19216.104.126',
          },
          {
            rule: `!self.startsWith('Ubuntu@') || self.matches('^Ubuntu@(latest|${UBUNTU_VERSION})$')`,
            message: 'the version of Ubuntu must be "latest" or of the form v20260416',
          },
        ],
      }),
    ),
    id: optional(
      text({
        description: 'One image, as projects/PROJECT/global/images/NAME.',
        maxLength: 160,
        rules: [{ rule: "self.matches('^.*$')", message: '"id" must be a single line' }],
      }),
    ),
    family: optional(
      enumField(['ContainerOptimizedOS', 'Ubuntu2404', 'Ubuntu2204'], {
        description: 'The operating system. Needs either channel or version.',
      }),
    ),
    channel: optional(
      enumField(['rapid', 'regular', 'stable', 'extended', 'cluster'], {
        description:
          'The release channel of GKE whose node version the image belongs to. cluster: the channel of the cluster. For ContainerOptimizedOS only.',
      }),
    ),
    version: optional(
      text({
        description: 'latest, or one version: 125.19216.104.126 for ContainerOptimizedOS, v20260416 for Ubuntu.',
        maxLength: 32,
      }),
    ),
  },
  {
    description: 'One selection of images: exactly one of alias, id and family.',
    rules: [
      {
        rule: '!has(self.family) || has(self.channel) || has(self.version)',
        message: '"family" needs either "channel" or "version"',
      },
      {
        rule: '!(has(self.channel) || has(self.version)) || has(self.family)',
        message: '"channel" and "version" need "family"',
      },
      {
        rule: '!(has(self.channel) && has(self.version))',
        message: 'set either "channel" or "version", not both',
      },
      {
        rule: "!has(self.channel) || (has(self.family) && self.family == 'ContainerOptimizedOS')",
        message: '"channel" is for the family ContainerOptimizedOS only',
      },
      {
        rule: '(has(self.alias) ? 1 : 0) + (has(self.id) ? 1 : 0) + (has(self.family) ? 1 : 0) == 1',
        message: 'set exactly one of "alias", "id" and "family"',
      },
      versionOf('ContainerOptimizedOS', COS_VERSION, '125.19216.104.126'),
      versionOf('Ubuntu2404', UBUNTU_VERSION, 'v20260416'),
      versionOf('Ubuntu2204', UBUNTU_VERSION, 'v20260416'),
    ],
  },
)

/** The field `spec.imageSelectorTerms` (`providers/gcp/docs/spec/gcp.md#image-selector-terms`). */
export const imageSelectorTerms = () =>
  listField(term, {
    description:
      'The images of the nodes. Terms are alternatives. The first image found that an instance type can boot is used.',
    listType: 'atomic',
    minItems: 1,
    maxItems: 30,
    rules: [
      {
        rule: 'self.all(x, has(x.alias) || has(x.id) || has(x.family))',
        message: 'each term needs one of "alias", "id" and "family"',
      },
      {
        rule: "!(self.exists(t, has(t.channel)) && self.exists(t, has(t.family) && t.family == 'ContainerOptimizedOS' && has(t.version) && t.version == 'latest'))",
        message:
          'a term with "channel" and a term of ContainerOptimizedOS with the version "latest" exclude each other',
      },
    ],
  })
