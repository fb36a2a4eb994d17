import { schemaOf } from './crd-manifest.ts'
import { apiVersionOf, type ResourceKind } from './kubernetes/kinds.ts'
import type { KubeObject } from './kubernetes/object.ts'
import { validateObjectMeta } from './object-meta.ts'
import { customResources } from './resources/index.ts'
import { validateScale } from './scale.ts'
import { type CompiledSchema, compileCrdSchema } from './schema/compiled-schema.ts'
import type { CustomResource } from './schema/custom-resource.ts'
import type { FieldError } from './schema/field-error.ts'
import { isEqualJson, isJsonObject, type JsonObject } from './schema/structural-schema.ts'

/**
 * What an API server would answer to a write of one of Karpenter's kinds. Tells the same as the server does, without
 * one: in the CLI before anything is sent, in the sandbox, in a browser.
 */
export type Admission<T> =
  | {
      readonly accepted: true
      /** As it would be stored and read back: defaulted and pruned. */
      readonly object: T
      /** Fields that were dropped because the schema does not name them. */
      readonly unknownFields: readonly string[]
    }
  | { readonly accepted: false; readonly errors: readonly FieldError[]; readonly unknownFields: readonly string[] }

interface Validator {
  readonly resource: CustomResource
  readonly schema: CompiledSchema
}

const validators = new Map<string, Validator>()

/** Compiles at first use: the CLI must not pay for kinds that nobody asked about. */
const validatorOf = (kind: ResourceKind): Validator => {
  const key = `${apiVersionOf(kind)}/${kind.kind}`
  const known = validators.get(key)
  if (known !== undefined) return known
  const resource = customResourceOf(apiVersionOf(kind), kind.kind)
  if (resource === undefined) throw new Error(`${key} is not one of Karpenter's kinds`)
  const validator = { resource, schema: compileCrdSchema(schemaOf(resource)) }
  validators.set(key, validator)
  return validator
}

/** The definition of a kind; `undefined` when it is not one of ours. */
export const customResourceOf = (apiVersion: string, kind: string): CustomResource | undefined =>
  customResources.find((resource) => resource.kind.kind === kind && apiVersionOf(resource.kind) === apiVersion)

/** Fills in the defaults. */
export const applyDefaults = (kind: ResourceKind, object: object): JsonObject =>
  validatorOf(kind).schema.default(asJson(object))

/** Drops the fields that the schema does not name. */
export const prune = (kind: ResourceKind, object: object): JsonObject => validatorOf(kind).schema.prune(asJson(object))

/** A POST. The status is dropped, as the server drops it: it is written through its subresource. */
export const validateCreate = <T extends KubeObject>(kind: ResourceKind<T>, object: object): Admission<T> => {
  const { resource, schema } = validatorOf(kind)
  const given = asJson(object)
  const { status: _, ...rest } = schema.prune(schema.default(given))
  const errors = [
    ...checkIdentity(resource, rest),
    ...schema.validateCreate(rest),
    ...validateScale(resource.scale, rest),
  ]
  return answer(schema, given, rest, errors)
}

/** A PUT, or what a patch came to. The status stays as it was. */
export const validateUpdate = <T extends KubeObject>(
  kind: ResourceKind<T>,
  old: object,
  object: object,
): Admission<T> => {
  const { resource, schema } = validatorOf(kind)
  const given = asJson(object)
  const before = schema.default(asJson(old))
  const { status: _, ...rest } = schema.prune(schema.default(given))
  const next = Object.hasOwn(before, 'status') ? { ...rest, status: before['status'] } : rest
  const errors = [
    ...checkIdentity(resource, next),
    ...schema.validateUpdate(next, before),
    ...validateScale(resource.scale, next),
  ]
  return answer(schema, given, next, errors)
}

/** A PUT to the status subresource. Everything but the status stays as it was. */
export const validateStatusUpdate = <T extends KubeObject>(
  kind: ResourceKind<T>,
  old: object,
  object: object,
): Admission<T> => {
  const { resource, schema } = validatorOf(kind)
  const given = asJson(object)
  const before = schema.default(asJson(old))
  const { status: _, ...kept } = before
  const { status } = schema.prune(schema.default(given))
  const next = status === undefined ? kept : { ...kept, status }
  const errors = [...schema.validateStatusUpdate(next, before), ...validateScale(resource.scale, next)]
  return answer(schema, given, next, errors)
}

const answer = <T>(
  schema: CompiledSchema,
  given: JsonObject,
  object: JsonObject,
  errors: readonly FieldError[],
): Admission<T> => {
  const unknownFields = schema.unknownFields(given)
  if (errors.length > 0) return { accepted: false, errors, unknownFields }
  // The schema that was just checked is the one the static type comes from. What is stored is defaulted again when read.
  return { accepted: true, object: schema.default(object) as T, unknownFields }
}

const asJson = (object: object): JsonObject => {
  if (!isJsonObject(object)) throw new TypeError('an object is expected, not a list')
  return object
}

const checkIdentity = (resource: CustomResource, object: JsonObject): FieldError[] => {
  const { kind } = resource
  const errors: FieldError[] = []
  const expect = (field: 'apiVersion' | 'kind', value: string): void => {
    if (object[field] === value) return
    errors.push({ field, reason: 'FieldValueInvalid', message: `must be ${value}`, badValue: object[field] })
  }
  expect('kind', kind.kind)
  expect('apiVersion', apiVersionOf(kind))
  const metadata = object['metadata']
  return [...errors, ...validateObjectMeta(isJsonObject(metadata) ? metadata : {})]
}

/** Whether a write would raise `metadata.generation`: anything but metadata changed (and, with a status subresource, status). */
export const changesGeneration = (old: object, object: object): boolean => {
  const essence = ({ metadata: _, status: __, ...rest }: JsonObject): JsonObject => rest
  return !isEqualJson(essence(asJson(old)), essence(asJson(object)))
}
