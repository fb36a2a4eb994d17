/** A class that the vendor's SDK generates for a request object. */
interface GeneratedModel {
  /** Returns the wire name of each field of the class. */
  names(): Readonly<Record<string, string>>
  /** Returns the type of each field of the class. */
  types(): Readonly<Record<string, unknown>>
}

const isModel = (type: unknown): type is GeneratedModel => typeof type === 'function' && 'names' in type

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const typeProblems = (type: unknown, value: unknown, path: string): readonly string[] => {
  if (isModel(type)) return modelProblems(type, value, path)
  if (isObject(type)) {
    if (type['type'] !== 'array') return isObject(value) ? [] : [`${path} is not an object`]
    if (!Array.isArray(value)) return [`${path} is not an array`]
    return value.flatMap((item, index) => typeProblems(type['itemType'], item, `${path}[${index}]`))
  }
  return type === 'any' || typeof value === type ? [] : [`${path} is not a ${String(type)}`]
}

/** Returns the differences between an object and a generated class: unknown fields, and values of other types. */
export const modelProblems = (model: GeneratedModel, value: unknown, path = ''): readonly string[] => {
  if (!isObject(value)) return [`${path} is not an object`]
  const fields = new Map(Object.entries(model.names()).map(([field, name]) => [name, field]))
  return Object.entries(value).flatMap(([name, inner]) => {
    const field = fields.get(name)
    const at = path === '' ? name : `${path}.${name}`
    return field === undefined ? [`${at} does not exist`] : typeProblems(model.types()[field], inner, at)
  })
}
