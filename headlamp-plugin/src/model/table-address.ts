import { at, textAt } from './read.ts'

/** How a table is sorted: by a column, upwards or downwards. */
export interface Sort {
  readonly id: string
  readonly desc: boolean
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
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}
