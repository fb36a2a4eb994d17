import { compileCrdSchema } from '../schema/compiled-schema.ts'
import { listField, object, optional, text } from '../schema/field.ts'
import type { FieldError } from '../schema/field-error.ts'
import type { JsonObject } from '../schema/structural-schema.ts'
import { commitment, MOST_COMMITMENTS, SHARE } from './commitment-fields.ts'

/** The name of the ConfigMap with commitments, if the policy does not specify another name. Kerf may read only this ConfigMap. */
export const COMMITMENT_CONFIG_MAP = 'kerf-commitments'

/** The key in that ConfigMap whose value is the list of commitments. */
export const COMMITMENT_KEY = 'commitments.yaml'

const configMap = object(
  {
    name: text({
      description:
        'The name of the ConfigMap, in the namespace of Kerf. If you set another name than the default, allow the ServiceAccount of Kerf to get the ConfigMap.',
      default: COMMITMENT_CONFIG_MAP,
      pattern: '^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$',
      maxLength: 253,
    }),
    key: text({
      description: 'The key of the ConfigMap that contains the commitments.',
      default: COMMITMENT_KEY,
      pattern: '^[-._a-zA-Z0-9]+$',
      maxLength: 253,
    }),
  },
  { description: 'Reads the commitments from a ConfigMap, every minute.' },
)

const account = object(
  {
    share: text({
      description:
        'The share of each commitment that this cluster may use, from 0 to 1. Kerf cannot see what other clusters and accounts use.',
      default: '1',
      pattern: SHARE,
      maxLength: 10,
    }),
  },
  {
    description:
      'Reads the commitments from the account of the cloud, every hour. Not every provider can do this, and it needs further permissions.',
  },
)

/** The section `commitmentSource` of a ClusterPolicy. */
export const commitmentSource = object(
  {
    configMap: optional(configMap),
    file: optional(
      text({
        description:
          'The absolute path of a file with the commitments, mounted into the pod of Kerf. Kerf reads it every minute.',
        pattern: '^/.+$',
        maxLength: 1000,
      }),
    ),
    account: optional(account),
  },
  {
    description:
      'Where further commitments are read. They follow those of "commitments", which apply instead of commitments of the same name. Absent: there are no others.',
    rules: [
      {
        rule: '[has(self.configMap), has(self.file), has(self.account)].exists_one(each, each)',
        message: 'exactly one of "configMap", "file" and "account" must be set',
      },
    ],
  },
)

const readCommitments = listField(commitment, {
  description: 'The commitments in force. They stay in force while the source cannot be read.',
  listType: 'map',
  listMapKeys: ['name'],
  maxItems: MOST_COMMITMENTS,
})

/** The section `commitmentSource` of the status of a ClusterPolicy. */
export const commitmentSourceStatus = object(
  {
    source: text({ description: 'Where the commitments come from: the ConfigMap, the file or the account.' }),
    readAt: text({ description: 'When Kerf first read these commitments.', format: 'date-time' }),
    commitments: readCommitments,
  },
  { description: 'The commitments that were read.' },
)

const document = object({ commitments: readCommitments }, { description: 'A document with commitments.' })
let compiled: ReturnType<typeof compileCrdSchema> | undefined

/** The result of `readCommitmentDocument`. */
export interface CommitmentDocument {
  /** The document with defaults. Use it only if there are no errors. */
  readonly document: JsonObject
  readonly unknownFields: readonly string[]
  readonly errors: readonly FieldError[]
}

/** Checks a document with a list of commitments by the rules of `spec.commitments`, as an API server does. */
export const readCommitmentDocument = (value: JsonObject): CommitmentDocument => {
  compiled ??= compileCrdSchema(JSON.parse(JSON.stringify(document)))
  const filled = compiled.default(value)
  return { document: filled, unknownFields: compiled.unknownFields(filled), errors: compiled.validateCreate(filled) }
}
