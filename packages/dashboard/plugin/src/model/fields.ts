/** A field of an object: its path within its group, and its value as text. */
export interface FieldRow {
  readonly name: string
  readonly value: string
}

/** The fields below one top-level field. The scalar fields of the object itself form a group without a name. */
export interface FieldGroup {
  readonly name: string
  readonly rows: readonly FieldRow[]
}

const isNothing = (value: unknown): boolean => value === null || value === undefined

const pathRows = (path: string, value: unknown): readonly FieldRow[] => {
  if (isNothing(value)) return []
  if (Array.isArray(value)) {
    return value.every((each) => typeof each !== 'object')
      ? [{ name: path, value: value.join(', ') }]
      : value.flatMap((each, index) => pathRows(`${path}[${index}]`, each))
  }
  if (typeof value === 'object') {
    return Object.entries(value as object).flatMap(([key, each]) =>
      pathRows(path === '' ? key : `${path}.${key}`, each),
    )
  }
  return [{ name: path, value: String(value) }]
}

/**
 * Returns the fields of any object in groups, for kinds whose fields are unknown: first its scalar fields, then a
 * group for each field that has subfields. Omits no value.
 */
export const fieldGroups = (value: unknown): readonly FieldGroup[] => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const rows = pathRows('', value)
    return rows.length === 0 ? [] : [{ name: '', rows }]
  }
  const isPlain = (each: unknown): boolean =>
    typeof each !== 'object' || (Array.isArray(each) && each.every((item) => typeof item !== 'object'))
  const entries = Object.entries(value).filter(([, each]) => !isNothing(each))
  const plain = entries.filter(([, each]) => isPlain(each)).flatMap(([key, each]) => pathRows(key, each))
  const nested = entries.flatMap(([key, each]) => {
    const rows = isPlain(each) ? [] : pathRows('', each)
    return rows.length === 0 ? [] : [{ name: key, rows }]
  })
  return [...(plain.length === 0 ? [] : [{ name: '', rows: plain }]), ...nested]
}
