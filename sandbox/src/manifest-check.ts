import type { KubeObject } from '@kerf/apis'
import { validateBuiltin } from './admission/builtin-validation.ts'
import { podSpecDefaults } from './admission/pod-defaults.ts'
import { applyBuiltinDefaults } from './admission/workload-defaults.ts'
import { decode } from './schema/decode.ts'
import { builtinKind, builtinRoots, type FieldSchema, type TypeSchema } from './schema/type-schema.ts'
import { cloneObject, objectAt } from './store/json.ts'

/** What an API server would say against an object of a built-in kind, without one. */
export interface ManifestProblem {
  /** `spec.template.spec.containers[0].imagePullPolicy`; empty for the whole object. */
  readonly field: string
  /** Nothing for a field that the kind does not have. */
  readonly message?: string
  /** The fields that are there, for one that the kind does not have. */
  readonly known: readonly string[]
}

const steps = (path: string): readonly string[] => path.split('.').map((step) => step.replace(/\[\d+\]/g, ''))

const inner = (field: FieldSchema | undefined): FieldSchema | undefined => {
  let found = field
  while (found?.items !== undefined || found?.values !== undefined) found = found.items ?? found.values
  return found
}

/** The fields beside the last step of a path. */
const fieldsBeside = (schema: TypeSchema, path: string): readonly string[] => {
  let type: TypeSchema | undefined = schema
  for (const step of steps(path).slice(0, -1)) type = inner(type?.fields.get(step))?.object?.()
  return [...(type?.fields.keys() ?? [])]
}

/** Go's sentence about a value of the wrong type, in plainer words. */
const plain = (mismatch: string): Pick<ManifestProblem, 'field'> & { readonly message: string } => {
  const found = /^json: cannot unmarshal (\S+) into Go struct field [^.]+\.(\S+) of type (.+)$/.exec(mismatch)
  const [, got, field, expected] = found ?? []
  return got === undefined || field === undefined
    ? { field: '', message: mismatch }
    : { field, message: `is of type ${got}, and must be ${expected}` }
}

/**
 * What an API server refuses of an object that somebody wrote: unknown fields (as `fieldValidation=Strict` does), values of the
 * wrong type, and what its validation finds. Undefined for kinds that are not built in. The object is not changed.
 */
export const checkBuiltinManifest = (object: KubeObject): readonly ManifestProblem[] | undefined => {
  const parts = object.apiVersion.split('/')
  const [version = '', group = ''] = parts.reverse()
  const schema = builtinKind(group, version, object.kind)
  if (schema === undefined) return undefined
  const draft = cloneObject(object)
  delete draft['status']
  const { unknown, mismatch } = decode(draft, schema, object.kind)
  const unknownFields = unknown.map((text) => {
    const field = text.slice('unknown field "'.length, -1)
    return { field, known: fieldsBeside(schema, field) }
  })
  if (mismatch !== undefined) return [...unknownFields, { ...plain(mismatch), known: [] }]
  const spec = objectAt(draft, 'spec')
  if (object.kind === 'Pod' && spec !== undefined) podSpecDefaults(spec, true)
  applyBuiltinDefaults(object.kind, draft)
  const errors = validateBuiltin(object.kind, draft, undefined, undefined)
  return [
    ...unknownFields,
    ...errors.map(({ field, message }) => ({ field: field ?? '', message: message ?? '', known: [] })),
  ]
}

/** The kinds that are built into an API group and version; empty for one that no cluster has by itself. */
export const builtinKindsOf = (apiVersion: string): readonly string[] => {
  const prefix = apiVersion.includes('/') ? `${apiVersion}/` : `/${apiVersion}/`
  return Object.keys(builtinRoots())
    .filter((root) => root.startsWith(prefix))
    .map((root) => root.slice(prefix.length))
}
