import {
  AccessTokens,
  Connections,
  type Credentials,
  gatedSend,
  HttpClient,
  networkFrom,
  type RetryPolicy,
  sendOver,
} from '@kerf/provider-kit'
import type { Clock, Logger, Random, WriteGate } from '@kerf/runtime'
import type { AzureSettings } from '../settings/azure-settings.ts'
import type { AzureApi } from './azure-api.ts'
import { type CallerIdentity, callerOf } from './caller-identity.ts'
import { type CloudEndpoints, cloudEndpoints } from './cloud-endpoints.ts'
import { sdkCredential, tokensOf } from './credentials.ts'
import { imageTokens, withSecondToken } from './image-tokens.ts'
import { loggedSend } from './logged-send.ts'
import { sdkApi } from './sdk-api.ts'

const LIMITS = { requestTimeout: 120_000, connectionTimeout: 10_000, maxSockets: 100 }
/** As Azure's SDKs repeat requests, and no longer than Azure asks to wait. */
const RETRIES: RetryPolicy = { attempts: 4, base: 800, max: 60_000, jitter: 0.2, longestWait: 60_000 }

type Env = Readonly<Record<string, string | undefined>>

/** What a process has of its own to reach Azure with. */
export interface ConnectionParts {
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
  readonly env: Env
  readonly version: string
  /** Asked before each request that changes something; nothing is held back without it. */
  readonly gate?: WriteGate | undefined
}

/** Azure Resource Graph is asked with POST. */
const isQuestion = ({ pathname }: URL): boolean =>
  pathname.toLowerCase().startsWith('/providers/microsoft.resourcegraph/')

/** Azure as the settings and the environment lead to it. Nothing is asked of it yet. */
export interface AzureConnection {
  readonly api: AzureApi
  readonly cloud: CloudEndpoints
  /** Sends requests without a token. */
  readonly plain: HttpClient
  /** Who Kerf is there. @throws AzureApiError where nobody gives a token. */
  identity(signal: AbortSignal): Promise<CallerIdentity>
}

/** Settings that the environment may name otherwise (`docs/spec/azure.md#settings`). */
export const completedSettings = <T extends AzureSettings>(settings: T, env: Env): T => ({
  ...settings,
  azureTenantID: settings.azureTenantID === '' ? (env['ARM_TENANT_ID'] ?? '') : settings.azureTenantID,
  azureSubscriptionID:
    settings.azureSubscriptionID === '' ? (env['ARM_SUBSCRIPTION_ID'] ?? '') : settings.azureSubscriptionID,
})

/**
 * Connects to the cloud that the settings name, as the identity that the environment has.
 *
 * @throws Error for a file of endpoints that cannot be used.
 */
export const connectAzure = async (
  settings: AzureSettings,
  { clock, random, log, env, version, gate }: ConnectionParts,
): Promise<AzureConnection> => {
  const cloud = await cloudEndpoints(settings)
  const plainSend = sendOver(new Connections(networkFrom(env, ''), LIMITS), { userAgent: `kerf/${version}` })
  const send = settings.enableAzureSDKLogging ? loggedSend(plainSend, { clock, log }) : plainSend
  const plain = new HttpClient({ send, clock, random, retries: RETRIES })
  const gated = gate === undefined ? send : gatedSend(send, { gate, isQuestion })
  const httpWith = (credentials: Credentials) =>
    new HttpClient({ send: gated, clock, random, retries: RETRIES, credentials })
  const credential = () =>
    sdkCredential({
      ...{ env, tenant: settings.azureTenantID, http: plain },
      ...{ authority: cloud.activeDirectory, isPrivate: cloud.isPrivate },
    })
  const askToken = tokensOf(credential, cloud.audience, clock)
  const tokens = new AccessTokens(clock, askToken)
  const ofImages = () =>
    new AccessTokens(clock, imageTokens(plain, settings.sigAccessTokenServerURL, cloud.audience), (token) => ({
      'x-ms-authorization-auxiliary': `Bearer ${token}`,
    }))
  const api = sdkApi({
    ...{ version, clock, endpoint: cloud.resourceManager, subscription: settings.azureSubscriptionID },
    ...{ nodeResourceGroup: settings.azureNodeResourceGroup, location: settings.azureLocation },
    http: httpWith(tokens),
    ...(settings.useSIG ? { vmHttp: httpWith(withSecondToken(tokens, ofImages())) } : {}),
  })
  return { api, cloud, plain, identity: async (signal) => callerOf((await askToken(signal)).value) }
}
