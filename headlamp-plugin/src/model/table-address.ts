import { at, textAt } from './read.ts'

/** How a table is sorted: by a column, upwards or downwards. */
export interface Sort {
  readonly id: string
  readonly desc: boolean
}

/** The values that a table is filtered by, of each column; a column without any shows everything. */
export type Filters = ReadonlyMap<string, readonly string[]>

const searchOf = (parameters: URLSearchParams): string => {
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}

const nameOf = (table: string): string => `${table}sort`

/** The sorting of a table that an address asks for: `?kerf-nodepoolssort=-price` is by price, the highest first. */
export const sortOfAddress = (search: string, table: string): Sort | undefined => {
  const text = new URLSearchParams(search).get(nameOf(table)) ?? ''
  const id = text.replace(/^-/, '')
  return id === '' ? undefined : { id, desc: text.startsWith('-') }
}

/** The address with the sorting that is stored, which is a text of anything; unchanged when the sorting is not known. */
export const sortInAddress = (search: string, table: string, stored: string | null): string => {
  let sort: unknown
  try {
    sort = at(JSON.parse(stored ?? '[]'), '0')
  } catch {
    return search
  }
  const parameters = new URLSearchParams(search)
  const id = textAt(sort, 'id')
  if (id === undefined) parameters.delete(nameOf(table))
  else parameters.set(nameOf(table), `${at(sort, 'desc') === true ? '-' : ''}${id}`)
  return searchOf(parameters)
}

const filterName = (table: string, column: string): string => `${table}-${column}`

/** The filters of a table that an address asks for: `?kerf-nodeclaims-pool=general&kerf-nodeclaims-pool=spot` are the claims of two pools. */
export const filtersOfAddress = (search: string, table: string, columns: readonly string[]): Filters => {
  const parameters = new URLSearchParams(search)
  const asked = columns.map((column) => [column, [...new Set(parameters.getAll(filterName(table, column)))]] as const)
  return new Map(asked.filter(([, values]) => values.length > 0))
}

/** The address with the values that a column is filtered by; the page is the first, as the old one may have no rows now. */
export const filterInAddress = (search: string, table: string, column: string, values: readonly string[]): string => {
  const parameters = new URLSearchParams(search)
  parameters.delete(`${table}.p`)
  parameters.delete(filterName(table, column))
  for (const value of values) parameters.append(filterName(table, column), value)
  return searchOf(parameters)
}

/** Whether an object with these values is shown: it has one of the wanted values in each column that is filtered. */
export const isWanted = (filters: Filters, valueIn: (column: string) => string): boolean =>
  [...filters].every(([column, wanted]) => wanted.includes(valueIn(column)))
