import { plainText } from '../plain-text.ts'
import { labelValueProblem, qualifiedNameProblem, subdomainProblem } from '../qualified-name.ts'
import type { FieldError } from './field-error.ts'
import { isJsonObject, type JsonObject } from './structural-schema.ts'

const invalid = (field: string, badValue: unknown, message: string): FieldError => ({
  field: `metadata.${field}`,
  reason: 'FieldValueInvalid',
  message,
  badValue,
})

const LARGEST_ANNOTATIONS = 256 * 1024

/** Checks the metadata of a custom resource as an API server does: names, labels, annotations and finalizers. */
export const validateObjectMeta = (metadata: JsonObject): FieldError[] => {
  const errors: FieldError[] = []
  const { name, generateName, labels, annotations, finalizers } = metadata
  if (name === undefined || name === '') {
    if (typeof generateName === 'string' && generateName !== '') {
      const problem = subdomainProblem(`${generateName}x`)
      if (problem !== undefined) errors.push(invalid('generateName', generateName, problem))
    } else {
      errors.push({ field: 'metadata.name', reason: 'FieldValueRequired', message: 'name or generateName is required' })
    }
  } else {
    const problem = typeof name === 'string' ? subdomainProblem(name) : 'it must be a text'
    if (problem !== undefined) errors.push(invalid('name', name, problem))
  }
  for (const [key, value] of Object.entries(isJsonObject(labels) ? labels : {})) {
    const problem =
      qualifiedNameProblem(key) ?? (typeof value === 'string' ? labelValueProblem(value) : 'it must be a text')
    if (problem !== undefined) errors.push(invalid('labels', `${key}=${plainText(value)}`, problem))
  }
  let size = 0
  for (const [key, value] of Object.entries(isJsonObject(annotations) ? annotations : {})) {
    const problem = qualifiedNameProblem(key.toLowerCase())
    if (problem !== undefined) errors.push(invalid('annotations', key, problem))
    size += key.length + plainText(value).length
  }
  if (size > LARGEST_ANNOTATIONS) {
    errors.push({
      field: 'metadata.annotations',
      reason: 'FieldValueTooLong',
      message: `may not be more than ${LARGEST_ANNOTATIONS} bytes`,
    })
  }
  for (const finalizer of Array.isArray(finalizers) ? finalizers : []) {
    const problem = qualifiedNameProblem(plainText(finalizer))
    if (problem !== undefined) errors.push(invalid('finalizers', finalizer, problem))
  }
  return errors
}
