import { readFile } from 'node:fs/promises'
import type { ProviderContext, ProviderSurroundings, RunningProvider } from '@kerf/provider-contract'
import { Connections, HttpClient, networkFrom, type Send, sendOver } from '@kerf/provider-kit'
import { runtimeErrors, type Settings, textOfThrown } from '@kerf/runtime'
import { AlibabaProvider } from './alibaba-provider.ts'
import { type Endpoints, endpointsIn } from './api/endpoints.ts'
import { httpApi } from './api/http-api.ts'
import { keyChain, loadSdk } from './api/sdk.ts'
import { fromCny } from './pricing/currency.ts'
import { type PriceFile, readPriceFile } from './pricing/price-file.ts'
import { type AlibabaSettings, memoryOverhead } from './settings/alibaba-settings.ts'
import { onDemandPricesInCny } from './tables/on-demand-prices.ts'

const LIMITS = { requestTimeout: 60_000, connectionTimeout: 10_000, maxSockets: 50 }
const METADATA = 'http://100.100.100.200/latest/meta-data/region-id'
const METADATA_TIMEOUT = 5_000

const invalid = (problem: string, cause?: unknown): Error =>
  runtimeErrors.InvalidSetting({ problems: [problem] }, cause === undefined ? {} : { cause })

/** Returns the region of the settings, or that of the instance on which the process runs. */
const regionOf = async (
  { regionID }: Pick<AlibabaSettings, 'regionID'>,
  send: Send,
  { clock, random }: Pick<ProviderContext, 'clock' | 'random'>,
): Promise<string> => {
  if (regionID !== '') return regionID
  try {
    const client = new HttpClient({ send, clock, random })
    const answer = await client.call({ method: 'GET', url: new URL(METADATA) }, AbortSignal.timeout(METADATA_TIMEOUT))
    return answer.text.trim()
  } catch (error) {
    throw invalid('REGION_ID is not set, and no metadata service answers; set it, for example to cn-hangzhou', error)
  }
}

const filePrices = async (file: string): Promise<PriceFile | undefined> => {
  if (file === '') return undefined
  try {
    return readPriceFile(JSON.parse(await readFile(file, 'utf8')))
  } catch (error) {
    throw invalid(`ALIBABA_PRICE_FILE ${file} cannot be used: ${textOfThrown(error)}`, error)
  }
}

/**
 * Creates the provider from the settings and the environment.
 *
 * @throws KerfError `InvalidSetting` for missing settings, and for files that cannot be read.
 */
export const createAlibaba = async (
  settings: Settings & AlibabaSettings,
  context: ProviderContext,
  {
    metrics,
    env,
    version,
    namespace,
    gate,
  }: Pick<ProviderSurroundings, 'metrics' | 'env' | 'version' | 'namespace' | 'gate'>,
): Promise<RunningProvider> => {
  const { clusterID: clusterId, clusterType, alibabaEndpointURL: endpoint, alibabaCnyPerUsd: cnyPerUsd } = settings
  if (clusterId === '') throw invalid('CLUSTER_ID is not set; set it to the ID of the ACK cluster')
  if (endpoint !== '' && !URL.canParse(endpoint)) throw invalid(`ALIBABA_ENDPOINT_URL ${endpoint} is no URL`)
  const send = sendOver(new Connections(networkFrom(env, ''), LIMITS), { userAgent: `kerf/${version}` })
  const { clock, random } = context
  const [sdk, keys, region, file] = await Promise.all([
    loadSdk(),
    keyChain(),
    regionOf(settings, send, context),
    filePrices(settings.alibabaPriceFile),
  ])
  const endpoints: Endpoints =
    endpoint === '' ? endpointsIn(region, settings.alibabaCloudNetwork) : { ecs: endpoint, vpc: endpoint, cs: endpoint }
  const bundled = [...(onDemandPricesInCny(region) ?? [])].map(
    ([type, price]) => [type, fromCny(price, cnyPerUsd)] as const,
  )
  const provider = new AlibabaProvider(context, {
    api: httpApi({ sdk, keys, send, endpoints, clock, random, gate }),
    ...{ metrics, region, clusterId, namespace, cnyPerUsd, isManaged: clusterType === 'ACKManaged' },
    vmMemoryOverheadPercent: memoryOverhead(settings, env),
    firstPrices: new Map([...bundled, ...(file?.prices.onDemand ?? [])]),
    watchesInterruptions: settings.interruption,
  })
  return { provider, start: (signal) => provider.warmUp(signal) }
}
