import type { KubeObject } from '@kerf/apis'
import type { Manifest } from './manifest.ts'
import { ManifestError } from './manifest-error.ts'
import { YamlError, yamlDocuments } from './yaml-documents.ts'

/** The objects of one file's text. Lists are flattened; empty documents are skipped. */
export const parseManifests = (text: string, file: string): readonly Manifest[] => {
  if (file.replace(/\.gz$/, '').endsWith('.json')) return flatten(parseJson(text, file), file, 1)
  // JSON is YAML too, but its own parser is a hundred times as fast.
  const json = text.trimStart().startsWith('{') ? tryJson(text) : undefined
  if (json !== undefined) return flatten(json, file, 1)
  return parseYaml(text, file).flatMap(({ value, line }) => (value === null ? [] : flatten(value, file, line)))
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
    throw new ManifestError(`${file}:${error.line}:${error.column}: not valid YAML: ${error.message}`)
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
