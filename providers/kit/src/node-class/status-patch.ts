import { isDeepStrictEqual } from 'node:util'
import { ownValue } from '@kerf/apis'

type Fields = Readonly<Record<string, unknown>>

/** Returns the status in its stored form, which has no empty lists, as in upstream's providers. */
const storedStatus = (status: object | undefined): Fields =>
  Object.fromEntries(
    Object.entries(JSON.parse(JSON.stringify(status ?? {})) as Fields).filter(
      ([, value]) => !Array.isArray(value) || value.length > 0,
    ),
  )

/** Returns the merge patch that changes `before` into `after`, or `undefined` if they are equal. */
export const statusPatch = (before: object | undefined, after: object | undefined): Fields | undefined => {
  const [old, wanted] = [storedStatus(before), storedStatus(after)]
  // Ignores the order of fields, because the API server changes it.
  if (isDeepStrictEqual(old, wanted)) return undefined
  const gone = Object.keys(before ?? {}).filter((field) => ownValue(wanted, field) === undefined)
  return { ...wanted, ...Object.fromEntries(gone.map((field) => [field, null])) }
}
