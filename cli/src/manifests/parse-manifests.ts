import type { KubeObject } from '@kerf/apis'
import { load as loadFast } from 'js-yaml'
import { LineCounter, parseAllDocuments } from 'yaml'
import type { Manifest } from './manifest.ts'
import { ManifestError } from './manifest-error.ts'

/**
 * Above this many characters a document is read by the fast parser first: snapshots of clusters are written by programs,
 * and the strict one needs twenty times as long (`spec/engine-notes.md` 5.2). Errors always come from the strict one.
 */
const FAST_FROM = 200_000

/** The objects of one file's text. Lists are flattened; empty documents are skipped. */
export const parseManifests = (text: string, file: string): readonly Manifest[] => {
  if (file.replace(/\.gz$/, '').endsWith('.json')) return flatten(parseJson(text, file), file, 1)
  // JSON is YAML too, but its own parser is a hundred times as fast.
  const json = text.trimStart().startsWith('{') ? tryJson(text) : undefined
  if (json !== undefined) return flatten(json, file, 1)
  if (text.length > FAST_FROM) {
    const fast = parseFast(text, file)
    if (fast !== undefined) return fast
  }
  return parseStrict(text, file)
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

const linesIn = (text: string): number => text.split('\n').length - 1

const parseFast = (text: string, file: string): readonly Manifest[] | undefined => {
  const manifests: Manifest[] = []
  let line = 1
  try {
    for (const document of text.split(/^---.*$/m)) {
      const value = loadFast(document)
      const begin = line + linesIn(document.slice(0, Math.max(0, document.search(/\S/))))
      if (value !== undefined && value !== null) manifests.push(...flatten(value, file, begin))
      line += linesIn(document)
    }
  } catch (error) {
    if (error instanceof ManifestError) throw error
    return undefined
  }
  return manifests
}

const parseStrict = (text: string, file: string): readonly Manifest[] => {
  const lines = new LineCounter()
  const manifests: Manifest[] = []
  for (const document of parseAllDocuments(text, { lineCounter: lines, prettyErrors: false, merge: true })) {
    const problem = document.errors[0]
    if (problem !== undefined) {
      const place = lines.linePos(problem.pos[0])
      throw new ManifestError(`${file}:${place.line}:${place.col}: not valid YAML: ${problem.message.split('\n')[0]}`)
    }
    const value: unknown = document.toJS()
    if (value === null || value === undefined) continue
    manifests.push(...flatten(value, file, lines.linePos(document.contents?.range?.[0] ?? 0).line))
  }
  return manifests
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
  return { ...value, apiVersion, kind, metadata }
}
