import { parse } from 'yaml'
import type { CrdFile } from '../crd-manifest.ts'
import { compileCrdSchema } from '../schema/compiled-schema.ts'
import { isEqualJson, type StructuralSchema } from '../schema/structural-schema.ts'

type Place = readonly [path: string, schema: StructuralSchema]

/** Returns the schema and all schemas nested in it, each with its path. */
const inside = (schema: StructuralSchema, path: string): readonly Place[] => [
  [path, schema],
  ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => inside(inner, `${path}.${name}`)),
  ...(schema.items === undefined ? [] : inside(schema.items, `${path}[]`)),
  ...(typeof schema.additionalProperties === 'object' ? inside(schema.additionalProperties, `${path}{}`) : []),
]

/** Returns the fields of spec and status that have no description. List items and map values do not need a description. */
const descriptionProblems = (places: readonly Place[]): readonly string[] => {
  const named = places.filter(([path]) => /^\.(spec|status)/.test(path) && !/(\[\]|\{\})$/.test(path))
  return [
    ...(named.length > 3 ? [] : ['spec and status have no more than three fields']),
    ...named
      .filter(([, { description = '' }]) => description.length < 10)
      .map(([path]) => `${path} has no description`),
  ]
}

/** Returns lists without a list type, and rules without a message. */
const listProblems = (places: readonly Place[]): readonly string[] =>
  places.flatMap(([path, schema]) => [
    ...(schema.type !== 'array' || /^(atomic|set|map)$/.test(schema['x-kubernetes-list-type'] ?? '')
      ? []
      : [`${path} has no list type`]),
    ...(schema['x-kubernetes-validations'] ?? []).flatMap(({ rule, message = '' }) =>
      message === '' ? [`${path} has a rule without a message: ${rule}`] : [],
    ),
  ])

const columnProblems = ({ manifest }: CrdFile, places: readonly Place[]): readonly string[] => {
  const known = new Set(places.map(([path]) => path))
  return manifest.spec.versions[0].additionalPrinterColumns
    .map(({ jsonPath }) => jsonPath)
    .filter((jsonPath) => !jsonPath.startsWith('.metadata.'))
    .filter((jsonPath) => {
      const path = jsonPath.replace(/\[[^\]]*\]/g, '[]').replace(/\.status\.resources\..*/, '.status.resources')
      return !known.has(path)
    })
    .map((jsonPath) => `a column refers to ${jsonPath}, which does not exist`)
}

/**
 * Returns errors about values that YAML parsers read differently. For example, a YAML 1.1 parser could read an unquoted string as a date, a
 * boolean or a number.
 */
const yamlProblems = ({ yaml, manifest }: CrdFile): readonly string[] => {
  const plain: unknown = JSON.parse(JSON.stringify(manifest))
  return (['1.2', '1.1'] as const)
    .filter((version) => !isEqualJson(parse(yaml, { version }), plain))
    .map((version) => `a YAML ${version} parser reads a value differently`)
}

/** The errors of a CustomResourceDefinition, as lines of text. */
export interface CrdProblems {
  readonly descriptions: readonly string[]
  readonly lists: readonly string[]
  readonly columns: readonly string[]
  readonly yaml: readonly string[]
}

/**
 * Checks one of Kerf's CustomResourceDefinitions.
 *
 * @throws RuleError if a CEL rule does not compile
 */
export const crdProblems = (file: CrdFile): CrdProblems => {
  const schema = file.manifest.spec.versions[0].schema.openAPIV3Schema
  const places = inside(schema, '')
  compileCrdSchema(schema)
  return {
    descriptions: descriptionProblems(places),
    lists: listProblems(places),
    columns: columnProblems(file, places),
    yaml: yamlProblems(file),
  }
}

/** The result of `crdProblems` for a definition without problems. */
export const noCrdProblems: CrdProblems = { descriptions: [], lists: [], columns: [], yaml: [] }

/** Returns the names, columns and subresources, which clients such as kubectl use. */
export const clientView = ({ manifest: { spec } }: CrdFile) => {
  const [version] = spec.versions
  const columns = version.additionalPrinterColumns.map(
    ({ name, type, jsonPath, priority = 0 }) => `${name}|${type}|${jsonPath}|${priority}`,
  )
  return [
    spec.names.kind,
    version.name,
    spec.scope,
    spec.names.shortNames ?? [],
    spec.names.categories,
    version.subresources,
    columns,
  ]
}
