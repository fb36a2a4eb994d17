/**
 * This script generates the protobuf layout of the built-in types, which kubectl and other Go clients send in that format. It reads the
 * struct tags of the Go modules `k8s.io/api` and `k8s.io/apimachinery`:
 *     KERF_GO_MODULES="$(go env GOMODCACHE)" KERF_K8S=v0.36.3 node packages/sandbox/scripts/extract-protobuf-tags.ts
 * A field has the format `name:kind`. Kinds are `s` text, `i` integer, `b` boolean, `d` number, `y` bytes, `@type` a message, `[…`
 * a list, and `{…` a map. `?` marks a pointer: only in a pointer does a zero differ from an absent value. `^` marks a message whose
 * fields belong to its parent.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const modules = process.env['KERF_GO_MODULES'] ?? ''
const release = process.env['KERF_K8S'] ?? 'v0.36.3'
const apiGroups =
  'core/v1 apps/v1 authentication/v1 authorization/v1 autoscaling/v1 autoscaling/v2 batch/v1 coordination/v1 discovery/v1 events/v1 networking/v1 node/v1 policy/v1 rbac/v1 resource/v1 scheduling/v1 storage/v1'.split(
    ' ',
  )
const packages: Record<string, string> = {
  'k8s.io/apimachinery/pkg/apis/meta/v1': join(modules, `k8s.io/apimachinery@${release}/pkg/apis/meta/v1`),
  'k8s.io/apimachinery/pkg/types': join(modules, `k8s.io/apimachinery@${release}/pkg/types`),
  ...Object.fromEntries(
    apiGroups.map((group) => [`k8s.io/api/${group}`, join(modules, `k8s.io/api@${release}/${group}`)]),
  ),
}

interface Field {
  readonly name: string
  readonly tag: number
  readonly type: string
  readonly inline: boolean
  readonly wire: string
}
const structs = new Map<string, Field[]>()
const aliases = new Map<string, string>()

const qualify = (type: string, pkg: string, imports: Map<string, string>): string => {
  const prefix = /^(\*|\[\]|map\[[^\]]+\])/.exec(type)?.[0]
  if (prefix !== undefined)
    return (
      (prefix.startsWith('map') ? '{' : prefix === '*' ? '?' : '[') + qualify(type.slice(prefix.length), pkg, imports)
    )
  if (/^(string|bool|byte|u?int\d*|float\d+)$/.test(type)) return type
  const [left, right] = type.split('.')
  return right === undefined ? `${pkg}.${left}` : `${imports.get(left ?? '') ?? left}.${right}`
}

for (const [pkg, folder] of Object.entries(packages)) {
  for (const file of readdirSync(folder).filter(
    (name) => name.endsWith('.go') && !name.endsWith('_test.go') && !/generated|deepcopy|register/.test(name),
  )) {
    const text = readFileSync(join(folder, file), 'utf8')
    const imports = new Map<string, string>()
    for (const [, alias, path = ''] of text.matchAll(/^\s*(?:import )?(\w+)?\s*"(k8s\.io\/[^"]+)"$/gm))
      imports.set(alias ?? path.split('/').at(-1) ?? '', path)
    for (const [, name, underlying = ''] of text.matchAll(/^type (\w+) ((?:\[\]|map\[)?[\w.\][]+)\s*(?:\/\/.*)?$/gm)) {
      if (underlying !== 'struct' && underlying !== 'interface')
        aliases.set(`${pkg}.${name}`, qualify(underlying, pkg, imports))
    }
    for (const [, name, body = ''] of text.matchAll(/^type (\w+) struct \{\n([\s\S]*?)^\}/gm)) {
      const fields: Field[] = []
      for (const line of body.split('\n')) {
        const parsed = /^\s*(?:(\w+)\s+)?([*\w.[\]]+)\s+`json:"([^"]*)"[^`]*?\s+protobuf:"(\w+),(\d+)/.exec(line)
        if (parsed === null) continue
        const [, , type = '', json = '', wire = '', tag = ''] = parsed
        const jsonName = json.split(',')[0] ?? ''
        fields.push({
          name: jsonName,
          tag: Number(tag),
          type: qualify(type, pkg, imports),
          inline: jsonName === '',
          wire,
        })
      }
      structs.set(`${pkg}.${name}`, fields)
    }
  }
}

const kindOf = (type: string): string => {
  if (type === '[byte' || type === '?[byte') return 'y'
  if (type.startsWith('[') || type.startsWith('{') || type.startsWith('?')) return type[0] + kindOf(type.slice(1))
  if (type === 'string') return 's'
  if (type === 'bool') return 'b'
  if (/^u?int/.test(type)) return 'i'
  if (type.startsWith('float')) return 'd'
  const alias = aliases.get(type)
  if (alias !== undefined) return kindOf(alias)
  const special =
    /\.(Quantity|IntOrString|RawExtension)$/.exec(type)?.[1] ?? /meta\/v1\.(Time|MicroTime|FieldsV1)$/.exec(type)?.[1]
  return `@${special ?? typeName(type)}`
}
/** Returns the OpenAPI name of a Go type. */
const typeName = (type: string): string => {
  const dot = type.lastIndexOf('.')
  return `${type
    .slice(0, dot)
    .replace(/^k8s\.io\//, 'io.k8s.')
    .replaceAll('/', '.')}.${type.slice(dot + 1)}`
}

const lines: string[] = []
for (const [name, fields] of [...structs].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
  if (fields.length === 0) continue
  const entries = fields.map(
    (field) => `"${field.tag}":"${field.name}:${field.inline ? '^' : ''}${kindOf(field.type)}"`,
  )
  lines.push(`"${typeName(name)}":{${entries.join(',')}}`)
}
writeFileSync(new URL('../src/http/generated/protobuf-tags.json', import.meta.url), `{\n${lines.join(',\n')}\n}\n`)
