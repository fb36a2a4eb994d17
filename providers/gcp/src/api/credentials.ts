import { ProblemError } from '@kerf/apis'
import type { AccessToken } from '@kerf/provider-kit'
import { textOfThrown } from '@kerf/runtime'
import { GcpApiError } from './gcp-api-error.ts'

const SCOPE = 'https://www.googleapis.com/auth/cloud-platform'

/**
 * Returns a function that requests a token through Google's library. The credentials come from the file or, if there is none, from
 * Application Default Credentials (`providers/gcp/docs/spec/gcp.md#settings-and-credentials`). Each token comes from a new client, which
 * reads the credentials again. A reused client could return a token that the service has just refused, and would not notice a new key.
 *
 * @returns the function for the kit's `AccessTokens`. It throws GcpApiError with status 401 if there are no credentials.
 */
export const tokensFrom =
  (file: string): ((signal: AbortSignal) => Promise<AccessToken>) =>
  async (signal) => {
    signal.throwIfAborted()
    try {
      const { GoogleAuth } = await import('./clients/auth.ts')
      const auth = new GoogleAuth({ scopes: [SCOPE], ...(file === '' ? {} : { keyFilename: file }) })
      const client = await auth.getClient()
      const { token } = await client.getAccessToken()
      if (token === null || token === undefined) throw new ProblemError('the credentials gave no token')
      const { expiry_date: expiresAt } = client.credentials
      return { value: token, ...(typeof expiresAt === 'number' ? { expiresAt } : {}) }
    } catch (error) {
      signal.throwIfAborted()
      throw new GcpApiError(
        { reason: 'NoCredentials', message: `there is no token: ${textOfThrown(error)}`, status: 401 },
        { cause: error },
      )
    }
  }
