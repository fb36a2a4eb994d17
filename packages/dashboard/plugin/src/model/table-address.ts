import { at, textAt } from './read.ts'

/** The sorting of a table: by a column, ascending or descending. */
export interface Sort {
  readonly id: string
  readonly desc: boolean
}

/** The selected values of each filtered column. A column without selected values shows all rows. */
export type Filters = ReadonlyMap<string, readonly string[]>

const searchOf = (parameters: URLSearchParams): string => {
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}

const nameOf = (table: string): string => `${table}sort`

/** Returns a table's sorting from an address: `?kerf-nodepoolssort=-price` sorts by price, highest first. */
export const sortOfAddress = (search: string, table: string): Sort | undefined => {
  const text = new URLSearchParams(search).get(nameOf(table)) ?? ''
  const id = text.replace(/^-/, '')
  return id === '' ? undefined : { id, desc: text.startsWith('-') }
}

/**
 * Adds the stored sorting, which may be any text, to the address. Returns the address unchanged if the sorting is
 * invalid.
 */
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

/**
 * Returns a table's filters from an address. `?kerf-nodeclaims-pool=general&kerf-nodeclaims-pool=spot` selects the
 * claims of two pools.
 */
export const filtersOfAddress = (search: string, table: string, columns: readonly string[]): Filters => {
  const parameters = new URLSearchParams(search)
  const asked = columns.map((column) => [column, [...new Set(parameters.getAll(filterName(table, column)))]] as const)
  return new Map(asked.filter(([, values]) => values.length > 0))
}

/**
 * Returns the address with a column's selected values. Selects the first page, because the current page may have no
 * rows with these filters.
 */
export const filterInAddress = (search: string, table: string, column: string, values: readonly string[]): string => {
  const parameters = new URLSearchParams(search)
  parameters.delete(`${table}.p`)
  parameters.delete(filterName(table, column))
  for (const value of values) parameters.append(filterName(table, column), value)
  return searchOf(parameters)
}

/** Returns whether an object is shown: one of its values in each filtered column is selected. */
export const isWanted = (filters: Filters, valuesIn: (column: string) => readonly string[]): boolean =>
  [...filters].every(([column, wanted]) => valuesIn(column).some((value) => wanted.includes(value)))
