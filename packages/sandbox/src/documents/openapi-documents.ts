import { ownValue, setOwnValue } from '@kerf/apis'
import { apiVersionOfResource, type Resource } from '../resources/resource.ts'
import type { ResourceRegistry } from '../resources/resource-registry.ts'
import {
  builtinRoots,
  builtinType,
  builtinTypeNames,
  type FieldSchema,
  kubernetesVersion,
} from '../schema/type-schema.ts'
import { cloneObject, isObject, type JsonObject } from '../store/json.ts'
import { describeField, describeType } from './descriptions.ts'

const REF = '#/components/schemas/'
const objectMetaName = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'

const primitive: Readonly<Record<string, JsonObject>> = {
  string: { type: 'string' },
  integer: { type: 'integer', format: 'int32' },
  number: { type: 'number', format: 'double' },
  boolean: { type: 'boolean' },
  quantity: { allOf: [{ $ref: `${REF}io.k8s.apimachinery.pkg.api.resource.Quantity` }] },
  'int-or-string': { allOf: [{ $ref: `${REF}io.k8s.apimachinery.pkg.util.intstr.IntOrString` }] },
  time: { type: 'string', format: 'date-time' },
  'micro-time': { type: 'string', format: 'date-time' },
  any: { type: 'object' },
}

const fieldDocument = (field: FieldSchema, description?: string): JsonObject => {
  const out: JsonObject = {}
  if (description !== undefined) out['description'] = description
  if (field.object !== undefined) out['allOf'] = [{ $ref: REF + field.object().name }]
  else if (field.type === 'array') {
    out['type'] = 'array'
    out['items'] = field.items === undefined ? { type: 'object' } : fieldDocument(field.items)
  } else if (field.type === 'map') {
    out['type'] = 'object'
    out['additionalProperties'] = field.values === undefined ? { type: 'string' } : fieldDocument(field.values)
  } else {
    for (const [key, value] of Object.entries(primitive[field.type ?? 'any'] ?? {})) setOwnValue(out, key, value)
    if (field.type === 'integer' && field.format !== undefined) out['format'] = field.format
  }
  if (field.default !== undefined) out['default'] = field.default
  if (field.list !== undefined) out['x-kubernetes-list-type'] = field.list
  if (field.keys !== undefined) out['x-kubernetes-list-map-keys'] = [...field.keys]
  if (field.map !== undefined) out['x-kubernetes-map-type'] = field.map
  if (field.patch !== undefined) out['x-kubernetes-patch-strategy'] = field.patch
  if (field.mergeKey !== undefined) out['x-kubernetes-patch-merge-key'] = field.mergeKey
  return out
}

/** Types that are serialized as a single value. */
const scalarTypes: Readonly<Record<string, JsonObject>> = {
  'io.k8s.apimachinery.pkg.api.resource.Quantity': {
    description: 'An amount, such as 100m, 2 or 1.5Gi.',
    oneOf: [{ type: 'string' }, { type: 'number' }],
  },
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': {
    description: 'A number, or text such as 25%.',
    format: 'int-or-string',
    oneOf: [{ type: 'integer' }, { type: 'string' }],
  },
}

/** Returns the schema of one built-in type. Descriptions are short and written for Kerf. Some types have no description. */
const typeDocument = (name: string): JsonObject => {
  const type = builtinType(name)
  const properties: JsonObject = {}
  const required: string[] = []
  for (const [key, field] of type.fields) {
    setOwnValue(properties, key, fieldDocument(field, describeField(name, key)))
    if (field.required === true) required.push(key)
  }
  const gvk = rootsByType().get(name)
  return {
    type: 'object',
    ...(describeType(name) === undefined ? {} : { description: describeType(name) ?? '' }),
    properties,
    ...(required.length === 0 ? {} : { required }),
    ...(type.atomic ? { 'x-kubernetes-map-type': 'atomic' } : {}),
    ...(gvk === undefined ? {} : { 'x-kubernetes-group-version-kind': [gvk] }),
  }
}

let roots: Map<string, JsonObject> | undefined
const rootsByType = (): Map<string, JsonObject> => {
  if (roots !== undefined) return roots
  roots = new Map()
  for (const [id, name] of Object.entries(builtinRoots())) {
    const [group = '', version = '', kind = ''] = id.split('/')
    roots.set(name, { group, version, kind })
  }
  return roots
}

/** Returns the schema name of a custom resource kind: the reversed group, then version and kind. */
const customName = (resource: Resource): string =>
  [...resource.group.split('.').toReversed(), resource.version, resource.kind].join('.')

const customDocument = (resource: Resource): JsonObject => {
  const openApi = cloneObject(resource.custom?.openApi ?? {})
  const properties = isObject(openApi['properties']) ? openApi['properties'] : {}
  return {
    ...openApi,
    type: 'object',
    properties: {
      ...properties,
      apiVersion: { type: 'string', description: describeField(objectMetaName, 'apiVersion') ?? '' },
      kind: { type: 'string', description: describeField(objectMetaName, 'kind') ?? '' },
      metadata: { description: describeField('', 'metadata') ?? '', allOf: [{ $ref: REF + objectMetaName }] },
    },
    'x-kubernetes-group-version-kind': [{ group: resource.group, version: resource.version, kind: resource.kind }],
  }
}

