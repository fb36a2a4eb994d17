import { ownValue } from '@kerf/apis'
import { type JsonObject, objectAt, objectsAt } from '../store/json.ts'

const addRequirements = (
  selector: JsonObject,
  keys: unknown,
  operator: 'In' | 'NotIn',
  labels: JsonObject | undefined,
): void => {
  for (const key of Array.isArray(keys) ? keys.map(String) : []) {
    const value = ownValue(labels, key)
    if (typeof value !== 'string') continue
    selector['matchExpressions'] = [...objectsAt(selector, 'matchExpressions'), { key, operator, values: [value] }]
  }
}

/** Adds the pod's own values of `matchLabelKeys` and `mismatchLabelKeys` to the selectors of its constraints. */
export const mergeLabelKeys = (spec: JsonObject, labels: JsonObject | undefined): void => {
  const affinity = objectAt(spec, 'affinity')
  const terms = ['podAffinity', 'podAntiAffinity'].flatMap((kind) => [
    ...objectsAt(objectAt(affinity, kind), 'requiredDuringSchedulingIgnoredDuringExecution'),
    ...objectsAt(objectAt(affinity, kind), 'preferredDuringSchedulingIgnoredDuringExecution').flatMap((preferred) => {
      const term = objectAt(preferred, 'podAffinityTerm')
      return term === undefined ? [] : [term]
    }),
  ])
  for (const term of [...terms, ...objectsAt(spec, 'topologySpreadConstraints')]) {
    const selector = objectAt(term, 'labelSelector')
    // A term without a selector matches no pods, whether it has these keys or not.
    if (selector === undefined) continue
    addRequirements(selector, term['matchLabelKeys'], 'In', labels)
    addRequirements(selector, term['mismatchLabelKeys'], 'NotIn', labels)
  }
}
