import type { KubeObject } from '@kerf/apis'
import { validateBuiltin } from './admission/builtin-validation.ts'
import { validateMetadata } from './admission/metadata.ts'
import { podSpecDefaults } from './admission/pod-defaults.ts'
import { applyBuiltinDefaults } from './admission/workload-defaults.ts'
import { crdShapeErrors } from './custom-resources/crd-validation.ts'
import { decode } from './schema/decode.ts'
import { builtinKind, builtinResources, builtinRoots, type FieldSchema, type TypeSchema } from './schema/type-schema.ts'
import { cloneObject, objectAt } from './store/json.ts'

/** A problem that an API server would report for an object of a built-in kind. */
export interface ManifestProblem {
  /**
   * The path of the field, for example `spec.template.spec.containers[0].imagePullPolicy`. Empty if the problem concerns the whole
   * object.
   */
  readonly field: string
  /** The API server's message. Absent for an unknown field. */
  readonly message?: string
  /** For an unknown field: the names of the fields that exist at the same level. */
  readonly known: readonly string[]
}

/** An object in the form in which an API server reads it, with the problems that the server would report. */
export interface CheckedManifest {
  /**
   * The object without unknown fields, nulls and defaults, and with normalized quantities. Contains the status of the manifest, although a
   * client cannot set it.
   */
  readonly object: KubeObject
  readonly problems: readonly ManifestProblem[]
}

const steps = (path: string): readonly string[] => path.split('.').map((step) => step.replace(/\[\d+\]/g, ''))

const inner = (field: FieldSchema | undefined): FieldSchema | undefined => {
  let found = field
  while (found?.items !== undefined || found?.values !== undefined) found = found.items ?? found.values
  return found
}

/** Returns the names of the fields that exist at the level of a path's last step. */
const fieldsBeside = (schema: TypeSchema, path: string): readonly string[] => {
  let type: TypeSchema | undefined = schema
  for (const step of steps(path).slice(0, -1)) type = inner(type?.fields.get(step))?.object?.()
  return [...(type?.fields.keys() ?? [])]
}

const resourceOf = (group: string, version: string, kind: string) =>
  builtinResources.find(
    (each) => each.group === group && each.version === version && each.kind === kind && !each.name.includes('/'),
  )

/**
 * Checks a manifest as an API server would, but without a server. Reports unknown fields (as `fieldValidation=Strict` does), values
 * of the wrong type, and validation errors. Returns `undefined` for kinds that are not built in. Does not change the given object.
 */
export const checkBuiltinManifest = (given: KubeObject): CheckedManifest | undefined => {
  const [version = '', group = ''] = given.apiVersion.split('/').reverse()
  const schema = builtinKind(group, version, given.kind)
  if (schema === undefined) return undefined
  const { status, ...rest } = given as KubeObject & { readonly status?: unknown }
  const decoded = cloneObject(rest)
  const { unknown, mismatches } = decode(decoded, schema, given.kind)
  const object = { ...decoded, ...(status === undefined || status === null ? {} : { status }) } as unknown as KubeObject
  const unknownFields = unknown.map((text) => {
    const field = text.slice('unknown field "'.length, -1)
    return { field, known: fieldsBeside(schema, field) }
  })
  if (mismatches.length > 0) {
    const wrong = mismatches.map(({ path, text }) => ({ field: path, message: text, known: [] }))
    return { object, problems: [...unknownFields, ...wrong] }
  }
  const draft = cloneObject(decoded)
  const spec = objectAt(draft, 'spec')
  if (given.kind === 'Pod' && spec !== undefined) podSpecDefaults(spec, true)
  applyBuiltinDefaults(given.kind, draft)
  const resource = resourceOf(group, version, given.kind)
  const { name, generateName } = given.metadata
  const metadata = { ...objectAt(draft, 'metadata'), ...(name === undefined ? { name: `${generateName}x` } : {}) }
  const errors = [
    ...(resource === undefined ? [] : validateMetadata({ group, plural: resource.name }, metadata)),
    ...validateBuiltin(given.kind, draft, undefined, undefined),
    ...(given.kind === 'CustomResourceDefinition' ? crdShapeErrors(draft) : []),
  ]
  const invalid = errors.map(({ field, message }) => ({ field: field ?? '', message: message ?? '', known: [] }))
  return { object, problems: [...unknownFields, ...invalid] }
}

/** Returns the resource kinds that objects of an API group and version can have. Empty for a group that is not built in. */
export const builtinKindNames = (apiVersion: string): readonly string[] => {
  const prefix = apiVersion.includes('/') ? `${apiVersion}/` : `/${apiVersion}/`
  const roots = Object.keys(builtinRoots())
    .filter((root) => root.startsWith(prefix))
    .map((root) => root.slice(prefix.length))
  // Resource kinds such as Eviction, Scale and TokenRequest are written only to a subresource, so no object has them.
  const ofSubresources = builtinResources
    .filter(({ name, group, version, kindGroup = group, kindVersion = version }) => {
      const groupVersion = kindGroup === '' ? kindVersion : `${kindGroup}/${kindVersion}`
      return name.includes('/') && groupVersion === apiVersion
    })
    .map(({ kind }) => kind)
  return [...new Set([...roots, ...ofSubresources])]
}
