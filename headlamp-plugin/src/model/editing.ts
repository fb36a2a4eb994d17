import { compileCrdSchema, type CompiledSchema, describeFieldError, serverFields } from '@kerf/apis'
import { isMap, isScalar, isSeq, LineCounter, type Node, type ParsedNode, parseDocument, stringify } from 'yaml'
import { at, type Fields, fieldsAt, listAt, textAt } from './read.ts'

/** Something that is wrong with a text, and where; lines and columns count from 1. */
export interface TextProblem {
  readonly line: number
  readonly column: number
  readonly message: string
}

export interface Checked {
  /** The object that the text describes; absent when it cannot be read at all. */
  readonly object: Fields | undefined
  readonly problems: readonly TextProblem[]
}

/** Annotations that tools keep for themselves: not shown, and back in place when saved. */
const isHidden = (annotation: string): boolean =>
  annotation === 'kubectl.kubernetes.io/last-applied-configuration' || /-hash(?:-version)?$/.test(annotation)

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What a person wrote of an object: without status and what the API server keeps in its metadata. */
export const cleanObject = (object: unknown): Fields => {
  const { status: _, ...rest } = isFields(object) ? object : {}
  const metadata = Object.fromEntries(
    Object.entries(fieldsAt(rest, 'metadata')).filter(([name]) => !serverFields.includes(name)),
  )
  const annotations = Object.fromEntries(
    Object.entries(fieldsAt(metadata, 'annotations')).filter(([name]) => !isHidden(name)),
  )
  const { annotations: __, ...others } = metadata
  return {
    ...rest,
    metadata: Object.keys(annotations).length === 0 ? others : { ...others, annotations },
  }
}

/** A clean object as YAML, in the order that people write. */
export const textOf = (object: unknown): string => {
  const { apiVersion, kind, metadata, spec, ...rest } = cleanObject(object)
  return stringify({ apiVersion, kind, metadata, spec, ...rest }, { lineWidth: 0, compat: 'yaml-1.1' })
}

/**
 * What is sent to the API server: the edited object with the version that the editing began with, so that a change which
 * somebody else made meanwhile is a conflict and never lost.
 */
export const forSaving = (edited: Fields, original: unknown): Fields => {
  const kept = Object.fromEntries(
    ['uid', 'resourceVersion', 'creationTimestamp', 'generation'].flatMap((name) => {
      const value = at(original, 'metadata', name)
      return value === undefined ? [] : [[name, value]]
    }),
  )
  const status = at(original, 'status')
  const annotations = {
    ...fieldsAt(edited, 'metadata', 'annotations'),
    ...Object.fromEntries(
      Object.entries(fieldsAt(original, 'metadata', 'annotations')).filter(([name]) => isHidden(name)),
    ),
  }
  return {
    ...edited,
    metadata: {
      ...fieldsAt(edited, 'metadata'),
      ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
      ...kept,
    },
    ...(status === undefined ? {} : { status }),
  }
}

/** The parts of `spec.limits["cpu"]` or `spec.disruption.budgets[0].nodes`. */
const partsOf = (field: string): readonly string[] =>
  Array.from(field.matchAll(/\["?([^\]"]+)"?\]|([^.[\]]+)/g), ([, inside, plain]) => inside ?? plain ?? '')

/** The place of a field: of its value when that is on one line, of its name otherwise, of what lacks it when missing. */
const nodeAt = (root: ParsedNode | null, field: string): Node | null => {
  let place: Node | null = root
  let current: Node | null = root
  for (const part of partsOf(field)) {
    if (isMap(current)) {
      const pair = current.items.find(({ key }) => isScalar(key) && String(key.value) === part)
      if (pair === undefined) return place
      current = (pair.value as Node | null) ?? null
      place = isScalar(current) ? current : (pair.key as Node | null) ?? place
    } else if (isSeq(current)) {
      const item = current.items[Number(part)] as Node | undefined
      if (item === undefined) return place
      current = item
      place = item
    } else return place
  }
  return place
}

/** Fields that only Kubernetes' own naming makes what they are; a schema would not see that they changed. */
const IDENTITY = ['apiVersion', 'kind'] as const

/**
 * Reads and checks a text as the API server would: YAML, unknown fields, the schema, its CEL rules, and those about
 * changes against the original. Whatever the text is, problems come back and nothing is thrown.
 */
export const checkText = (text: string, schema: CompiledSchema | undefined, original: unknown): Checked => {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const problems: TextProblem[] = []
  const report = (offset: number | undefined, message: string): void => {
    const { line, col } = lines.linePos(offset ?? 0)
    problems.push({ line: Math.max(1, line), column: Math.max(1, col), message })
  }
  for (const { pos, message } of document.errors) report(pos[0], message)
  if (problems.length > 0) return { object: undefined, problems }
  let object: unknown
  try {
    object = document.toJS({ maxAliasCount: 100 })
  } catch (error) {
    report(0, error instanceof Error ? error.message : String(error))
  }
  if (!isFields(object)) {
    if (problems.length === 0) report(0, 'an object is expected: apiVersion, kind, metadata, spec')
    return { object: undefined, problems }
  }
  const reportField = (field: string, message: string): void =>
    report(nodeAt(document.contents, field)?.range?.[0], field === '' ? message : `${field}: ${message}`)
  for (const field of IDENTITY) {
    if (object[field] !== at(original, field)) reportField(field, `must stay ${textAt(original, field) ?? ''}`)
  }
  if (textAt(object, 'metadata', 'name') !== textAt(original, 'metadata', 'name'))
    reportField('metadata.name', `must stay ${textAt(original, 'metadata', 'name') ?? ''}`)
  if (schema === undefined) return { object, problems }
  for (const field of schema.unknownFields(object)) reportField(field, 'unknown field')
  const whole = schema.default(forSaving(object, original))
  const errors = schema.validateUpdate(whole, isFields(original) ? original : {})
  for (const error of errors) if (error.field !== '') reportField(error.field, describeFieldError(error))
  problems.sort((a, b) => a.line - b.line || a.column - b.column)
  // What concerns the whole object has no place of its own.
  for (const error of errors) if (error.field === '') reportField('', describeFieldError(error))
  return { object, problems }
}

/** The schema of a version in a CustomResourceDefinition. */
export const schemaOfCrd = (crd: unknown, version: string): Fields | undefined => {
  const found = listAt(crd, 'spec', 'versions').find((each) => textAt(each, 'name') === version)
  const schema = at(found, 'schema', 'openAPIV3Schema')
  return isFields(schema) ? schema : undefined
}

/** The same out of `/openapi/v3/apis/<group>/<version>`, which everybody may read who is logged in. */
export const schemaOfOpenApi = (openApi: unknown, group: string, version: string, kind: string): Fields | undefined => {
  const schemas = fieldsAt(openApi, 'components', 'schemas')
  const found = Object.values(schemas).find((schema) =>
    listAt(schema, 'x-kubernetes-group-version-kind').some(
      (each) => textAt(each, 'group') === group && textAt(each, 'version') === version && textAt(each, 'kind') === kind,
    ),
  )
  if (!isFields(found)) return undefined
  // Its metadata is a reference to the common type, which is checked elsewhere.
  return { ...found, properties: { ...fieldsAt(found, 'properties'), metadata: { type: 'object' } } }
}

/** A schema made ready, or nothing when one of its rules cannot be read here: the server's dry run checks those. */
export const compiled = (schema: Fields | undefined): CompiledSchema | undefined => {
  if (schema === undefined) return undefined
  try {
    return compileCrdSchema(schema)
  } catch {
    return undefined
  }
}
