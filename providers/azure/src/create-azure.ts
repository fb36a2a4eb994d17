import { readFile } from 'node:fs/promises'
import type { ProviderContext, ProviderSurroundings, RunningProvider } from '@kerf/provider-contract'
import {
  AccessTokens,
  Connections,
  type Credentials,
  HttpClient,
  networkFrom,
  type PriceTable,
  parsePriceTable,
  type RetryPolicy,
  sendOver,
} from '@kerf/provider-kit'
import { type Settings, textOfThrown } from '@kerf/runtime'
import { cloudEndpoints } from './api/cloud-endpoints.ts'
import { sdkCredential, tokensOf } from './api/credentials.ts'
import { imageTokens, withSecondToken } from './api/image-tokens.ts'
import { loggedSend } from './api/logged-send.ts'
import { sdkApi } from './api/sdk-api.ts'
import { AzureProvider } from './azure-provider.ts'
import type { AzureSettings } from './settings/azure-settings.ts'
import { settingProblems } from './settings/setting-problems.ts'

const LIMITS = { requestTimeout: 120_000, connectionTimeout: 10_000, maxSockets: 100 }
/** As Azure's SDKs repeat requests, and no longer than Azure asks to wait. */
const RETRIES: RetryPolicy = { attempts: 4, base: 800, max: 60_000, jitter: 0.2, longestWait: 60_000 }

const readPriceFile = async (file: string): Promise<PriceTable | undefined> => {
  if (file === '') return undefined
  try {
    return parsePriceTable(await readFile(file, 'utf8'))
  } catch (error) {
    throw new Error(`AZURE_PRICE_FILE ${file} cannot be used: ${textOfThrown(error)}`, { cause: error })
  }
}

/** Settings that the environment may name otherwise (`docs/spec/azure.md#settings`). */
const completed = (settings: AzureSettings, env: ProviderSurroundings['env']): AzureSettings => ({
  ...settings,
  azureTenantID: settings.azureTenantID === '' ? (env['ARM_TENANT_ID'] ?? '') : settings.azureTenantID,
  azureSubscriptionID:
    settings.azureSubscriptionID === '' ? (env['ARM_SUBSCRIPTION_ID'] ?? '') : settings.azureSubscriptionID,
})

/**
 * The provider that the settings and the environment describe.
 *
 * @throws Error that names everything that is wrong with the settings, and for files that cannot be read.
 */
export const createAzure = async (
  given: Settings & AzureSettings,
  context: ProviderContext,
  { metrics, connection, env, version, namespace }: ProviderSurroundings,
): Promise<RunningProvider> => {
  const settings = completed(given, env)
  const problems = settingProblems(settings)
  if (problems.length > 0) throw new Error(`the settings of Azure cannot be used: ${problems.join('; ')}`)
  const { clock, random, log } = context
  const [cloud, priceFile] = await Promise.all([cloudEndpoints(settings), readPriceFile(settings.azurePriceFile)])
  const plainSend = sendOver(new Connections(networkFrom(env, ''), LIMITS), { userAgent: `kerf/${version}` })
  const send = settings.enableAzureSDKLogging ? loggedSend(plainSend, { clock, log }) : plainSend
  const httpWith = (credentials?: Credentials) =>
    new HttpClient({ send, clock, random, retries: RETRIES, ...(credentials === undefined ? {} : { credentials }) })
  const plain = httpWith()
  const credential = () =>
    sdkCredential({
      ...{ env, tenant: settings.azureTenantID, http: plain },
      ...{ authority: cloud.activeDirectory, isPrivate: cloud.isPrivate },
    })
  const tokens = new AccessTokens(clock, tokensOf(credential, cloud.audience, clock))
  const api = sdkApi({
    ...{ version, clock, endpoint: cloud.resourceManager, subscription: settings.azureSubscriptionID },
    ...{ nodeResourceGroup: settings.azureNodeResourceGroup, location: settings.azureLocation },
    http: httpWith(tokens),
    ...(settings.useSIG
      ? {
          vmHttp: httpWith(
            withSecondToken(
              tokens,
              new AccessTokens(
                clock,
                imageTokens(plain, settings.sigAccessTokenServerURL, cloud.audience),
                (token) => ({
                  'x-ms-authorization-auxiliary': `Bearer ${token}`,
                }),
              ),
            ),
          ),
        }
      : {}),
  })
  const { ca } = connection.tls
  const provider = new AzureProvider(context, {
    ...{ api, metrics, settings, namespace, hasBilling: cloud.hasBillingExtension },
    caBundle: ca === undefined ? '' : Buffer.from(ca).toString('base64'),
    ...(priceFile === undefined ? {} : { priceFile }),
    ...(cloud.hasRetailPrices ? { priceHttp: plain } : {}),
  })
  return {
    provider,
    start: (signal) => provider.warmUp(signal),
    ready: { azure: () => provider.access() },
  }
}
