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

/**
 * Returns the error in a response. Its reason is the `reason` of the first entry (Compute Engine), or otherwise the status name (GKE,
 * google.aip.dev/193).
 */
const refusalIn = ({ status, answer, message }: HttpError): GcpApiError => {
  const error = ownField(parsed(answer.text), 'error')
  const entries = ownField(error, 'errors')
  const [first]: readonly unknown[] = Array.isArray(entries) ? entries : []
  return new GcpApiError({
    reason: textOr(ownField(first, 'reason'), textOr(ownField(error, 'status'), `HTTP ${status}`)),
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
 * Returns the answer of a call of the SDK.
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
