import { customResourceSchema } from './crd-manifest.ts'
import { groupVersion, type ResourceKind } from './kubernetes/kinds.ts'
import type { KubeObject } from './kubernetes/object.ts'
import { validateScale } from './scale.ts'
import { type CompiledSchema, compileCrdSchema } from './schema/compiled-schema.ts'
import type { CustomResource } from './schema/custom-resource.ts'
import type { FieldError } from './schema/field-error.ts'
import { validateObjectMeta } from './schema/object-meta.ts'
import { isEqualJson, isJsonObject, type JsonObject, type StructuralSchema } from './schema/structural-schema.ts'

/**
 * The API server's response to a write of a Karpenter kind, computed without a server. The CLI uses it to check objects before
 * it sends them. The sandbox and browsers use it as well.
 */
export type Admission<T> =
  | {
      readonly accepted: true
      /** The object as it would be stored and read back, with defaults and without unknown fields. */
      readonly object: T
      /** Fields that were dropped because they are not in the schema. */
      readonly unknownFields: readonly string[]
    }
  | { readonly accepted: false; readonly errors: readonly FieldError[]; readonly unknownFields: readonly string[] }

/** Validates writes of objects of one kind. Input objects are not changed. */
export interface ResourceAdmission<T extends KubeObject = KubeObject> {
  readonly schema: CompiledSchema
  /** Returns the object with its defaults. */
  withDefaults(object: object): T
  /** Validates a POST. Drops the status, as the server does, because the status is written through its subresource. */
  create(object: object): Admission<T>
  /** Validates a PUT, or the result of a patch. Keeps the status of the old object. */
  update(old: object, object: object): Admission<T>
  /** Validates a PUT to the status subresource. Keeps everything except the status from the old object. */
  updateStatus(old: object, object: object): Admission<T>
}

/** The rules for the admission of a kind with a status subresource. */
export interface ResourceRules<T extends KubeObject> {
  readonly kind: ResourceKind<T>
  readonly schema: StructuralSchema
  readonly scale?: CustomResource['scale']
}

/**
 * Compiles the admission of any custom resource.
 * @throws RuleError if a CEL rule of the schema does not compile.
 */
export const compileAdmission = <T extends KubeObject>(rules: ResourceRules<T>): ResourceAdmission<T> => {
  const schema = compileCrdSchema(rules.schema)
  const take = (object: object): JsonObject => schema.prune(schema.default(asJson(object)))
  const answer = (given: object, object: JsonObject, errors: readonly FieldError[]): Admission<T> => {
    const unknownFields = schema.unknownFields(asJson(given))
    if (errors.length > 0) return { accepted: false, errors, unknownFields }
    // The cast is safe, because the static type comes from the schema that was just checked. Defaults are applied again, as the API server
    // does when it reads a stored object.
    return { accepted: true, object: schema.default(object) as JsonObject & T, unknownFields }
  }
  return {
    schema,
    // The schema determines the static type.
    withDefaults: (object) => schema.default(asJson(object)) as JsonObject & T,
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

const compiled = new WeakMap<CustomResource, ResourceAdmission>()

/**
 * Returns the admission of a custom resource, without rules that providers add. It is compiled on first use, so that the CLI
 * compiles only the kinds that it needs.
 */
export const resourceAdmission = <T extends KubeObject>(resource: CustomResource<T>): ResourceAdmission<T> => {
  const known = compiled.get(resource)
  if (known !== undefined) return known as ResourceAdmission<T>
  const { kind, scale } = resource
  const admission = compileAdmission({
    kind,
    schema: customResourceSchema(resource),
    ...(scale === undefined ? {} : { scale }),
  })
  compiled.set(resource, admission)
  return admission
}

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
  expect('apiVersion', groupVersion(kind))
  const metadata = object['metadata']
  return [...errors, ...validateObjectMeta(isJsonObject(metadata) ? metadata : {})]
}

/**
 * Returns whether a write would increment `metadata.generation`, that is, whether it changes anything except metadata and status.
 */
export const changesGeneration = (old: object, object: object): boolean => {
  const essence = ({ metadata: _, status: __, ...rest }: JsonObject): JsonObject => rest
  return !isEqualJson(essence(asJson(old)), essence(asJson(object)))
}
