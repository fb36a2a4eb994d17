/**
 * This script generates the data about the built-in API that the sandbox needs: the resources, the names and types of their fields, and how
 * their lists merge. It reads discovery and OpenAPI of a running API server and leaves out all descriptions:
 * KERF_API=https://127.0.0.1:6443 KERF_TOKEN=… NODE_TLS_REJECT_UNAUTHORIZED=0 node packages/sandbox/scripts/extract-builtin-api.ts Run it
 * when the pinned Kubernetes version changes. The result is checked in.
 */

import { writeFileSync } from 'node:fs'
import { ownValue, setOwnValue } from '@kerf/apis'

const groupVersions = [
  'api/v1',
  'apis/admissionregistration.k8s.io/v1',
  'apis/apiextensions.k8s.io/v1',
  'apis/apiregistration.k8s.io/v1',
  'apis/apps/v1',
  'apis/authentication.k8s.io/v1',
  'apis/authorization.k8s.io/v1',
  'apis/autoscaling/v2',
  'apis/batch/v1',
  'apis/coordination.k8s.io/v1',
  'apis/discovery.k8s.io/v1',
  'apis/events.k8s.io/v1',
  'apis/networking.k8s.io/v1',
  'apis/node.k8s.io/v1',
  'apis/policy/v1',
  'apis/rbac.authorization.k8s.io/v1',
  'apis/resource.k8s.io/v1',
  'apis/scheduling.k8s.io/v1',
  'apis/storage.k8s.io/v1',
]

