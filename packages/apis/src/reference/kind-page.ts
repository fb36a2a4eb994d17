import type { ConditionSet } from '../conditions.ts'
import { customResourceSchema } from '../crd-manifest.ts'
import { groupVersion } from '../kubernetes/kinds.ts'
import type { CustomResource } from '../schema/custom-resource.ts'
import { DURATION, KEY, NILLABLE_DURATION, VALUE } from '../schema/field.ts'
import type { StructuralSchema } from '../schema/structural-schema.ts'

/** One row of the table of fields. */
interface FieldRow {
  readonly path: string
  readonly type: string
  readonly isRequired: boolean
  readonly schema: StructuralSchema
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
const code = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``

const typeOf = (schema: StructuralSchema): string => {
  if (schema['x-kubernetes-int-or-string'] === true) return 'quantity'
  if (schema.type === 'array') return `list of ${typeOf(schema.items ?? {})}`
  if (typeof schema.additionalProperties === 'object') return `map of ${typeOf(schema.additionalProperties)}`
  return schema.format ?? schema.type ?? 'anything'
}

const schemaRows = (schema: StructuralSchema, path: string): FieldRow[] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
    const here = path === '' ? name : `${path}.${name}`
    const row = { path: here, type: typeOf(inner), isRequired: schema.required?.includes(name) ?? false, schema: inner }
    const items = inner.type === 'array' ? inner.items : undefined
    return [row, ...(items?.properties === undefined ? schemaRows(inner, here) : schemaRows(items, `${here}[]`))]
  })

/** The phrases that describe common patterns. */
const FORMS: ReadonlyMap<string, string> = new Map([
  [KEY, 'a label key'],
  [VALUE, 'a label value'],
  [DURATION, 'a duration like `1h30m`'],
  [NILLABLE_DURATION, 'a duration like `1h30m`, or `Never`'],
])

/** Describes the constraints of a value in a few words. */
const schemaLimits = (schema: StructuralSchema): string[] => {
  const items = schema.type === 'array' ? (schema.items ?? {}) : {}
  const values = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {}
  const limits: string[] = []
  const addLimit = (limit: unknown, words: (limit: unknown) => string): void => {
    if (limit !== undefined) limits.push(words(limit))
  }
  const isQuantity = schema['x-kubernetes-int-or-string'] === true || values['x-kubernetes-int-or-string'] === true
  for (const each of [schema, items, values]) {
    if (each.enum !== undefined) limits.push(each.enum.map((value) => code(String(value))).join(', '))
    if (!isQuantity)
      addLimit(each.pattern, (pattern) => FORMS.get(String(pattern)) ?? `matches ${code(String(pattern))}`)
    addLimit(each.minLength, (least) => `at least ${least} characters`)
    addLimit(each.maxLength, (most) => `at most ${most} characters`)
  }
  if (schema.minimum !== undefined && schema.maximum !== undefined)
    limits.push(`${schema.minimum} to ${schema.maximum}`)
  else {
    addLimit(schema.minimum, (least) => `at least ${least}`)
    addLimit(schema.maximum, (most) => `at most ${most}`)
  }
  addLimit(schema.minItems, (least) => `at least ${least} ${least === 1 ? 'item' : 'items'}`)
  addLimit(schema.maxItems, (most) => `at most ${most} items`)
  addLimit(schema.maxProperties, (most) => `at most ${most} entries`)
  if (schema['x-kubernetes-list-type'] === 'set') limits.push('no value twice')
  const keys = schema['x-kubernetes-list-map-keys']
  if (keys !== undefined) limits.push(`no ${keys.join(' and ')} twice`)
  return limits
}

const rowRules = (rows: readonly FieldRow[]): string[] =>
  rows.flatMap(({ path, schema }) => {
    const items = schema.type === 'array' ? (schema.items ?? {}) : {}
    const rules = [...(schema['x-kubernetes-validations'] ?? []), ...(items['x-kubernetes-validations'] ?? [])]
    return rules.map(({ rule, message }) => `- ${code(path)}: ${message ?? ''}  \n  \`${rule}\``)
  })

const fieldTable = (rows: readonly FieldRow[]): string[] => [
  '| Field | Type | | Meaning |',
  '|---|---|---|---|',
  ...rows.map(({ path, type, isRequired, schema }) => {
    const notes = [
      ...(isRequired ? ['**required**'] : []),
      ...(schema.default === undefined ? [] : [`default ${code(JSON.stringify(schema.default))}`]),
      ...schemaLimits(schema),
    ]
    return `| ${code(path)} | ${type} | ${notes.join('; ')} | ${cell(schema.description ?? '')} |`
  }),
]

/** A resource kind, with its conditions if it has any. */
export interface DescribedKind {
  readonly resource: CustomResource
  readonly conditions: ConditionSet | undefined
}

const conditionLines = (set: ConditionSet | undefined): string[] => {
  const { dependents = [], independent = [] } = set ?? {}
  if (dependents.length + independent.length === 0) return []
  const list = (types: readonly string[]): string => types.map(code).join(', ')
  return [
    '## Conditions',
    '',
    `\`Ready\` summarizes ${list(dependents)}: it is True when each of them is True for the current generation.`,
    ...(independent.length === 0 ? [] : ['', `Independent of it: ${list(independent)}.`]),
    '',
  ]
}

/** Returns the reference page of one resource kind, generated from its definition. */
export const kindPage = ({ resource, conditions }: DescribedKind): string => {
  const { kind, shortNames, categories, scale, printerColumns } = resource
  const schema = customResourceSchema(resource)
  const { spec = {}, status = {} } = schema.properties ?? {}
  const withRoot = (name: string, root: StructuralSchema, isRequired: boolean): FieldRow[] => [
    { path: name, type: 'object', isRequired, schema: root },
    ...schemaRows(root, name),
  ]
  const specRows = withRoot('spec', spec, resource.specRequired)
  const statusRows = withRoot('status', status, false)
  const rootRules = (resource.rules ?? []).map(({ rule, message }) => `- ${message}  \n  \`${rule}\``)
  const rules = [...rootRules, ...rowRules([...specRows, ...statusRows])]
  return [
    `# ${kind.kind}`,
    '',
    '<!-- Generated by npm run generate from the definition in apis/. -->',
    '',
    resource.description,
    '',
    `- apiVersion: ${code(groupVersion(kind))}`,
    `- kubectl: ${[kind.plural, resource.singular, ...shortNames].map(code).join(', ')}; also in ${categories.map((category) => code(`kubectl get ${category}`)).join(', ')}`,
    `- scope: ${kind.namespaced ? 'a namespace' : 'the cluster'}`,
    `- subresources: status${scale === undefined ? '' : `; scale (${code(scale.specReplicasPath)}, ${code(scale.statusReplicasPath)})`}`,
    `- columns: ${printerColumns.map(({ name, priority }) => (priority === undefined ? name : `${name} (wide)`)).join(', ')}`,
    '',
    '## Spec',
    '',
    ...fieldTable(specRows),
    '',
    '## Status',
    '',
    ...fieldTable(statusRows),
    '',
    ...conditionLines(conditions),
    ...(rules.length === 0
      ? []
      : [
          '## Rules',
          '',
          'Checked by the API server on every write; rules with `oldSelf` only on updates.',
          '',
          ...rules,
          '',
        ]),
  ].join('\n')
}
