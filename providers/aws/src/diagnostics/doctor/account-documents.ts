import type { AccountDocuments, CloudDocuments } from '@kerf/provider-contract'
import { asObjects, asText, isLoose, type Loose } from '@kerf/provider-kit/documents'

/** The fields of account documents that checks read, each with the AWS CLI command that prints it. */
export const cloudCommands = {
  AutoScalingGroups: 'aws autoscaling describe-auto-scaling-groups',
  Subnets: 'aws ec2 describe-subnets',
  SecurityGroups: 'aws ec2 describe-security-groups',
  Images: 'aws ec2 describe-images --image-ids …',
  LaunchTemplateVersions: 'aws ec2 describe-launch-template-versions --versions $Default',
  LaunchTemplates: 'aws ec2 describe-launch-templates',
  Reservations: 'aws ec2 describe-instances',
  EvaluationResults: 'aws iam simulate-principal-policy',
  PolicyDocument: 'aws iam get-role-policy',
  AttachedPolicies: 'aws iam list-attached-role-policies --role-name NODE-ROLE',
  accessEntries: 'aws eks list-access-entries',
  Attributes: 'aws sqs get-queue-attributes --attribute-names All',
  Rules: 'aws events list-rules',
  Quotas: 'aws service-quotas list-service-quotas --service-code ec2',
} as const

export type CloudField = keyof typeof cloudCommands

/** Returns the name by which a check's `reads` refers to the field. */
export const ofCloud = (field: CloudField): string => `AWS ${field}`

/** Returns a string, or the empty string for any other value. */
export const text = (value: unknown): string => asText(value) ?? ''

/** Returns the tags of a record that has them in the form `[{Key, Value}]`. */
export const recordTags = (record: Loose): ReadonlyMap<string, string> =>
  new Map(asObjects(record['Tags']).map((tag) => [text(tag['Key']), text(tag['Value'])]))

const isField = (key: string): key is CloudField => Object.hasOwn(cloudCommands, key)

/** Returns all records of the field, from all documents. */
export const accountRecords = (cloud: CloudDocuments, field: CloudField): readonly Loose[] =>
  cloud.of(ofCloud(field)).filter(isLoose)

/** Returns all strings of the field, from all documents. */
export const accountTexts = (cloud: CloudDocuments, field: CloudField): readonly string[] =>
  cloud.of(ofCloud(field)).filter((each) => typeof each === 'string')

/** Describes output of the AWS CLI as input for the checks. The name of a field determines which check data a document contains. */
export const accountDocuments: AccountDocuments = {
  usage: 'aws … describe-…',
  commands: Object.fromEntries(
    Object.entries(cloudCommands).map(([field, command]) => [ofCloud(field as CloudField), command]),
  ),
  read: (value) => {
    // For a version of a managed policy, the CLI nests the document one level deeper.
    const inner = isLoose(value) && isLoose(value['PolicyVersion']) ? value['PolicyVersion'] : value
    const document = isLoose(inner) && isLoose(inner['Document']) ? { PolicyDocument: inner['Document'] } : inner
    if (!isLoose(document)) return new Map()
    return new Map(
      Object.entries(document).flatMap(([key, content]) =>
        isField(key) ? [[ofCloud(key), Array.isArray(content) ? content : [content]] as const] : [],
      ),
    )
  },
}
