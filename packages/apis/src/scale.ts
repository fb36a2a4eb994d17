import { ownValue } from './own-value.ts'
import type { CustomResource } from './schema/custom-resource.ts'
import type { FieldError } from './schema/field-error.ts'
import { isJsonObject, type JsonObject } from './schema/structural-schema.ts'

const LARGEST = 2 ** 31 - 1

/**
 * Checks the scale subresource of a custom resource as an API server does, in addition to its schema. Both counts must be non-negative
 * 32-bit integers. Errors refer to fields by path with a leading dot, as the server does.
 */
export const validateScale = (scale: CustomResource['scale'], object: JsonObject): FieldError[] =>
  scale === undefined
    ? []
    : [scale.specReplicasPath, scale.statusReplicasPath].flatMap((path): FieldError[] => {
        const { value, isReachable } = countAt(object, path)
        if (!isReachable) return [refuse(path, 0, `${path} accessor error: an object was expected on the way`)]
        if (value === undefined) return []
        if (typeof value !== 'number' || !Number.isInteger(value)) {
          return [refuse(path, 0, `${path} accessor error: ${JSON.stringify(value)} is not an integer`)]
        }
        if (value < 0) return [refuse(path, value, 'should be a non-negative integer')]
        return value > LARGEST ? [refuse(path, value, `should be less than or equal to ${LARGEST}`)] : []
      })

const refuse = (field: string, badValue: number, message: string): FieldError => ({
  field,
  reason: 'FieldValueInvalid',
  message,
  badValue,
})

const countAt = (object: JsonObject, path: string): { readonly value?: unknown; readonly isReachable: boolean } => {
  let inner: unknown = object
  for (const key of path.replace(/^\./, '').split('.')) {
    if (inner === undefined) return { isReachable: true }
    if (!isJsonObject(inner)) return { isReachable: false }
    inner = ownValue(inner, key)
  }
  return { value: inner, isReachable: true }
}
