import type { KubeObject } from '@kerf/apis'
import { jsonValues } from './json-values.ts'
import type { Manifest } from './manifest.ts'
import { ManifestError } from './manifest-error.ts'
import { isPlannedKind } from './planned-kinds.ts'
import { type YamlDocument, yamlDocuments } from './yaml-documents.ts'
import { YamlError } from './yaml-error.ts'

/**
 * Returns the documents in the text of one file, without empty documents. Like kubectl, it detects the format (JSON, several consecutive
 * JSON values, or YAML) from the text and not from the file name.
 */
export const parseDocuments = (text: string, file: string): readonly YamlDocument[] => {
  const start = text.trimStart()
  const looksLikeJson = start.startsWith('{') || start.startsWith('[')
  // JSON is also YAML, but the JSON parser is a hundred times faster.
  const values = looksLikeJson ? jsonValues(text) : undefined
  if (values !== undefined) return values.map((each) => ({ ...each, repeated: [] }))
  if (looksLikeJson && file.replace(/\.gz$/, '').endsWith('.json')) refuseJson(text, file)
  return parseYaml(text, file).filter(({ value }) => value !== null && value !== undefined)
}

/** Called with a line for each item that is skipped. */
type Say = (line: string) => void

const documentObjects = (documents: readonly YamlDocument[], file: string, skipped?: Say): readonly Manifest[] =>
  documents.flatMap(({ value, line, repeated }) => {
    const [first, ...more] = flatten(value, file, line, skipped)
    if (first === undefined || repeated.length === 0) return first === undefined ? [] : [first, ...more]
    return [{ ...first, repeatedKeys: repeated }, ...more]
  })

/**
 * Returns the objects in the text of one file. Lists are flattened, and empty documents are skipped. An object is also skipped if it has no
 * name and no plan needs its kind, for example a kind cluster configuration or a KubeletConfiguration. `skipped` receives a line about the
 * object. Without `skipped`, such an object is an error.
 * @throws ManifestError with file and line
 */
export const parseManifests = (text: string, file: string, skipped?: Say): readonly Manifest[] =>
  documentObjects(parseDocuments(text, file), file, skipped)

/** Returns whether the value is a kustomization file. kubectl also skips such files in a directory. */
const isKustomization = (value: unknown): boolean =>
  isRecord(value) &&
  typeof value['apiVersion'] === 'string' &&
  value['apiVersion'].startsWith('kustomize.config.k8s.io/')

const claimsToBeOne = (value: unknown): boolean =>
  Array.isArray(value) || (isRecord(value) && ('kind' in value || ('apiVersion' in value && 'metadata' in value)))

/** If the text is a Helm template, returns a reason why it is not valid YAML. */
const templateReason = (text: string): string | undefined =>
  /\{\{.*\}\}/.test(text) ? 'a template of a Helm chart (pipe helm template CHART into -f -)' : undefined

const whyNoManifest = (documents: readonly YamlDocument[]): string | undefined => {
  const values = documents.map(({ value }) => value)
  if (values.length === 0) return undefined
  if (values.every(isKustomization)) return 'a kustomization (use -k)'
  if (values.some(claimsToBeOne)) return undefined
  return values.some((value) => isRecord(value) && 'apiVersion' in value)
    ? 'it has no kind, like the Chart.yaml of Helm (pipe helm template CHART into -f -)'
    : 'it has neither apiVersion nor kind'
}

/**
 * Returns the objects of a file that was found in a directory. If the file is not a manifest, for example the values of a chart, returns
 * the reason instead. If a file looks like a manifest, it is parsed, and mistakes in it are errors.
 *
 * @throws ManifestError with file and line
 */
export const parseFoundFile = (
  text: string,
  file: string,
  skipped: Say,
): { readonly manifests: readonly Manifest[] } | { readonly why: string } => {
  const template = templateReason(text)
  let documents: readonly YamlDocument[]
  try {
    documents = parseDocuments(text, file)
  } catch (error) {
    if (template !== undefined && error instanceof ManifestError) return { why: template }
    throw error
  }
  const why = whyNoManifest(documents)
  return why === undefined ? { manifests: documentObjects(documents, file, skipped) } : { why }
}

/** Throws the JSON parser's error if the text is not valid YAML either. */
const refuseJson = (text: string, file: string): void => {
  try {
    yamlDocuments(text)
  } catch {
    try {
      JSON.parse(text)
    } catch (error) {
      throw new ManifestError(`${file}: not valid JSON: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
}

const parseYaml = (text: string, file: string): readonly YamlDocument[] => {
  try {
    return yamlDocuments(text)
  } catch (error) {
    if (!(error instanceof YamlError)) throw error
    const template = templateReason(text) === undefined ? '' : '; for a Helm chart, pipe helm template CHART into -f -'
    throw new ManifestError(`${file}:${error.line}:${error.column}: not valid YAML: ${error.message}${template}`)
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const flatten = (value: unknown, file: string, line: number, skipped: Say | undefined): readonly Manifest[] => {
  if (
    isRecord(value) &&
    typeof value['kind'] === 'string' &&
    value['kind'].endsWith('List') &&
    (Array.isArray(value['items']) || value['items'] === null)
  ) {
    const { kind } = value
    const items = Array.isArray(value['items']) ? value['items'] : []
    const itemKind = kind === 'List' ? undefined : String(kind).slice(0, -'List'.length)
    return items.flatMap((item: unknown) =>
      flatten(
        isRecord(item)
          ? { ...(itemKind === undefined ? {} : { apiVersion: value['apiVersion'], kind: itemKind }), ...item }
          : item,
        file,
        line,
        skipped,
      ),
    )
  }
  if (Array.isArray(value)) return value.flatMap((item: unknown) => flatten(item, file, line, skipped))
  // If the file is a recording of `kerf record`, use the objects that existed when the recording began.
  if (isRecord(value) && isRecord(value['recording']) && Array.isArray(value['objects']))
    return flatten(value['objects'], file, line, skipped)
  const why = skipped === undefined ? undefined : whyLeftOut(value)
  if (why === undefined) return [{ object: asObject(value, `${file}:${line}`), file, line }]
  skipped?.(`skipped: ${file}:${line}: ${why}`)
  return []
}

/** Returns why a value is not an object of a cluster. Returns `undefined` if it is one, or if a plan needs its kind. */
const whyLeftOut = (value: unknown): string | undefined => {
  if (!isRecord(value)) return undefined
  const { apiVersion, kind, metadata } = value
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || isPlannedKind(apiVersion, kind)) return undefined
  if (!isRecord(metadata)) return `${kind} of ${apiVersion}: metadata is missing`
  const isNamed = typeof metadata['name'] === 'string' || typeof metadata['generateName'] === 'string'
  return isNamed ? undefined : `${kind} of ${apiVersion}: metadata.name is missing`
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
  // An object with only `generateName` is accepted, because the API server generates its name.
  return { ...value, apiVersion, kind, metadata: metadata as unknown as KubeObject['metadata'] }
}
