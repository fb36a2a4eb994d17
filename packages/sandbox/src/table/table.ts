import type { KubeObject } from '@kerf/apis'
import { ownValue, plainText } from '@kerf/apis'
import type { Resource } from '../resources/resource.ts'
import { builtinColumns } from '../schema/type-schema.ts'
import type { JsonObject, JsonValue } from '../store/json.ts'
import { builtinCells } from './builtin-cells.ts'
import { humanAge } from './human-duration.ts'
import { jsonPath } from './json-path.ts'

interface Column {
  readonly name: string
  readonly type: string
  readonly format: string
  readonly description: string
  readonly priority: number
}

/** How much of the object each row contains. */
export type IncludeObject = 'None' | 'Metadata' | 'Object'

interface Printer {
  readonly columns: readonly Column[]
  cells(object: KubeObject, now: number): JsonValue[]
}

const nameColumn: Column = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'The name of the object.',
  priority: 0,
}
const printers = new WeakMap<Resource, Printer>()

const printerOf = (resource: Resource): Printer => {
  const known = printers.get(resource)
  if (known !== undefined) return known
  const printer = resource.custom === undefined ? builtinPrinter(resource) : customPrinter(resource.custom.columns)
  printers.set(resource, printer)
  return printer
}

const builtinPrinter = (resource: Resource): Printer => {
  const id = `${resource.group}/${resource.plural}`
  const columns = (ownValue(builtinColumns, id) ?? ['Name:string:name', 'Created At:date:']).map((text): Column => {
    const wide = text.endsWith('!')
    const [name = '', type = 'string', format = ''] = (wide ? text.slice(0, -1) : text).split(':')
    return { name, type, format, description: '', priority: wide ? 1 : 0 }
  })
  const own = ownValue(builtinCells, id) ?? {}
  return {
    columns,
    cells: (object, now) =>
      columns.map(({ name }) => {
        const cell = ownValue(own, name)
        if (cell !== undefined) return cell(object as unknown as JsonObject, now)
        if (name === 'Name') return object.metadata.name
        if (name === 'Age') return humanAge(object.metadata.creationTimestamp, now)
        if (name === 'Created At') return object.metadata.creationTimestamp ?? ''
        return '<none>'
      }),
  }
}

const customPrinter = (printed: NonNullable<Resource['custom']>['columns']): Printer => {
  const given = printed.length > 0 ? printed : [{ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }]
  const columns = given.map(
    (one): Column => ({
      name: one.name,
      type: one.type,
      format: one.format ?? '',
      description: one.description ?? '',
      priority: one.priority ?? 0,
    }),
  )
  return {
    columns: [nameColumn, ...columns],
    cells: (object, now) => [
      object.metadata.name,
      ...given.map((column) => customCell(jsonPath(object, column.jsonPath), column.type, now)),
    ],
  }
}

const customCell = (values: readonly unknown[], type: string, now: number): JsonValue => {
  if (values.length === 0) return null
  const [first] = values
  switch (type) {
    case 'date':
      return humanAge(first, now)
    case 'integer':
    case 'number':
      return typeof first === 'number' ? first : null
    case 'boolean':
      return typeof first === 'boolean' ? first : null
    default:
      return values.map(plainText).join(',')
  }
}

const partial = (object: KubeObject): object => ({
  kind: 'PartialObjectMetadata',
  apiVersion: 'meta.k8s.io/v1',
  metadata: object.metadata,
})

/** Returns the rows and columns that kubectl prints for objects. */
export const buildTable = (
  resource: Resource,
  objects: readonly KubeObject[],
  metadata: object,
  include: IncludeObject,
  now: number,
): object => {
  const printer = printerOf(resource)
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
    columnDefinitions: printer.columns,
    rows: objects.map((object) => ({
      cells: printer.cells(object, now),
      ...(include === 'None' ? { object: null } : { object: include === 'Object' ? object : partial(object) }),
    })),
  }
}

/** Returns only the metadata of an object, for clients that request nothing else. */
export const toPartialMetadata = partial