const query = (name: string, type = 'string'): JsonObject => ({ name, in: 'query', schema: { type } })
const writeParameters = [query('dryRun'), query('fieldManager'), query('fieldValidation'), query('force', 'boolean')]

/**
 * Returns the entries of `paths` for a resource. Clients use them to determine which kind a path serves and which parameters it accepts.
 */
const pathsOf = (resource: Resource): Record<string, JsonObject> => {
  const gvk = { group: resource.group, version: resource.version, kind: resource.kind }
  const base = `${resource.group === '' ? '/api' : '/apis'}/${apiVersionOfResource(resource)}${resource.namespaced ? '/namespaces/{namespace}' : ''}/${resource.plural}`
  const operation = (action: string, parameters: JsonObject[] = []): JsonObject => ({
    parameters,
    responses: { '200': { description: 'OK' } },
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': gvk,
  })
  const has = (verb: string): boolean => resource.verbs.includes(verb)
  return {
    [base]: {
      ...(has('list') ? { get: operation('list') } : {}),
      ...(has('create') ? { post: operation('post', writeParameters) } : {}),
    },
    ...(has('get')
      ? {
          [`${base}/{name}`]: {
            get: operation('get'),
            ...(has('update') ? { put: operation('put', writeParameters) } : {}),
            ...(has('patch') ? { patch: operation('patch', writeParameters) } : {}),
            ...(has('delete') ? { delete: operation('delete', [query('dryRun')]) } : {}),
          },
        }
      : {}),
  }
}

const info = { title: 'Kubernetes', version: kubernetesVersion }

/** The OpenAPI documents of the served resources. */
export class OpenApiDocuments {
  readonly #registry: ResourceRegistry
  readonly #cache = new Map<string, object>()
  #generation = -1

  constructor(registry: ResourceRegistry) {
    this.#registry = registry
  }

  /** Returns the document `/openapi/v3`, which contains the location of the document of each group version. */
  index(): object {
    const paths: Record<string, object> = {}
    for (const path of this.#byPath().keys())
      setOwnValue(paths, path, { serverRelativeURL: `/openapi/v3/${path}?hash=${this.#registry.generation}` })
    return { paths }
  }

  /** Returns `/openapi/v3/apis/<group>/<version>`, or `undefined`. */
  document(path: string): object | undefined {
    const resources = this.#byPath().get(path)
    if (resources === undefined) return undefined
    return this.#cached(path, () => ({
      openapi: '3.0.0',
      info,
      paths: Object.fromEntries(resources.flatMap((resource) => Object.entries(pathsOf(resource)))),
      components: { schemas: schemasOf(resources) },
    }))
  }

  /** Returns `/openapi/v2` as JSON. */
  swagger(): object {
    return this.#cached('v2', () => {
      const all = [...this.#registry.all()]
      const text = JSON.stringify({
        paths: Object.fromEntries(all.flatMap((resource) => Object.entries(pathsOf(resource)))),
        definitions: schemasOf(all),
      })
      return { swagger: '2.0', info, ...(JSON.parse(text.replaceAll(REF, '#/definitions/')) as object) }
    })
  }

  #byPath(): Map<string, Resource[]> {
    const out = new Map<string, Resource[]>()
    for (const resource of this.#registry.all()) {
      const path = `${resource.group === '' ? 'api' : 'apis'}/${apiVersionOfResource(resource)}`
      const list = out.get(path)
      if (list === undefined) out.set(path, [resource])
      else list.push(resource)
    }
    return out
  }

  #cached(key: string, make: () => object): object {
    if (this.#generation !== this.#registry.generation) {
      this.#cache.clear()
      this.#generation = this.#registry.generation
    }
    const known = this.#cache.get(key)
    if (known !== undefined) return known
    const made = make()
    this.#cache.set(key, made)
    return made
  }
}

/** Returns the schemas of the resources and of every type they refer to. */
const schemasOf = (resources: readonly Resource[]): Record<string, JsonObject> => {
  const out: Record<string, JsonObject> = { ...scalarTypes }
  const known = new Set(builtinTypeNames())
  const add = (name: string): void => {
    if (ownValue(out, name) !== undefined || !known.has(name)) return
    setOwnValue(out, name, typeDocument(name))
    const visit = (field: FieldSchema): void => {
      if (field.object !== undefined) add(field.object().name)
      if (field.items !== undefined) visit(field.items)
      if (field.values !== undefined) visit(field.values)
    }
    for (const field of builtinType(name).fields.values()) visit(field)
  }
  for (const resource of resources) {
    if (resource.custom === undefined) add(resource.schema.name)
    else {
      setOwnValue(out, customName(resource), customDocument(resource))
      add(objectMetaName)
    }
    for (const sub of resource.subresources) {
      const name = ownValue(builtinRoots(), `${sub.group}/${sub.version}/${sub.kind}`)
      if (name !== undefined) add(name)
    }
  }
  return out
}