type Json = Record<string, unknown>
const server = process.env['KERF_API'] ?? 'https://127.0.0.1:6443'
const get = async (path: string, accept = 'application/json'): Promise<Json> => {
  const response = await fetch(`${server}/${path}`, {
    headers: { accept, authorization: `Bearer ${process.env['KERF_TOKEN'] ?? ''}` },
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as Json
}

const types: Record<string, unknown> = {}
const roots: Record<string, string> = {}
const REF = '#/components/schemas/'

const field = (schema: Json): Json => {
  const merged: Json = { ...schema, ...((schema['allOf'] as Json[] | undefined)?.[0] ?? {}) }
  const out: Json = {}
  const reference = merged['$ref'] as string | undefined
  if (reference !== undefined) {
    const name = reference.slice(REF.length)
    if (name.endsWith('api.resource.Quantity')) out['type'] = 'quantity'
    else if (name.endsWith('util.intstr.IntOrString')) out['type'] = 'int-or-string'
    else if (name.endsWith('meta.v1.Time')) out['type'] = 'time'
    else if (name.endsWith('meta.v1.MicroTime')) out['type'] = 'micro-time'
    else if (/FieldsV1$|RawExtension$|\.JSON$|JSONSchemaProps/.test(name)) out['type'] = 'any'
    else out['ref'] = name
  } else if (merged['type'] === 'array') {
    out['type'] = 'array'
    out['items'] = field(merged['items'] as Json)
    if (merged['x-kubernetes-list-type'] !== undefined) out['list'] = merged['x-kubernetes-list-type']
    if (merged['x-kubernetes-list-map-keys'] !== undefined) out['keys'] = merged['x-kubernetes-list-map-keys']
  } else if (merged['type'] === 'object' && merged['additionalProperties'] !== undefined) {
    out['type'] = 'map'
    out['values'] = field(merged['additionalProperties'] as Json)
  } else if (merged['type'] === undefined || merged['type'] === 'object') {
    out['type'] = 'any'
  } else {
    out['type'] = merged['type']
    if (['byte', 'int32', 'int64'].includes(String(merged['format']))) out['format'] = merged['format']
  }
  if (merged['x-kubernetes-map-type'] !== undefined) out['map'] = merged['x-kubernetes-map-type']
  if (merged['x-kubernetes-patch-strategy'] !== undefined) out['patch'] = merged['x-kubernetes-patch-strategy']
  if (merged['x-kubernetes-patch-merge-key'] !== undefined) out['mergeKey'] = merged['x-kubernetes-patch-merge-key']
  const standard = merged['default']
  if (standard !== undefined && typeof standard !== 'object' && standard !== '' && standard !== 0 && standard !== false)
    out['default'] = standard
  return out
}

const resources: Json[] = []
for (const path of groupVersions) {
  const discovery = await get(path)
  const groupVersion = discovery['groupVersion'] as string
  const [group, version] = groupVersion.includes('/') ? groupVersion.split('/') : ['', groupVersion]
  for (const entry of discovery['resources'] as Json[]) {
    const { name, singularName, namespaced, kind, verbs, shortNames, categories } = entry
    resources.push({
      group,
      version,
      name,
      singular: singularName,
      namespaced,
      kind,
      ...(entry['group'] === undefined ? {} : { kindGroup: entry['group'] }),
      ...(entry['version'] === undefined ? {} : { kindVersion: entry['version'] }),
      verbs,
      ...(shortNames === undefined ? {} : { shortNames }),
      ...(categories === undefined ? {} : { categories }),
    })
  }
  const document = await get(`openapi/v3/${path}`)
  const schemas = (document['components'] as Json)['schemas'] as Record<string, Json>
  for (const [name, schema] of Object.entries(schemas)) {
    for (const gvk of (schema['x-kubernetes-group-version-kind'] as Json[] | undefined) ?? []) {
      if (gvk['group'] === group && gvk['version'] === version)
        setOwnValue(roots, `${group}/${version}/${gvk['kind'] as string}`, name)
    }
    if (schema['properties'] === undefined) continue
    const required = new Set((schema['required'] as string[] | undefined) ?? [])
    const fields: Record<string, { required?: boolean }> = {}
    for (const [key, value] of Object.entries(schema['properties'] as Record<string, Json>)) {
      setOwnValue(fields, key, { ...field(value), ...(required.has(key) ? { required: true } : {}) })
    }
    setOwnValue(types, name, {
      ...(schema['x-kubernetes-map-type'] === undefined ? {} : { map: schema['x-kubernetes-map-type'] }),
      fields,
    })
  }
}

/** The columns of `kubectl get`, as `Name:type[:format][!]`. `!` marks columns that only `-o wide` shows. */
const columns: Record<string, string[]> = {}
for (const resource of resources) {
  const { group, version, name } = resource
  if (!(resource['verbs'] as string[]).includes('list')) continue
  const base = group === '' ? 'api' : `apis/${group as string}`
  const table = await get(
    `${base}/${version as string}/${name as string}`,
    'application/json;as=Table;v=v1;g=meta.k8s.io',
  )
  setOwnValue(
    columns,
    `${group as string}/${name as string}`,
    (table['columnDefinitions'] as Json[]).map(
      (one) =>
        `${one['name'] as string}:${one['type'] as string}:${one['format'] as string}${one['priority'] === 0 ? '' : '!'}`,
    ),
  )
}

const reachable = new Set<string>()
const visit = (name: string): void => {
  if (reachable.has(name)) return
  reachable.add(name)
  for (const value of Object.values((ownValue(types, name) as Json | undefined)?.['fields'] ?? {})) walk(value as Json)
}
const walk = (node: Json): void => {
  if (typeof node['ref'] === 'string') visit(node['ref'])
  if (node['items'] !== undefined) walk(node['items'] as Json)
  if (node['values'] !== undefined) walk(node['values'] as Json)
}
for (const [gvk, name] of Object.entries(roots)) {
  if (/List$|WatchEvent$/.test(gvk) || (/(DeleteOptions|Status)$/.test(gvk) && !gvk.startsWith('/v1')))
    delete roots[gvk]
  else visit(name)
}

const line = (entries: [string, unknown][]): string =>
  entries.map(([k, v]) => `${JSON.stringify(k)}:${JSON.stringify(v)}`).join(',\n')
const sorted = (record: Record<string, unknown>): [string, unknown][] =>
  Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1))
const version = ((await get('version')) as Json)['gitVersion']
writeFileSync(
  new URL('../src/schema/generated/builtin-api.json', import.meta.url),
  `{"kubernetes":${JSON.stringify(version)},\n"resources":[\n${resources.map((r) => JSON.stringify(r)).join(',\n')}\n],\n"columns":{\n${line(sorted(columns))}\n},\n"roots":{\n${line(sorted(roots))}\n},\n"types":{\n${line(sorted(Object.fromEntries(Object.entries(types).filter(([name]) => reachable.has(name)))))}\n}}\n`,
)
