import { ApiError } from '../kube-client/api-error.ts'
import { KerfError } from './define-errors.ts'
import { runtimeErrors } from './runtime-errors.ts'

const CERTIFICATE_CODES: ReadonlySet<string> = new Set([
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'INVALID_CA',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

/** Node's codes for the TLS alerts of a server that rejects the client certificate, or that requires one and got none. */
const CLIENT_CERTIFICATE_CODE =
  /^ERR_SSL_(?:SSLV3|TLSV1|TLSV13)_ALERT_(?:BAD_CERTIFICATE|CERTIFICATE_\w+|UNSUPPORTED_CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED)$/

/** Returns the `code` that Node sets on system and TLS errors. Searches the error and its chain of causes. */
export const systemErrorCode = (error: unknown): string | undefined => {
  for (let at = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth++) {
    if ('code' in at && typeof at.code === 'string') return at.code
    if (at instanceof AggregateError) {
      const inner = systemErrorCode(at.errors[0])
      if (inner !== undefined) return inner
    }
  }
  return undefined
}

/**
 * Returns the catalogue's error if the API error concerns the connection or the account as a whole. Returns `undefined` for errors
 * about single objects (404, 409, 422, …), because their own text says what is wrong.
 */
export const explainApiError = (error: unknown): KerfError | undefined => {
  if (!(error instanceof ApiError)) return undefined
  if (error.cause instanceof KerfError) return error.cause
  const server = error.server ?? ''
  if (error.code === 0) {
    const code = systemErrorCode(error)
    const cause = error.details.causes?.[0]?.message ?? error.message
    if (code !== undefined && CLIENT_CERTIFICATE_CODE.test(code))
      return runtimeErrors.Unauthorized({ server }, { cause: error })
    // The response did not come from an API server, and the error's own message says so.
    if (error.reason !== 'Unreachable') return undefined
    const isCertificate = code !== undefined && CERTIFICATE_CODES.has(code)
    const create = isCertificate ? runtimeErrors.ApiServerCertificate : runtimeErrors.ApiServerUnreachable
    return create({ server, cause }, { cause: error })
  }
  if (error.code === 401) return runtimeErrors.Unauthorized({ server }, { cause: error })
  if (error.code === 403) return runtimeErrors.Forbidden({ message: error.message }, { cause: error })
  return undefined
}
