import { type NodeSelectorRequirement, type Pod, parseInteger, type ResourceList, tryParseQuantity } from '@kerf/apis'
import type { LabelRules } from '../requirements/label-rules.ts'

const QUALIFIED_NAME = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/
const DNS_DOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/

const isQualifiedKey = (key: string): boolean => {
  const slash = key.indexOf('/')
  const name = key.slice(slash + 1)
  if (slash === 0 || name.length > 63 || !QUALIFIED_NAME.test(name)) return false
  return slash < 0 || DNS_DOMAIN.test(key.slice(0, slash))
}

const isLabelValue = (value: string): boolean => value.length <= 63 && (value === '' || QUALIFIED_NAME.test(value))

/**
 * Returns a message about what is wrong with a requirement on a node; `undefined` if it is valid
 * (`docs/spec/pending-pods.md#validation-of-pending-pods`).
 */
const requirementComplaint = (spec: NodeSelectorRequirement, rules: LabelRules): string | undefined => {
  const key = rules.keyOf(String(spec.key))
  const values = (spec.values ?? []).map((value) => rules.valueOf(spec.key, value))
  if (!isQualifiedKey(key)) return `${JSON.stringify(key)} is not a label key`
  if (rules.isRestricted(key)) return `label ${key} is restricted: a pod may not ask for it`
  const known = rules.vocabulary.knownValues(key)
  switch (spec.operator) {
    case 'In':
      if (values.length === 0) return `${key}: operator In needs at least one value`
      if (known !== undefined && !values.some((value) => known.includes(value))) {
        return `${key}: none of ${values.join(', ')} exists; ${known.join(', ')} do`
      }
      break
    case 'NotIn':
    case 'Exists':
    case 'DoesNotExist':
      break
    case 'Gt':
    case 'Lt':
    case 'Gte':
    case 'Lte': {
      const bound = values.length === 1 ? parseInteger(values[0] ?? '') : undefined
      if (bound === undefined || bound < 0n)
        return `${key}: operator ${spec.operator} needs one integer that is not negative`
      break
    }
    default:
      return `${key}: unknown operator ${JSON.stringify(spec.operator)}`
  }
  const bad = values.find((value) => typeof value !== 'string' || !isLabelValue(value))
  return bad === undefined ? undefined : `${key}: ${JSON.stringify(bad)} is not a label value`
}

const amountComplaints = (lists: readonly (ResourceList | undefined)[]): string[] =>
  lists.flatMap((list) =>
    Object.entries(list ?? {}).flatMap(([name, text]) => {
      const amount = tryParseQuantity(text)
      if (amount === undefined) return [`${name}: ${JSON.stringify(text)} is not a quantity`]
      return amount < 0n ? [`${name}: ${JSON.stringify(text)} is negative`] : []
    }),
  )

/** Returns the errors in the amounts of a pod. A pod with errors cannot be planned, whether it runs or not. */
export const requestComplaints = (pod: Pod): readonly string[] => {
  const { spec, status } = pod
  if (!Array.isArray(spec?.containers)) return ['it has no containers']
  const containers = [...spec.containers, ...(spec.initContainers ?? [])]
  const statuses = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])]
  return amountComplaints([
    ...containers.map(({ resources }) => resources?.requests),
    ...statuses.flatMap(({ resources, allocatedResources }) => [resources?.requests, allocatedResources]),
    spec.resources?.requests,
    spec.overhead,
  ])
}

/**
 * Returns the requirements of a pending pod that no node can satisfy (`docs/spec/pending-pods.md#validation-of-pending-pods`). Does not
 * check preferences: a preference that cannot be satisfied is relaxed.
 */
export const demandComplaints = (pod: Pod, rules: LabelRules): readonly string[] => {
  const complaints: string[] = []
  const check = (spec: NodeSelectorRequirement) => {
    const complaint = requirementComplaint(spec, rules)
    if (complaint !== undefined) complaints.push(complaint)
  }
  const { nodeSelector, affinity, topologySpreadConstraints } = pod.spec
  for (const key in nodeSelector) check({ key, operator: 'In', values: [nodeSelector[key] ?? ''] })
  for (const term of affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? []) {
    if (term.matchFields !== undefined && term.matchFields !== null)
      complaints.push('node affinity with matchFields is not supported')
    for (const expression of term.matchExpressions ?? []) check(expression)
  }
  for (const { maxSkew, topologyKey, whenUnsatisfiable } of topologySpreadConstraints ?? []) {
    if (whenUnsatisfiable === 'ScheduleAnyway') continue
    if (!(Number.isInteger(maxSkew) && maxSkew > 0)) {
      complaints.push(`topology spread over ${topologyKey}: maxSkew must be a positive integer, not ${maxSkew}`)
    }
  }
  return complaints
}
