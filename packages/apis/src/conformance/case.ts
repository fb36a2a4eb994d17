import { InvariantError } from '../invariant-error.ts'
import type { ResourceKind } from '../kubernetes/kinds.ts'
import { ownValue } from '../own-value.ts'
import { isEqualJson, isJsonObject, type JsonObject } from '../schema/structural-schema.ts'

/**
 * A write and its expected result. The same cases run against the library's validator, the sandbox and a real API server. If the
 * results differ, the real API server is right.
 */
export interface ConformanceCase {
  readonly name: string
  readonly kind: ResourceKind
  readonly operation: 'create' | 'update' | 'update-status'
  /** The object that exists before an update. It is created first, and then its status is written. */
  readonly previous?: JsonObject
  readonly object: JsonObject
  readonly expect: Expectation
}

export type Expectation =
  | {
      readonly accepted: true
      /**
       * The expected values after the object is read back, by path (`spec.budgets.0.nodes`). `undefined` means that the path must
       * be absent.
       */
      readonly reads?: Readonly<Record<string, unknown>>
    }
  | {
      readonly accepted: false
      /** All fields with errors, in any order. */
      readonly fields: readonly string[]
    }

/** The result of a write: either the object as it is read back, or the fields with errors. */
export type WriteResult =
  | { readonly accepted: true; readonly object: JsonObject }
  | { readonly accepted: false; readonly fields: readonly string[] }

/** A target for writes that behaves like an API server. Objects are cluster-scoped, or are in the namespace `default`. */
export interface ConformanceTarget {
  create(kind: ResourceKind, object: JsonObject): Promise<WriteResult>
  /** Updates an object. `object` has no resourceVersion; the target sets it. */
  update(kind: ResourceKind, object: JsonObject): Promise<WriteResult>
  updateStatus(kind: ResourceKind, object: JsonObject): Promise<WriteResult>
  /** Deletes the object completely. It is not an error if the object does not exist. */
  remove(kind: ResourceKind, name: string): Promise<void>
}

/** The name of the objects in all cases, except for cases about names. */
export const CASE_NAME = 'conformance'

/** The namespace of all objects whose kind is namespaced. */
export const CASE_NAMESPACE = 'default'

const valueAt = (object: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((inner, key) => {
    if (Array.isArray(inner)) return inner[Number(key)]
    return isJsonObject(inner) ? ownValue(inner, key) : undefined
  }, object)

const objectName = (object: JsonObject): string => {
  const name = valueAt(object, 'metadata.name')
  return typeof name === 'string' && name !== '' ? name : CASE_NAME
}

const perform = async (
  target: ConformanceTarget,
  { kind, operation, previous, object }: ConformanceCase,
): Promise<WriteResult> => {
  if (operation === 'create') return await target.create(kind, object)
  if (previous === undefined) throw new InvariantError('an update needs something that is there before')
  const created = await target.create(kind, previous)
  if (!created.accepted) throw new InvariantError(`what is there before was refused: ${created.fields.join(', ')}`)
  if (Object.hasOwn(previous, 'status')) {
    const written = await target.updateStatus(kind, previous)
    if (!written.accepted) throw new InvariantError(`the status there before was refused: ${written.fields.join(', ')}`)
  }
  return operation === 'update' ? await target.update(kind, object) : await target.updateStatus(kind, object)
}

/** Returns the fields without empty names. The error about skipped rules has an empty name. */
const namedFields = (fields: readonly string[]): string[] =>
  [...new Set(fields.filter((field) => field !== '' && field !== '<nil>'))].sort()

/** Runs one case and cleans up. Returns `undefined` if the result is as expected, and otherwise a description of the difference. */
export const checkCase = async (target: ConformanceTarget, test: ConformanceCase): Promise<string | undefined> => {
  try {
    return resultDifference(await perform(target, test), test.expect)
  } finally {
    await target.remove(test.kind, objectName(test.previous ?? test.object))
  }
}

const resultDifference = (result: WriteResult, expect: Expectation): string | undefined => {
  if (!expect.accepted) {
    if (result.accepted) return `accepted, should be refused for ${expect.fields.join(', ')}`
    const [actual, wanted] = [namedFields(result.fields), namedFields(expect.fields)]
    return isEqualJson(actual, wanted)
      ? undefined
      : `refused for ${actual.join(', ')}, should be for ${wanted.join(', ')}`
  }
  if (!result.accepted) return `refused for ${result.fields.join(', ')}, should be accepted`
  for (const [path, value] of Object.entries(expect.reads ?? {})) {
    const actual = valueAt(result.object, path)
    if (!isEqualJson(actual, value))
      return `${path} reads ${JSON.stringify(actual)}, should read ${JSON.stringify(value)}`
  }
  return undefined
}
