import { compileCrdSchema, RuleError } from '@kerf/apis'
import { isObject, type JsonObject, objectAt, objectsAt, stringAt } from '../store/json.ts'
import { type FieldError, fieldErrors } from '../store/status-errors.ts'
import { compileOnce } from './compile-once.ts'

/** Returns the errors in the names and versions of a CustomResourceDefinition. Does not check its schemas. */
export const crdShapeErrors = (draft: JsonObject): FieldError[] => {
  const spec = objectAt(draft, 'spec') ?? {}
  const names = objectAt(spec, 'names') ?? {}
  const out: FieldError[] = []
  const name = stringAt(objectAt(draft, 'metadata'), 'name') ?? ''
  const group = stringAt(spec, 'group') ?? ''
  if (group === '') out.push(fieldErrors.required('spec.group'))
  for (const key of ['plural', 'kind'])
    if ((stringAt(names, key) ?? '') === '') out.push(fieldErrors.required(`spec.names.${key}`))
  if (name !== `${String(names['plural'])}.${group}`) {
    out.push(fieldErrors.invalid('metadata.name', name, 'must be spec.names.plural+"."+spec.group'))
  }
  const scope = stringAt(spec, 'scope') ?? ''
  if (!['Cluster', 'Namespaced'].includes(scope)) {
    out.push(
      scope === ''
        ? fieldErrors.required('spec.scope')
        : fieldErrors.notSupported('spec.scope', scope, ['Cluster', 'Namespaced']),
    )
  }
  const versions = objectsAt(spec, 'versions')
  if (versions.filter((version) => version['storage'] === true).length !== 1) {
    const given = versions.map((version) => version['name'])
    out.push(fieldErrors.invalid('spec.versions', given, 'must have exactly one version marked as storage version'))
  }
  return out
}

/** Returns all errors in a CustomResourceDefinition. */
export const crdErrors = (draft: JsonObject): FieldError[] => {
  const out = crdShapeErrors(draft)
  objectsAt(objectAt(draft, 'spec'), 'versions').forEach((version, i) => {
    const at = `spec.versions[${i}].schema.openAPIV3Schema`
    const schema = objectAt(objectAt(version, 'schema'), 'openAPIV3Schema')
    if (schema === undefined) out.push(fieldErrors.required(at, 'schemas are required'))
    else out.push(...schemaErrors(schema, at), ...compileErrors(schema, at))
  })
  return out
}

const compileErrors = (schema: JsonObject, at: string): FieldError[] => {
  try {
    compileOnce(schema)
    return []
  } catch (error) {
    if (!(error instanceof RuleError)) throw error
    return [fieldErrors.invalid(`${at}.${error.path}`, error.rule, `compilation failed: ${error.problem}`)]
  }
}

const schemaErrors = (schema: JsonObject, at: string): FieldError[] => {
  const out: FieldError[] = [...defaultErrors(schema, at)]
  for (const [key, property] of Object.entries(objectAt(schema, 'properties') ?? {})) {
    if (isObject(property)) out.push(...schemaErrors(property, `${at}.properties[${key}]`))
  }
  for (const key of ['items', 'additionalProperties']) {
    const inner = objectAt(schema, key)
    if (inner !== undefined) out.push(...schemaErrors(inner, `${at}.${key}`))
  }
  return out
}

const defaultErrors = (schema: JsonObject, at: string): FieldError[] => {
  if (schema['default'] === undefined) return []
  const { default: value, ...rest } = schema
  const wrapped = compileCrdSchema({ type: 'object', properties: { value: rest } })
  return wrapped.validateCreate({ value }).map(({ message }) => fieldErrors.invalid(`${at}.default`, value, message))
}
