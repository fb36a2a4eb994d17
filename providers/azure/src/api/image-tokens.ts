import { type AccessToken, type Credentials, type HttpClient, readField, readTextField } from '@kerf/provider-kit'
import { AzureApiError } from './azure-api-error.ts'

/**
 * Returns a function that requests a second token from the server in the settings. With this token, VMs may use images of AKS's shared
 * galleries, which belong to another tenant (`providers/azure/docs/spec/azure.md#retry-and-tokens`).
 */
export const imageTokens =
  (http: Pick<HttpClient, 'call'>, server: string, audience: string) =>
  async (signal: AbortSignal): Promise<AccessToken> => {
    const url = new URL(server)
    url.searchParams.set('scope', `${audience}/.default`)
    const { text } = await http.call({ method: 'GET', url }, signal)
    const answer: unknown = JSON.parse(text)
    const value = readTextField(answer, 'token') ?? readTextField(answer, 'Token')
    const expires =
      readTextField(answer, 'expiresOn') ?? readTextField(answer, 'ExpiresOn') ?? readField(answer, 'expires_on')
    const expiresAt = typeof expires === 'string' ? Date.parse(expires) : Number.NaN
    if (value === undefined)
      throw new AzureApiError({
        code: 'NoImageToken',
        message: `${url.host} returned no token for the shared galleries`,
      })
    return { value, ...(Number.isNaN(expiresAt) ? {} : { expiresAt }) }
  }

/** Returns credentials that add both tokens to a request. */
export const withSecondToken = (first: Credentials, second: Credentials): Credentials => ({
  authorize: async (request, signal) => second.authorize(await first.authorize(request, signal), signal),
  invalidate: (refused) => {
    first.invalidate(refused)
    second.invalidate(refused)
  },
})
