import type { Connection } from '../connection/connection.ts'
import { runtimeErrors } from '../errors/runtime-errors.ts'
import { shownServer } from '../errors/shown-server.ts'
import { ApiError } from '../kube-client/api-error.ts'

const ANONYMOUS = 'User "system:anonymous"'

/**
 * Adds the server, the context and the remedy to the error if the API server could not authenticate the request, that is, after a 401, or
 * after a 403 to a request without credentials. Returns other errors unchanged.
 */
export const explainRefusal = (
  error: ApiError,
  { server, origin }: Pick<Connection, 'server' | 'origin'>,
  hasCredentials: boolean,
): ApiError => {
  const { code, reason, details } = error
  if (code === 401) {
    const cause = runtimeErrors.Unauthorized({ server: shownServer(server), origin }, { cause: error })
    return new ApiError({ code, reason, message: cause.message, details }, { cause })
  }
  if (code === 403 && !hasCredentials && error.message.includes(ANONYMOUS)) {
    const cause = runtimeErrors.NoCredentials({ origin, message: error.message }, { cause: error })
    return new ApiError({ code, reason, message: cause.message, details, isAnonymous: true }, { cause })
  }
  return error
}
