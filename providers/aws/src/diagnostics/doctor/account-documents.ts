/** Output of the AWS CLI. Documents are found by the field that contains their list. */

/** The fields that checks read, with the command that prints each. */
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

export type CloudRecord = Readonly<Record<string, unknown>>

/** Returns the name of a field in the `reads` of a check. */
export const ofCloud = (field: CloudField): string => `AWS ${field}`

export const isRecord = (value: unknown): value is CloudRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Returns the records of a list. Returns an empty list for any other value. */
export const records = (value: unknown): readonly CloudRecord[] => (Array.isArray(value) ? value.filter(isRecord) : [])

/** Returns the tags of a record, from the form `[{Key, Value}]`. */
export const tagsOf = (record: CloudRecord): ReadonlyMap<string, string> =>
  new Map(records(record['Tags']).map((tag) => [text(tag['Key']), text(tag['Value'])]))

const isField = (key: string): key is CloudField => Object.hasOwn(cloudCommands, key)

/** Documents by the fields that they contain. `others` has the files of documents without a known field. */
export class CloudExport {
  readonly #byField = new Map<CloudField, unknown[]>()
  readonly others: readonly string[]

  constructor(documents: readonly { readonly value: unknown; readonly file: string }[]) {
    const others: string[] = []
    const all = documents.flatMap(({ value, file }) =>
      (Array.isArray(value) ? value : [value]).map((each: unknown) => ({ value: each, file })),
    )
    for (const { value, file } of all) {
      // The version of a managed policy contains its document one level deeper.
      const inner = isRecord(value) && isRecord(value['PolicyVersion']) ? value['PolicyVersion'] : value
      const document = isRecord(inner) && isRecord(inner['Document']) ? { PolicyDocument: inner['Document'] } : inner
      const fields = isRecord(document) ? Object.keys(document).filter(isField) : []
      if (fields.length === 0) others.push(file)
      for (const field of fields) {
        const content = isRecord(document) ? document[field] : undefined
        this.#byField.set(field, [
          ...(this.#byField.get(field) ?? []),
          ...(Array.isArray(content) ? content : [content]),
        ])
      }
    }
    this.others = others
  }

  has(field: CloudField): boolean {
    return this.#byField.has(field)
  }

  /** Returns all records of the field, from all documents. */
  of(field: CloudField): readonly CloudRecord[] {
    return records(this.#byField.get(field))
  }

  /** Returns all strings of the field, from all documents. */
  texts(field: CloudField): readonly string[] {
    return (this.#byField.get(field) ?? []).filter((each) => typeof each === 'string')
  }
}
