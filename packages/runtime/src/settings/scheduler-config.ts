import { ownValue, qualifiedNameProblem, type TopologySpreadConstraint } from '@kerf/apis'
import { parse } from 'yaml'
import { SettingValueError } from './setting.ts'

/** A spread constraint for pods that define none. Its label selector is computed for each pod. */
export type DefaultSpreadConstraint = Omit<TopologySpreadConstraint, 'labelSelector'>

type Fields = Readonly<Record<string, unknown>>

const refuse = (path: string, problem: string): never => {
  throw new SettingValueError(`${path || 'the document'} ${problem}`)
}

const parseFields = (value: unknown, path: string, known: readonly string[]): Fields => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return refuse(path, 'must be a mapping')
  const fields: Fields = { ...value }
  for (const name of Object.keys(fields)) {
    if (!known.includes(name)) refuse(path === '' ? name : `${path}.${name}`, 'is not known')
  }
  return fields
}

const CONSTRAINT_FIELDS = [
  'maxSkew',
  'topologyKey',
  'whenUnsatisfiable',
  'labelSelector',
  'matchLabelKeys',
  'minDomains',
  'nodeAffinityPolicy',
  'nodeTaintsPolicy',
] as const

const parsePolicy = (value: unknown, path: string): 'Honor' | 'Ignore' | undefined =>
  value === undefined || value === 'Honor' || value === 'Ignore' ? value : refuse(path, 'must be Honor or Ignore')

const positive = (value: unknown, path: string): number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : refuse(path, 'must be above 0')

const parseConstraint = (value: unknown, path: string): DefaultSpreadConstraint => {
  const fields = parseFields(value, path, CONSTRAINT_FIELDS)
  for (const name of ['labelSelector', 'matchLabelKeys']) {
    if (ownValue(fields, name) !== undefined)
      refuse(`${path}.${name}`, 'must be absent: selectors are computed for each pod')
  }
  const { topologyKey, whenUnsatisfiable } = fields
  if (typeof topologyKey !== 'string') return refuse(`${path}.topologyKey`, 'must be a label key')
  const problem = qualifiedNameProblem(topologyKey)
  if (problem !== undefined) return refuse(`${path}.topologyKey`, `must be a label key: ${problem}`)
  if (whenUnsatisfiable !== 'DoNotSchedule' && whenUnsatisfiable !== 'ScheduleAnyway') {
    return refuse(`${path}.whenUnsatisfiable`, 'must be DoNotSchedule or ScheduleAnyway')
  }
  const nodeAffinityPolicy = parsePolicy(fields['nodeAffinityPolicy'], `${path}.nodeAffinityPolicy`)
  const nodeTaintsPolicy = parsePolicy(fields['nodeTaintsPolicy'], `${path}.nodeTaintsPolicy`)
  return {
    maxSkew: positive(fields['maxSkew'], `${path}.maxSkew`),
    topologyKey,
    whenUnsatisfiable,
    ...(fields['minDomains'] !== undefined && { minDomains: positive(fields['minDomains'], `${path}.minDomains`) }),
    ...(nodeAffinityPolicy && { nodeAffinityPolicy }),
    ...(nodeTaintsPolicy && { nodeTaintsPolicy }),
  }
}

/**
 * Parses the document of `--scheduler-config`, which is a copy of the configuration of the cluster's kube-scheduler
 * (`docs/spec/settings.md#scheduler-config`). Refuses unknown fields. An empty string means that there are no default constraints.
 */
export const parseSchedulerConfig = (text: string): readonly DefaultSpreadConstraint[] => {
  if (text.trim() === '') return []
  let document: unknown
  try {
    document = parse(text)
  } catch (error) {
    return refuse('', `is neither YAML nor JSON: ${error instanceof Error ? error.message.split('\n')[0] : error}`)
  }
  const spread = parseFields(document, '', ['podTopologySpread'])['podTopologySpread']
  if (spread === undefined) return []
  const list = parseFields(spread, 'podTopologySpread', ['defaultConstraints'])['defaultConstraints'] ?? []
  const path = 'podTopologySpread.defaultConstraints'
  if (!Array.isArray(list)) return refuse(path, 'must be a list')
  const constraints = list.map((value, index) => parseConstraint(value, `${path}[${index}]`))
  const pairs = new Set(constraints.map((each) => `${each.topologyKey}/${each.whenUnsatisfiable}`))
  if (pairs.size !== constraints.length) refuse(path, 'must not repeat a pair of topologyKey and whenUnsatisfiable')
  return constraints
}
