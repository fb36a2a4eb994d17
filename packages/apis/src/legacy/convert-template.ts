import type { ResourceKind } from '../kubernetes/kinds.ts'
import { setOwnValue } from '../own-value.ts'
import { plainText } from '../plain-text.ts'
import { type FieldReporter, isRecord, type Json, recordOrEmpty } from './field-reporter.ts'
import type { DefaultRequirements, LegacyTemplates } from './legacy-templates.ts'
import { isGoneName, type OldNames } from './old-names.ts'

/** The inputs for the conversion of one pool. */
export interface PoolConversion {
  readonly reporter: FieldReporter
  /** The new object as `NodePool/name`. */
  readonly to: string
  /** The kind of node class that the pool refers to. */
  readonly classKind: ResourceKind
  readonly templates: LegacyTemplates
  readonly names: OldNames
}

/**
 * The default requirements of v1alpha5 (`docs/spec/older-apis.md#provisioner-and-nodepool`). Providers add further default requirements.
 */
const coreDefaults: readonly DefaultRequirements[] = [
  {
    unless: ['karpenter.sh/capacity-type'],
    add: [{ key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] }],
  },
  {
    unless: ['kubernetes.io/os', 'beta.kubernetes.io/os'],
    add: [{ key: 'kubernetes.io/os', operator: 'In', values: ['linux'] }],
  },
  {
    unless: ['kubernetes.io/arch', 'beta.kubernetes.io/arch'],
    add: [{ key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] }],
  },
]

/** Returns the labels for nodes, without the labels that a NodePool must not set. */
export const templateLabels = (labels: unknown, path: string, { reporter, to, names }: PoolConversion): Json => {
  const kept: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(recordOrEmpty(labels))) {
    if (isGoneName(names, key)) {
      reporter.record(`${path}.${key}`, 'gone', undefined, 'the controller sets it, or v1 has no such label')
      continue
    }
    setOwnValue(kept, key, value)
    reporter.record(`${path}.${key}`, 'renamed', `${to} spec.template.metadata.labels`)
  }
  return kept
}

/** Returns the requirements with new label keys. Drops requirements on the label with the pool's own name. */
export const convertRequirements = (
  value: unknown,
  path: string,
  { reporter, to, names }: PoolConversion,
): readonly Json[] => {
  const kept: Json[] = []
  const list: readonly unknown[] = Array.isArray(value) ? value : []
  for (const [index, each] of list.entries()) {
    const key = plainText(recordOrEmpty(each)['key'])
    if (isGoneName(names, key))
      reporter.record(`${path}[${index}]`, 'gone', undefined, `${key} is not a requirement in v1`)
    else if (isRecord(each)) kept.push(each)
  }
  if (value !== undefined) reporter.record(path, 'renamed', `${to} spec.template.spec.requirements`)
  return kept
}

/** Returns the requirements that v1alpha5 added by default and v1 does not. */
export const defaultRequirements = (
  requirements: readonly Json[],
  labels: Json,
  { reporter, to, classKind, templates }: PoolConversion,
): readonly Json[] => {
  const said = new Set([...requirements.map(({ key }) => String(key)), ...Object.keys(labels)])
  // The default requirements use this provider's labels, which nodes of other providers do not have.
  const ofProvider = classKind.group === templates.nodeClass.kind.group ? templates.defaultRequirements : []
  return [...coreDefaults, ...ofProvider]
    .filter(({ unless }) => !unless.some((key) => said.has(key)))
    .flatMap(({ add }) => add)
    .filter(({ key }) => !said.has(String(key)))
    .map((requirement) => {
      const { key, operator, values } = requirement
      const note = `${String(key)} ${String(operator)} ${JSON.stringify(values)}: a default of v1alpha5`
      reporter.record('spec.requirements', 'added', `${to} spec.template.spec.requirements`, note)
      return requirement
    })
}

/** Returns the taints. Drops empty values, which v1 does not allow. */
export const convertTaints = (value: unknown): readonly Json[] =>
  (Array.isArray(value) ? value : []).filter(isRecord).map((taint: Json) => {
    const { value: text, ...rest } = taint
    return text === '' || text === undefined ? rest : taint
  })
