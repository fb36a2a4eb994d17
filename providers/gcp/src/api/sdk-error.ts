import { ownField } from '@kerf/apis'
import { findError } from '@kerf/provider-contract'
import { HttpError, NoResponseError } from '@kerf/provider-kit'
import { textOfThrown } from '@kerf/runtime'
import { GcpApiError } from './gcp-api-error.ts'

const textOr = (value: unknown, otherwise: string): string =>
  typeof value === 'string' && value !== '' ? value : otherwise

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/**
 * Returns the error that a response contains. Its reason is the `reason` of the first entry (Compute Engine). If there is none, it is the
 * first reason among the details, and otherwise the status name (google.aip.dev/193).
 */
const refusalIn = ({ status, answer, message }: HttpError): GcpApiError => {
  const error = ownField(parsed(answer.text), 'error')
  const reasons = [...listIn(ownField(error, 'errors')), ...listIn(ownField(error, 'details'))]
    .map((entry) => textOr(ownField(entry, 'reason'), ''))
    .filter((reason) => reason !== '')
  return new GcpApiError({
    reason: reasons[0] ?? textOr(ownField(error, 'status'), `HTTP ${status}`),
    message: textOr(ownField(error, 'message'), message),
    status,
  })
}

const gcpErrorOf = (thrown: unknown): Error => {
  const own = findError(thrown, GcpApiError)
  if (own !== undefined) return own
  const refused = findError(thrown, HttpError)
  if (refused !== undefined) return Object.assign(refusalIn(refused), { cause: thrown })
  const lost = findError(thrown, NoResponseError)
  const message = lost?.message ?? textOfThrown(thrown)
  return new GcpApiError({ reason: lost === undefined ? 'Unknown' : 'NoResponse', message }, { cause: thrown })
}

/**
 * Runs an SDK call and returns its response.
 *
 * @throws GcpApiError, or the signal's reason
 */
export const asked = async <T>(call: () => Promise<T>, signal: AbortSignal): Promise<T> => {
  signal.throwIfAborted()
  try {
    return await call()
  } catch (error) {
    signal.throwIfAborted()
    throw gcpErrorOf(error)
  }
}
