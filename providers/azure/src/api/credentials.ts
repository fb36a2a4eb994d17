import type { TokenCredential } from '@azure/core-auth'
import type { Milliseconds } from '@kerf/apis'
import { ProblemError } from '@kerf/apis'
import type { AccessToken, HttpClient } from '@kerf/provider-kit'
import { type Clock, textOfThrown } from '@kerf/runtime'
import { AzureApiError } from './azure-api-error.ts'
import { sdkTransport } from './sdk-transport.ts'

type Env = Readonly<Record<string, string | undefined>>

/**
 * The maximum time for which Kerf uses a token. The limit makes role changes take effect, and prevents a token from expiring during
 * a pending change.
 */
const LONGEST: Milliseconds = 2 * 3_600_000

export interface CredentialOptions {
  readonly env: Env
  readonly tenant: string
  /** The URL of Active Directory, such as `https://login.microsoftonline.com`. */
  readonly authority: string
  /** True if Microsoft's public directory does not list the cloud. Kerf then does not check the authority in the directory. */
  readonly isPrivate?: boolean
  /** Sends requests without a token. */
  readonly http: Pick<HttpClient, 'call'>
}

/**
 * Returns Kerf's credential. In a cluster, this is the workload identity, whose token the kubelet stores in a file, or else the node's
 * managed identity. On a workstation, it is the user who is signed in to the Azure CLI.
 */
export const sdkCredential = async ({
  env,
  tenant,
  authority,
  isPrivate = false,
  http,
}: CredentialOptions): Promise<TokenCredential> => {
  const identity = await import('./clients/identity.ts')
  const options = { authorityHost: authority, httpClient: sdkTransport(http), retryOptions: { maxRetries: 0 } }
  const { AZURE_FEDERATED_TOKEN_FILE: file = '', AZURE_CLIENT_ID: client = '' } = env
  if (file !== '')
    return new identity.WorkloadIdentityCredential({
      ...options,
      ...{ tokenFilePath: file, disableInstanceDiscovery: isPrivate },
      ...(client === '' ? {} : { clientId: client }),
      ...(tenant === '' ? {} : { tenantId: tenant }),
    })
  return new identity.ChainedTokenCredential(
    new identity.ManagedIdentityCredential({ ...options, ...(client === '' ? {} : { clientId: client }) }),
    new identity.AzureCliCredential(tenant === '' ? {} : { tenantId: tenant }),
  )
}

/**
 * Returns a function that requests a token for an audience. It uses a new credential each time, because the SDK's credentials cache a token
 * until it expires. An existing credential could return a token that Azure has just refused.
 *
 * @returns the function for the kit's `AccessTokens`. It throws AzureApiError with status 401 if there are no credentials.
 */
export const createTokens = (
  makeCredential: () => Promise<TokenCredential>,
  audience: string,
  clock: Clock,
): ((signal: AbortSignal) => Promise<AccessToken>) => {
  return async (abortSignal) => {
    try {
      const token = await (await makeCredential()).getToken(`${audience}/.default`, { abortSignal })
      if (token === null) throw new ProblemError('no credential provided one')
      const { token: value, expiresOnTimestamp } = token
      return { value, expiresAt: Math.min(expiresOnTimestamp, clock.now() + LONGEST) }
    } catch (error) {
      abortSignal.throwIfAborted()
      throw new AzureApiError(
        {
          code: 'NoCredentials',
          message: `no token for ${audience}: ${textOfThrown(error)}; check the workload identity of Kerf's service account`,
          status: 401,
        },
        { cause: error },
      )
    }
  }
}
