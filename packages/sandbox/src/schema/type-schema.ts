import { ownValue } from '@kerf/apis'
import type { JsonValue } from '../store/json.ts'
import builtin from './generated/builtin-api.json' with { type: 'json' }

/** The type of a field, and the rules for merging values from two writers. */
export interface FieldSchema {
  readonly type?:
    | 'string'
    | 'integer'
    | 'number'
    | 'boolean'
    | 'array'
    | 'map'
    | 'any'
    | 'quantity'
    | 'int-or-string'
    | 'time'
    | 'micro-time'
  readonly format?: string
  /** The fields of a nested object. */
  readonly object?: () => TypeSchema
  readonly items?: FieldSchema
  readonly values?: FieldSchema
  /** The list type for server-side apply. Default `atomic`. */
  readonly list?: 'atomic' | 'set' | 'map'
  readonly keys?: readonly string[]
  readonly map?: 'atomic' | 'granular'
  /** The strategy for a strategic merge patch: `merge`, `retainKeys` or both. */
  readonly patch?: string
  readonly mergeKey?: string
  readonly default?: JsonValue
  readonly required?: boolean
}

export interface TypeSchema {
  readonly name: string
  readonly atomic: boolean
  readonly fields: ReadonlyMap<string, FieldSchema>
  /** Whether fields that the schema does not list are kept. The types of such fields are not checked. */
  readonly open: boolean
}

interface RawField {
  readonly type?: string
  readonly format?: string
  readonly ref?: string
  readonly items?: RawField
  readonly values?: RawField
  readonly list?: string
  readonly keys?: readonly string[]
  readonly map?: string
  readonly patch?: string
  readonly mergeKey?: string
  readonly default?: string | number | boolean
  readonly required?: boolean
}

const rawTypes = builtin.types as unknown as Readonly<
  Record<string, { readonly map?: string; readonly fields: Readonly<Record<string, RawField>> }>
>
const roots = builtin.roots as Readonly<Record<string, string>>
const built = new Map<string, TypeSchema>()

const fieldSchema = (raw: RawField): FieldSchema => {
  const { ref, items, values, type, ...rest } = raw
  return {
    ...(rest as Omit<FieldSchema, 'type' | 'items' | 'values' | 'object'>),
    ...(ref === undefined
      ? { type: (type ?? 'any') as NonNullable<FieldSchema['type']> }
      : { object: () => builtinType(ref) }),
    ...(items === undefined ? {} : { items: fieldSchema(items) }),
    ...(values === undefined ? {} : { values: fieldSchema(values) }),
  }
}

/** Returns a built-in type by its OpenAPI name, e.g. `io.k8s.api.core.v1.PodSpec`. */
export const builtinType = (name: string): TypeSchema => {
  const known = built.get(name)
  if (known !== undefined) return known
  const raw = ownValue(rawTypes, name)
  const schema: TypeSchema = {
    name,
    atomic: raw?.map === 'atomic',
    fields: new Map(Object.entries(raw?.fields ?? {}).map(([key, field]) => [key, fieldSchema(field)])),
    open: raw === undefined,
  }
  built.set(name, schema)
  return schema
}

/** Returns the type of a built-in kind. */
export const builtinKind = (group: string, version: string, kind: string): TypeSchema | undefined => {
  const name = ownValue(roots, `${group}/${version}/${kind}`)
  return name === undefined ? undefined : builtinType(name)
}

export const objectMetaType = (): TypeSchema => builtinType('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta')

/** Returns the names of all built-in types with fields, including resource kinds, for the OpenAPI documents. */
export const builtinTypeNames = (): readonly string[] => Object.keys(rawTypes)
export const builtinRoots = (): Readonly<Record<string, string>> => roots
export const builtinResources = builtin.resources as unknown as readonly {
  readonly group: string
  readonly version: string
  readonly name: string
  readonly singular: string
  readonly namespaced: boolean
  readonly kind: string
  readonly kindGroup?: string
  readonly kindVersion?: string
  readonly verbs: readonly string[]
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
}[]
export const kubernetesVersion: string = builtin.kubernetes

/** The columns of `kubectl get` by `group/plural`, each as `Name:type:format`. Columns that only `-o wide` shows end in `!`. */
export const builtinColumns = builtin.columns as unknown as Readonly<Record<string, readonly string[]>>
