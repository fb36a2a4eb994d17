import { compileCrdSchema, type CompiledSchema, describeFieldError, rulesNotChecked, serverFields } from '@kerf/apis'
import { type Document, LineCounter, parseDocument, stringify, visit } from 'yaml'
import { editWarnings } from './edit-warnings.ts'
import { itemsAtFault } from './items-at-fault.ts'
import { type FieldProblem, metadataProblems } from './metadata-problems.ts'
import { at, errorMessage, type Fields, fieldsAt, isFields, listAt, textAt } from './read.ts'
import { fieldOffset } from './yaml-place.ts'

/** A problem in a text and its position. Lines and columns start at 1. */
export interface TextProblem {
  readonly line: number
  readonly column: number
  readonly message: string
  /** `error` if the API server refuses the value. `warning` if it stores the value but a controller cannot use it. */
  readonly severity: 'error' | 'warning'
}

export interface Checked {
  /** The object in the text. Absent if the text cannot be parsed. */
  readonly object: Fields | undefined
  /** The object as the API server would store it. It includes the schema's defaults if the schema is known. */
  readonly stored: Fields | undefined
  readonly problems: readonly TextProblem[]
}

/** Returns whether a tool manages the annotation. Such annotations are hidden, and added again on saving. */
const isHidden = (annotation: string): boolean =>
  annotation === 'kubectl.kubernetes.io/last-applied-configuration' || /-hash(?:-version)?$/.test(annotation)

/** Returns the fields that users write: the object without status and without server-managed metadata. */
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

/** Returns the fields that users write (see `cleanObject`) as YAML, in the usual order. */
export const editorText = (object: unknown): string => {
  const { apiVersion, kind, metadata, spec, ...rest } = cleanObject(object)
  return stringify({ apiVersion, kind, metadata, spec, ...rest }, { lineWidth: 0, compat: 'yaml-1.1' })
}

/**
 * Returns the object to send: the edited object with the resourceVersion that the stored object had when the edit
 * began. If another user has changed the stored object since then, the API server reports a conflict.
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

/** Fields that identify an object. The schema would accept other values in them. */
const IDENTITY = ['apiVersion', 'kind'] as const

/**
 * Finds an alias (`*a`) inside the value of its own anchor (`&a`). The API server stores JSON, which cannot represent
 * such a cycle.
 */
const cycleIn = (document: Document): { readonly offset: number; readonly message: string } | undefined => {
  let found: { readonly offset: number; readonly message: string } | undefined
  visit(document, {
    Alias: (_key, alias, path) => {
      const target = alias.resolve(document)
      if (target === undefined || !path.includes(target)) return undefined
      found = { offset: alias.range?.[0] ?? 0, message: `anchor "${alias.source}" contains itself` }
      return visit.BREAK
    },
  })
  return found
}

/** Returns the object in a text, or the problems of the text with their positions. */
const documentObject = (
  document: Document.Parsed,
): { readonly object: Fields } | { readonly offset: number; readonly message: string }[] => {
  if (document.errors.length > 0) return document.errors.map(({ pos, message }) => ({ offset: pos[0], message }))
  const cycle = cycleIn(document)
  if (cycle !== undefined) return [cycle]
  const object: unknown = document.toJS({ maxAliasCount: 100 })
  return isFields(object)
    ? { object }
    : [{ offset: 0, message: 'an object is expected: apiVersion, kind, metadata, spec' }]
}

/**
 * Parses and checks a text as the API server would: YAML, unknown fields, metadata, the schema, its CEL rules, and
 * transition rules that compare with the original. Also warns about values that a controller cannot use. Returns
 * problems for any text and never throws, so that no text is lost.
 */
export const checkText = (text: string, schema: CompiledSchema | undefined, original: unknown): Checked => {
  try {
    return checked(text, schema, original)
  } catch (error) {
    // The text was nested too deeply for the parser's recursion.
    return {
      object: undefined,
      stored: undefined,
      problems: [{ line: 1, column: 1, message: `cannot be read: ${errorMessage(error)}`, severity: 'error' }],
    }
  }
}

