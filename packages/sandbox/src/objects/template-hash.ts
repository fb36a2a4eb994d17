const SAFE = 'bcdfghjklmnpqrstvwxz2456789'

const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined && member !== null)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(',')}}`
}

/**
 * Returns a short hash of a template, which is a valid label value: FNV-1a over the canonical JSON, in the alphabet of generated names. If
 * another template already uses the hash, pass a different value of `collisions` to get a different hash.
 */
export const templateHash = (template: unknown, collisions = 0): string => {
  const text = canonical(template) + (collisions === 0 ? '' : `#${collisions}`)
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return [...String(hash >>> 0)].map((digit) => SAFE[digit.charCodeAt(0) % SAFE.length] ?? '').join('')
}
