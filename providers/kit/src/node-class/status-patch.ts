import { isDeepStrictEqual } from 'node:util'
import { ownValue } from '@kerf/apis'

type Fields = Readonly<Record<string, unknown>>

/** The status as it is stored. Empty lists are absent, as upstream's providers leave them out. */
const storedStatus = (status: object | undefined): Fields =>
  Object.fromEntries(
    Object.entries(JSON.parse(JSON.stringify(status ?? {})) as Fields).filter(
      ([, value]) => !Array.isArray(value) || value.length > 0,
    ),
  )

/** The merge patch from one status to the other, or `undefined` when they are equal. */
export const statusPatch = (before: object | undefined, after: object | undefined): Fields | undefined => {
  const [old, wanted] = [storedStatus(before), storedStatus(after)]
  // The API server keeps fields in an order of its own.
  if (isDeepStrictEqual(old, wanted)) return undefined
  const gone = Object.keys(before ?? {}).filter((field) => ownValue(wanted, field) === undefined)
  return { ...wanted, ...Object.fromEntries(gone.map((field) => [field, null])) }
}
