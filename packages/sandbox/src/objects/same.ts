/** Returns whether two JSON values are equal. An absent member equals a member whose value is `undefined`. */
export const same = (a: unknown, b: unknown): boolean => {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => same(item, b[index]))
  }
  const left = new Map(Object.entries(a).filter(([, value]) => value !== undefined))
  const right = Object.entries(b).filter(([, value]) => value !== undefined)
  return left.size === right.length && right.every(([key, value]) => left.has(key) && same(left.get(key), value))
}
