import { AWS_GROUP, awsOverlayLabels, awsPoolLabels } from '../aws-labels.ts'
import type { ResourceKind } from '../kubernetes/kinds.ts'
import { ownValue } from '../own-value.ts'
import type { Rule } from '../schema/field.ts'
import type { StructuralSchema } from '../schema/structural-schema.ts'
import { nodeClaimResource } from './node-claim.ts'
import { nodeOverlayResource } from './node-overlay.ts'
import { nodePoolResource } from './node-pool.ts'

/**
 * The additional rule of the CustomResourceDefinitions for AWS: labels of the AWS domain must be known
 * (`docs/spec/resources.md#nodepool`, AWS-K and AWS-L).
 */

const message = `of the labels of the domain "${AWS_GROUP}" only those that EC2 instances have may be used`

const allowed = (key: string, labels: readonly string[]): string =>
  `${key} in [${labels.map((label) => `'${label}'`).join(', ')}] || !${key}.find('^([^/]+)').endsWith('${AWS_GROUP}')`

const keyRule = (labels: readonly string[]): Rule => ({ rule: allowed('self', labels), message })
const mapRule = (labels: readonly string[]): Rule => ({ rule: `self.all(k, ${allowed('k', labels)})`, message })

/** Returns the schema with a rule added at the path. `[]` stands for the items of a list. */
const withRule = (schema: StructuralSchema, path: readonly string[], rule: Rule): StructuralSchema => {
  const [step, ...rest] = path
  if (step === undefined)
    return { ...schema, 'x-kubernetes-validations': [...(schema['x-kubernetes-validations'] ?? []), rule] }
  if (step === '[]') return { ...schema, items: withRule(schema.items ?? {}, rest, rule) }
  const inner = ownValue(schema.properties, step)
  if (inner === undefined) throw new Error(`the schema has no field ${step}`)
  return { ...schema, properties: { ...schema.properties, [step]: withRule(inner, rest, rule) } }
}

const KEY_OF_REQUIREMENT = ['requirements', '[]', 'key']

const additions: readonly (readonly [ResourceKind, readonly string[], Rule])[] = [
  [nodePoolResource.kind, ['spec', 'template', 'metadata', 'labels'], mapRule(awsPoolLabels)],
  [nodePoolResource.kind, ['spec', 'template', 'spec', ...KEY_OF_REQUIREMENT], keyRule(awsPoolLabels)],
  [nodeClaimResource.kind, ['spec', ...KEY_OF_REQUIREMENT], keyRule(awsPoolLabels)],
  [nodeOverlayResource.kind, ['spec', ...KEY_OF_REQUIREMENT], keyRule(awsOverlayLabels)],
]

/** Returns the schema of a kind with the rules for AWS. Other kinds stay unchanged. */
export const withAwsRules = (kind: ResourceKind, schema: StructuralSchema): StructuralSchema =>
  additions.filter(([each]) => each === kind).reduce((changed, [, path, rule]) => withRule(changed, path, rule), schema)