const checked = (text: string, schema: CompiledSchema | undefined, original: unknown): Checked => {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const problemAt = (offset: number, message: string, severity: TextProblem['severity'] = 'error'): TextProblem => {
    const { line, col } = lines.linePos(offset)
    return { line: Math.max(1, line), column: Math.max(1, col), message, severity }
  }
  const read = documentObject(document)
  if (Array.isArray(read))
    return {
      object: undefined,
      stored: undefined,
      problems: read.map(({ offset, message }) => problemAt(offset, message)),
    }
  const { object } = read
  const placed = (field: string, message: string, severity?: TextProblem['severity'], place = field): TextProblem =>
    problemAt(fieldOffset(document.contents, place), field === '' ? message : `${field}: ${message}`, severity)
  const problems = [
    ...identityProblems(object, original).map(({ field, message }) => placed(field, message)),
    ...metadataProblems(object).map(({ field, message }) => placed(field, message)),
  ]
  if (schema === undefined) return { object, stored: object, problems: inOrder(problems) }
  problems.push(...schema.unknownFields(object).map((field) => placed(field, 'unknown field')))
  const whole = schema.default(forSaving(object, original))
  // `rulesNotChecked` is omitted, because the schema errors next to it already explain why the CEL rules were not
  // checked.
  const errors = schema
    .validateUpdate(whole, isFields(original) ? original : {})
    .filter((each) => each !== rulesNotChecked)
  for (const error of errors) {
    if (error.field === '') continue
    for (const place of itemsAtFault(error, whole, schema))
      problems.push(placed(error.field, describeFieldError(error), 'error', place))
  }
  const warnings = problems.length > 0 ? [] : editWarnings(object)
  return {
    object,
    stored: whole,
    problems: [
      ...inOrder([...problems, ...warnings.map(({ field, message }) => placed(field, message, 'warning'))]),
      // Errors about the object as a whole have no position.
      ...errors.filter(({ field }) => field === '').map((error) => placed('', describeFieldError(error))),
    ],
  }
}

const inOrder = (problems: readonly TextProblem[]): readonly TextProblem[] =>
  [...problems].sort((a, b) => a.line - b.line || a.column - b.column)

const identityProblems = (object: Fields, original: unknown): readonly FieldProblem[] => {
  const stays = (field: string, ...path: readonly string[]): readonly FieldProblem[] =>
    textAt(object, ...path) === textAt(original, ...path)
      ? []
      : [{ field, message: `must stay ${textAt(original, ...path) ?? ''}` }]
  return [...IDENTITY.flatMap((field) => stays(field, field)), ...stays('metadata.name', 'metadata', 'name')]
}

/** Returns the schema of one version in a CustomResourceDefinition. */
export const schemaOfCrd = (crd: unknown, version: string): Fields | undefined => {
  const found = listAt(crd, 'spec', 'versions').find((each) => textAt(each, 'name') === version)
  const schema = at(found, 'schema', 'openAPIV3Schema')
  return isFields(schema) ? schema : undefined
}

/** Returns the schema in `/openapi/v3/apis/<group>/<version>`, a document that every authenticated user may read. */
export const schemaOfOpenApi = (openApi: unknown, group: string, version: string, kind: string): Fields | undefined => {
  const schemas = fieldsAt(openApi, 'components', 'schemas')
  const found = Object.values(schemas).find((schema) =>
    listAt(schema, 'x-kubernetes-group-version-kind').some(
      (each) => textAt(each, 'group') === group && textAt(each, 'version') === version && textAt(each, 'kind') === kind,
    ),
  )
  if (!isFields(found)) return undefined
  // The document describes metadata by a reference to a common type. Metadata is checked separately.
  return { ...found, properties: { ...fieldsAt(found, 'properties'), metadata: { type: 'object' } } }
}

/**
 * Compiles a schema. Returns undefined if one of its rules cannot be compiled here. In that case, only the server's dry run checks the
 * rules.
 */
export const compiled = (schema: Fields | undefined): CompiledSchema | undefined => {
  if (schema === undefined) return undefined
  try {
    return compileCrdSchema(schema)
  } catch {
    return undefined
  }
}
