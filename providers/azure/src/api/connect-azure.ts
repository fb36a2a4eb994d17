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
import { type CallerIdentity, readCaller } from './caller-identity.ts'
import { type CloudEndpoints, cloudEndpoints } from './cloud-endpoints.ts'
import { createTokens, sdkCredential } from './credentials.ts'
import { imageTokens, withSecondToken } from './image-tokens.ts'
import { loggedSend } from './logged-send.ts'
import { sdkApi } from './sdk-api.ts'

const LIMITS = { requestTimeout: 120_000, connectionTimeout: 10_000, maxSockets: 100 }
/** The retry policy of Azure's SDKs. `max` is the longest wait that Azure asks for. */
const RETRIES: RetryPolicy = { attempts: 4, base: 800, max: 60_000, jitter: 0.2, longestWait: 60_000 }

type Env = Readonly<Record<string, string | undefined>>

/** The parts of the process that the connection needs. */
export interface ConnectionDeps {
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
  readonly env: Env
  readonly version: string
  /** Called before each request that changes resources. If absent, all requests are sent. */
  readonly gate?: WriteGate | undefined
}

/** Returns true for a query of Azure Resource Graph, which uses POST although it changes nothing. */
const isQuestion = ({ pathname }: URL): boolean =>
  pathname.toLowerCase().startsWith('/providers/microsoft.resourcegraph/')

/** The connection to Azure that the settings and the environment describe. Creating it makes no request. */
export interface AzureConnection {
  readonly api: AzureApi
  readonly cloud: CloudEndpoints
  /** Sends requests without a token. */
  readonly plain: HttpClient
  /** Returns the identity of Kerf. @throws AzureApiError if no token is available. */
  identity(signal: AbortSignal): Promise<CallerIdentity>
}

/**
 * Returns the settings with missing values taken from environment variables of other names
 * (`providers/azure/docs/spec/azure.md#settings`).
 */
export const completedSettings = <T extends AzureSettings>(settings: T, env: Env): T => ({
  ...settings,
  azureTenantID: settings.azureTenantID === '' ? (env['ARM_TENANT_ID'] ?? '') : settings.azureTenantID,
  azureSubscriptionID:
    settings.azureSubscriptionID === '' ? (env['ARM_SUBSCRIPTION_ID'] ?? '') : settings.azureSubscriptionID,
})

/**
 * Connects to the cloud of the settings, with the identity of the environment.
 *
 * @throws Error for an unusable endpoints file.
 */
export const connectAzure = async (
  settings: AzureSettings,
  { clock, random, log, env, version, gate }: ConnectionDeps,
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
  const askToken = createTokens(credential, cloud.audience, clock)
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
  return { api, cloud, plain, identity: async (signal) => readCaller((await askToken(signal)).value) }
}
