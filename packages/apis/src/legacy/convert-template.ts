import { AWS_GROUP } from '../aws-labels.ts'
import { setOwnValue } from '../own-value.ts'
import { plainText } from '../plain-text.ts'
import { type FieldLedger, isRecord, type Json, recordOf } from './field-ledger.ts'
import { isOwnName, renamedKeys } from './old-names.ts'

const KEYS = {
  os: ['kubernetes.io/os', 'beta.kubernetes.io/os'],
  arch: ['kubernetes.io/arch', 'beta.kubernetes.io/arch'],
  capacity: ['karpenter.sh/capacity-type'],
  type: [
    'node.kubernetes.io/instance-type',
    'beta.kubernetes.io/instance-type',
    'karpenter.k8s.aws/instance-family',
    'karpenter.k8s.aws/instance-category',
  ],
} as const

/**
 * The default requirements of v1alpha5 (`docs/spec/older-apis.md#provisioner-and-nodepool`). `of` is the group of the node classes
 * that the labels belong to, because nodes of other clouds do not have these labels.
 */
const oldDefaults: readonly {
  readonly unless: readonly string[]
  readonly add: readonly Json[]
  readonly of?: string
}[] = [
  { unless: KEYS.capacity, add: [{ key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] }] },
  { unless: KEYS.os, add: [{ key: 'kubernetes.io/os', operator: 'In', values: ['linux'] }] },
  { unless: KEYS.arch, add: [{ key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] }] },
  {
    unless: KEYS.type,
    of: AWS_GROUP,
    add: [
      { key: 'karpenter.k8s.aws/instance-category', operator: 'In', values: ['c', 'm', 'r'] },
      { key: 'karpenter.k8s.aws/instance-generation', operator: 'Gt', values: ['2'] },
    ],
  },
]

/** Returns labels for nodes without those that a pool may not set. */
export const templateLabels = (labels: unknown, path: string, ledger: FieldLedger, to: string): Json => {
  const kept: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(recordOf(labels))) {
    if (isOwnName(key) || (renamedKeys.has(key) && renamedKeys.get(key) === undefined)) {
      ledger.say(`${path}.${key}`, 'gone', undefined, 'the controller sets it, or v1 has no such label')
      continue
    }
    setOwnValue(kept, key, value)
    ledger.say(`${path}.${key}`, 'renamed', `${to} spec.template.metadata.labels`)
  }
  return kept
}

/** Returns requirements with new label keys. Requirements on the pool's own name are dropped. */
export const requirementsOf = (value: unknown, path: string, ledger: FieldLedger, to: string): readonly Json[] => {
  const kept: Json[] = []
  const list: readonly unknown[] = Array.isArray(value) ? value : []
  for (const [index, each] of list.entries()) {
    const key = plainText(recordOf(each)['key'])
    if (isOwnName(key) || (renamedKeys.has(key) && renamedKeys.get(key) === undefined))
      ledger.say(`${path}[${index}]`, 'gone', undefined, `${key} is no requirement in v1`)
    else if (isRecord(each)) kept.push(each)
  }
  if (value !== undefined) ledger.say(path, 'renamed', `${to} spec.template.spec.requirements`)
  return kept
}

/** Returns the requirements that v1alpha5 added by default and v1 does not. */
export const defaultRequirements = (
  requirements: readonly Json[],
  {
    labels,
    ledger,
    to,
    classGroup,
  }: {
    readonly labels: Json
    readonly ledger: FieldLedger
    readonly to: string
    readonly classGroup: string
  },
): readonly Json[] => {
  const said = new Set([...requirements.map(({ key }) => String(key)), ...Object.keys(labels)])
  return oldDefaults
    .filter(({ unless, of = classGroup }) => of === classGroup && !unless.some((key) => said.has(key)))
    .flatMap(({ add }) => add)
    .filter(({ key }) => !said.has(String(key)))
    .map((requirement) => {
      const { key, operator, values } = requirement
      const note = `${String(key)} ${String(operator)} ${JSON.stringify(values)}: v1alpha5 asked for it by itself`
      ledger.say('spec.requirements', 'added', `${to} spec.template.spec.requirements`, note)
      return requirement
    })
}

/** Returns taints. v1 has no empty values, so they are dropped. */
export const taintsOf = (value: unknown): readonly Json[] =>
  (Array.isArray(value) ? value : []).filter(isRecord).map((taint: Json) => {
    const { value: text, ...rest } = taint
    return text === '' || text === undefined ? rest : taint
  })
