import { type JsonObject, numberAt, semanticallyEqual, stringAt } from '../store/json.ts'

const textAt = (toleration: JsonObject, key: string): string => stringAt(toleration, key) ?? ''

const isSuperset = (wide: JsonObject, narrow: JsonObject): boolean => {
  if (semanticallyEqual(wide, narrow)) return true
  const operator = textAt(wide, 'operator')
  const isOfAllKeys = textAt(wide, 'key') === '' && operator === 'Exists'
  if (textAt(wide, 'key') !== textAt(narrow, 'key') && !isOfAllKeys) return false
  const effect = textAt(wide, 'effect')
  if (effect !== '' && effect !== textAt(narrow, 'effect')) return false
  const seconds = numberAt(wide, 'tolerationSeconds')
  if (effect === 'NoExecute' && seconds !== undefined) {
    const own = numberAt(narrow, 'tolerationSeconds')
    if (own === undefined || own > seconds) return false
  }
  if (operator === 'Exists') return true
  return (
    (operator === 'Equal' || operator === '') &&
    narrow['operator'] === 'Equal' &&
    textAt(wide, 'value') === textAt(narrow, 'value')
  )
}

/** Returns the tolerations of a pod and of its RuntimeClass as one list. Omits tolerations that another toleration already covers. */
export const mergeTolerations = (own: readonly JsonObject[], added: readonly JsonObject[]): JsonObject[] => {
  const all = [...own, ...added]
  const merged: JsonObject[] = []
  for (const [index, one] of all.entries()) {
    const isIncluded =
      merged.some((other) => isSuperset(other, one)) ||
      all.slice(index + 1).some((other) => !semanticallyEqual(other, one) && isSuperset(other, one))
    if (!isIncluded) merged.push(one)
  }
  return merged
}
