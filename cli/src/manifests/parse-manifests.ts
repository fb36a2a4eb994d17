import type { KubeObject } from '@kerf/apis'
import type { Manifest } from './manifest.ts'
import { ManifestError } from './manifest-error.ts'
import { YamlError, yamlDocuments } from './yaml-documents.ts'

/** A document of a file, before it is known to be an object. */
type Document = ReturnType<typeof yamlDocuments>[number]

/** The documents of one file's text; empty ones are left out. */
export const parseDocuments = (text: string, file: string): readonly Document[] => {
  if (file.replace(/\.gz$/, '').endsWith('.json')) return [{ value: parseJson(text, file), line: 1 }]
  // JSON is YAML too, but its own parser is a hundred times as fast.
  const json = text.trimStart().startsWith('{') ? tryJson(text) : undefined
  if (json !== undefined) return [{ value: json, line: 1 }]
  return parseYaml(text, file).filter(({ value }) => value !== null && value !== undefined)
}

const objectsOf = (documents: readonly Document[], file: string): readonly Manifest[] =>
  documents.flatMap(({ value, line }) => flatten(value, file, line))

/** The objects of one file's text. Lists are flattened; empty documents are skipped. */
export const parseManifests = (text: string, file: string): readonly Manifest[] =>
  objectsOf(parseDocuments(text, file), file)

/** What directories of manifests hold besides, by its name; kubectl does not read it either. */
const isKustomization = (value: unknown): boolean =>
  isRecord(value) &&
  typeof value['apiVersion'] === 'string' &&
  value['apiVersion'].startsWith('kustomize.config.k8s.io/')

const claimsToBeOne = (value: unknown): boolean =>
  Array.isArray(value) || (isRecord(value) && ('kind' in value || ('apiVersion' in value && 'metadata' in value)))

const whyNoManifest = (documents: readonly Document[]): string | undefined => {
  const values = documents.map(({ value }) => value)
  if (values.length === 0) return undefined
  if (values.every(isKustomization)) return 'a kustomization (-k reads what it builds)'
  if (values.some(claimsToBeOne)) return undefined
  return values.some((value) => isRecord(value) && 'apiVersion' in value)
    ? 'it has no kind, as the Chart.yaml of Helm (helm template CHART, piped into -f -)'
    : 'it has neither apiVersion nor kind'
}

/**
 * The objects of a file that was found in a directory. Such a file may be none of manifests, as the values of a chart are: then why it
 * is none. A file that claims to be one is read with its mistakes.
 *
 * @throws ManifestError naming file and line
 */
export const parseFoundFile = (
  text: string,
  file: string,
): { readonly manifests: readonly Manifest[] } | { readonly why: string } => {
  const documents = parseDocuments(text, file)
  const why = whyNoManifest(documents)
  return why === undefined ? { manifests: objectsOf(documents, file) } : { why }
}

const parseJson = (text: string, file: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ManifestError(`${file}: not valid JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}

const tryJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const parseYaml = (text: string, file: string): ReturnType<typeof yamlDocuments> => {
  try {
    return yamlDocuments(text)
  } catch (error) {
    if (!(error instanceof YamlError)) throw error
    const template = /\{\{.*\}\}/.test(text) ? '; of a Helm chart: helm template CHART, piped into -f -' : ''
    throw new ManifestError(`${file}:${error.line}:${error.column}: not valid YAML: ${error.message}${template}`)
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const flatten = (value: unknown, file: string, line: number): readonly Manifest[] => {
  if (
    isRecord(value) &&
    typeof value['kind'] === 'string' &&
    value['kind'].endsWith('List') &&
    Array.isArray(value['items'])
  ) {
    const { kind, items } = value
    const itemKind = kind === 'List' ? undefined : String(kind).slice(0, -'List'.length)
    return items.flatMap((item: unknown) =>
      flatten(
        isRecord(item)
          ? { ...(itemKind === undefined ? {} : { apiVersion: value['apiVersion'], kind: itemKind }), ...item }
          : item,
        file,
        line,
      ),
    )
  }
  if (Array.isArray(value)) return value.flatMap((item: unknown) => flatten(item, file, line))
  // A recording of `kerf record`: what the cluster had at its beginning.
  if (isRecord(value) && isRecord(value['recording']) && Array.isArray(value['objects']))
    return flatten(value['objects'], file, line)
  return [{ object: asObject(value, `${file}:${line}`), file, line }]
}

const asObject = (value: unknown, place: string): KubeObject => {
  if (!isRecord(value))
    throw new ManifestError(
      `${place}: a manifest must be an object with apiVersion, kind and metadata, this is ${Array.isArray(value) ? 'a list' : `a ${typeof value}`}`,
    )
  const { apiVersion, kind, metadata } = value
  if (typeof apiVersion !== 'string' || apiVersion === '') throw new ManifestError(`${place}: apiVersion is missing`)
  if (typeof kind !== 'string' || kind === '') throw new ManifestError(`${place}: kind is missing`)
  if (!isRecord(metadata)) throw new ManifestError(`${place}: ${kind}: metadata is missing`)
  if (typeof metadata['name'] !== 'string' && typeof metadata['generateName'] !== 'string')
    throw new ManifestError(`${place}: ${kind}: metadata.name is missing`)
  // With `generateName` alone the API server gives the name.
  return { ...value, apiVersion, kind, metadata: metadata as unknown as KubeObject['metadata'] }
}
