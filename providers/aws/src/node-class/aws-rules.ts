import type { ResourceKind, StructuralSchema } from '@kerf/apis'
import { InvariantError, karpenterKinds, ownValue } from '@kerf/apis'
import type { Rule } from '@kerf/apis/schema'
import { AWS_GROUP, awsOverlayLabels, awsPoolLabels } from '../label-names.ts'

/**
 * The additional rule of the CustomResourceDefinitions for AWS: labels of the AWS domain must be known
 * (`docs/spec/resources.md#nodepool`, AWS-K and AWS-L).
 */

const message = `only the labels of the domain "${AWS_GROUP}" that EC2 instances have may be used`

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
  if (inner === undefined) throw new InvariantError(`the schema has no field ${step}`)
  return { ...schema, properties: { ...schema.properties, [step]: withRule(inner, rest, rule) } }
}

const KEY_OF_REQUIREMENT = ['requirements', '[]', 'key']

const additions: readonly (readonly [ResourceKind, readonly string[], Rule])[] = [
  [karpenterKinds.NodePool, ['spec', 'template', 'metadata', 'labels'], mapRule(awsPoolLabels)],
  [karpenterKinds.NodePool, ['spec', 'template', 'spec', ...KEY_OF_REQUIREMENT], keyRule(awsPoolLabels)],
  [karpenterKinds.NodeClaim, ['spec', ...KEY_OF_REQUIREMENT], keyRule(awsPoolLabels)],
  [karpenterKinds.NodeOverlay, ['spec', ...KEY_OF_REQUIREMENT], keyRule(awsOverlayLabels)],
]

/** Returns the schema of a kind with the rules for AWS. Other kinds stay unchanged. */
export const withAwsRules = (kind: ResourceKind, schema: StructuralSchema): StructuralSchema =>
  additions.filter(([each]) => each === kind).reduce((changed, [, path, rule]) => withRule(changed, path, rule), schema)
