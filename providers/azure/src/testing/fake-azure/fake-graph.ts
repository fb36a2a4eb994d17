import { ArmError, type ArmResponse } from './arm-response.ts'
import type { StoredResource } from './resource-store.ts'

interface Row {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly resourceGroup: string
  readonly tags: Readonly<Record<string, string>>
  readonly [column: string]: unknown
}

type Condition = (row: Row) => boolean

const hasTerm = (tags: Row['tags'], term: string): boolean => JSON.stringify(tags).includes(term)

/** Parses a condition of the query language. Only the operators in use are supported. The function refuses all others. */
const conditionOf = (clause: string): Condition => {
  const equal = /^(type|resourceGroup) == '([^']*)'$/.exec(clause)
  if (equal !== null) return (row) => row[equal[1] ?? ''] === equal[2]
  const has = /^tags has_cs '([^']*)'$/.exec(clause)
  if (has !== null) return ({ tags }) => hasTerm(tags, has[1] ?? '')
  const hasNot = /^not\(tags has_cs '([^']*)'\)$/.exec(clause)
  if (hasNot !== null) return ({ tags }) => !hasTerm(tags, hasNot[1] ?? '')
  throw new ArmError(400, 'BadRequest', `Please provide below info when asking for support: the query has ${clause}`)
}

/** Returns a row of the table. The case of an ID's last segment varies, as in Azure. */
const rowOf = ({ type, name, id, body }: StoredResource, index: number): Row => {
  const cut = id.lastIndexOf('/') + 1
  const tags = body['tags']
  return {
    ...body,
    name,
    type,
    id: index % 2 === 0 ? id : `${id.slice(0, cut)}${id.slice(cut).toUpperCase()}`,
    resourceGroup: (id.split('/')[4] ?? '').toLowerCase(),
    tags: typeof tags === 'object' && tags !== null ? (tags as Row['tags']) : {},
  }
}

/** The fields of `QueryRequest` that the provider uses. */
export interface GraphQuery {
  readonly query: string
  readonly options?: { readonly $skipToken?: string; readonly $top?: number }
}

/** The maximum number of rows in an answer (learn.microsoft.com, "Working with large Azure resource data sets"). */
const MOST_ROWS = 1_000

const graphRows = (query: string, resources: readonly StoredResource[]): readonly Row[] => {
  const [table, ...clauses] = query.split('|').map((part) => part.trim())
  if (table?.toLowerCase() !== 'resources') throw new ArmError(400, 'BadRequest', `there is no table ${table}`)
  const conditions = clauses.map((clause) => {
    const where = /^where (.*)$/.exec(clause)
    if (where === null) throw new ArmError(400, 'BadRequest', `the query has ${clause}`)
    return conditionOf(where[1] ?? '')
  })
  return resources.map(rowOf).filter((row) => conditions.every((holds) => holds(row)))
}

/** Returns one page of the rows. */
export const graphPage = ({ query, options = {} }: GraphQuery, resources: readonly StoredResource[]): ArmResponse => {
  const page = Math.min(options.$top ?? MOST_ROWS, MOST_ROWS)
  const rows = graphRows(query, resources)
  const from = Number(options.$skipToken ?? 0)
  const data = rows.slice(from, from + page)
  const isLast = from + page >= rows.length
  return {
    status: 200,
    body: {
      ...{ totalRecords: rows.length, count: data.length, facets: [], data },
      resultTruncated: 'false',
      ...(isLast ? {} : { $skipToken: `${from + page}` }),
    },
  }
}
