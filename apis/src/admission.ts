import { schemaOf } from './crd-manifest.ts'
import { apiVersionOf, type ResourceKind } from './kubernetes/kinds.ts'
import type { KubeObject } from './kubernetes/object.ts'
import { customResources } from './resources/index.ts'
import { validateScale } from './scale.ts'
import { type CompiledSchema, compileCrdSchema } from './schema/compiled-schema.ts'
import type { CustomResource } from './schema/custom-resource.ts'
import type { FieldError } from './schema/field-error.ts'
import { validateObjectMeta } from './schema/object-meta.ts'
import { isEqualJson, isJsonObject, type JsonObject, type StructuralSchema } from './schema/structural-schema.ts'

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

/** The writes of one kind. The objects that come in are never changed. */
export interface ResourceAdmission<T extends KubeObject = KubeObject> {
  readonly schema: CompiledSchema
  /** A POST. The status is dropped, as the server drops it: it is written through its subresource. */
  create(object: object): Admission<T>
  /** A PUT, or what a patch came to. The status stays as it was. */
  update(old: object, object: object): Admission<T>
  /** A PUT to the status subresource. Everything but the status stays as it was. */
  updateStatus(old: object, object: object): Admission<T>
}

/** What the admission of a kind depends on. The kind has a status subresource. */
export interface ResourceRules<T extends KubeObject> {
  readonly kind: ResourceKind<T>
  readonly schema: StructuralSchema
  readonly scale?: CustomResource['scale']
}

/**
 * Compiles the admission of any custom resource.
 *
 * @throws RuleError when a CEL rule of the schema does not compile.
 */
export const compileAdmission = <T extends KubeObject>(rules: ResourceRules<T>): ResourceAdmission<T> => {
  const schema = compileCrdSchema(rules.schema)
  const take = (object: object): JsonObject => schema.prune(schema.default(asJson(object)))
  const answer = (given: object, object: JsonObject, errors: readonly FieldError[]): Admission<T> => {
    const unknownFields = schema.unknownFields(asJson(given))
    if (errors.length > 0) return { accepted: false, errors, unknownFields }
    // The schema that was just checked is the one the static type comes from. What is stored is defaulted again when read.
    return { accepted: true, object: schema.default(object) as JsonObject & T, unknownFields }
  }
  return {
    schema,
    create(object) {
      const { status: _, ...next } = take(object)
      const errors = [
        ...checkIdentity(rules.kind, next),
        ...schema.validateCreate(next),
        ...validateScale(rules.scale, next),
      ]
      return answer(object, next, errors)
    },
    update(old, object) {
      const before = schema.default(asJson(old))
      const { status: _, ...rest } = take(object)
      const next = Object.hasOwn(before, 'status') ? { ...rest, status: before['status'] } : rest
      const errors = [
        ...checkIdentity(rules.kind, next),
        ...schema.validateUpdate(next, before),
        ...validateScale(rules.scale, next),
      ]
      return answer(object, next, errors)
    },
    updateStatus(old, object) {
      const before = schema.default(asJson(old))
      const { status: _, ...kept } = before
      const { status } = take(object)
      const next = status === undefined ? kept : { ...kept, status }
      return answer(object, next, [...schema.validateStatusUpdate(next, before), ...validateScale(rules.scale, next)])
    },
  }
}

const compiled = new Map<string, ResourceAdmission>()

/** Compiles at first use: the CLI must not pay for kinds that nobody asked about. */
const admissionOf = <T extends KubeObject>(kind: ResourceKind<T>): ResourceAdmission<T> => {
  const key = `${apiVersionOf(kind)}/${kind.kind}`
  const known = compiled.get(key)
  if (known !== undefined) return known as ResourceAdmission<T>
  const resource = customResourceOf(apiVersionOf(kind), kind.kind)
  if (resource === undefined) throw new Error(`${key} is not one of Karpenter's kinds`)
  const { scale } = resource
  const admission = compileAdmission({ kind, schema: schemaOf(resource), ...(scale === undefined ? {} : { scale }) })
  compiled.set(key, admission)
  return admission
}

/** The definition of a kind; `undefined` when it is not one of ours. */
export const customResourceOf = (apiVersion: string, kind: string): CustomResource | undefined =>
  customResources.find((resource) => resource.kind.kind === kind && apiVersionOf(resource.kind) === apiVersion)

/** Fills in the defaults. */
export const applyDefaults = (kind: ResourceKind, object: object): JsonObject =>
  admissionOf(kind).schema.default(asJson(object))

/** Drops the fields that the schema does not name. */
export const prune = (kind: ResourceKind, object: object): JsonObject => admissionOf(kind).schema.prune(asJson(object))

/** What a POST of one of Karpenter's kinds would come to. */
export const validateCreate = <T extends KubeObject>(kind: ResourceKind<T>, object: object): Admission<T> =>
  admissionOf(kind).create(object)

/** What a PUT would come to. */
export const validateUpdate = <T extends KubeObject>(
  kind: ResourceKind<T>,
  old: object,
  object: object,
): Admission<T> => admissionOf(kind).update(old, object)

/** What a PUT to the status subresource would come to. */
export const validateStatusUpdate = <T extends KubeObject>(
  kind: ResourceKind<T>,
  old: object,
  object: object,
): Admission<T> => admissionOf(kind).updateStatus(old, object)

const asJson = (object: object): JsonObject => {
  if (!isJsonObject(object)) throw new TypeError('an object is expected, not a list')
  return object
}

const checkIdentity = (kind: ResourceKind, object: JsonObject): FieldError[] => {
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
