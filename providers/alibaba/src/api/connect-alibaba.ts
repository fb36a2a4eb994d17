import { Connections, HttpClient, networkFrom, type Send, sendOver } from '@kerf/provider-kit'
import { type Clock, type Random, runtimeErrors, type WriteGate } from '@kerf/runtime'
import type { AlibabaSettings } from '../settings/alibaba-settings.ts'
import type { AlibabaApi } from './actions.ts'
import { type Endpoints, endpointsIn } from './endpoints.ts'
import { httpApi } from './http-api.ts'
import { keyChain, loadSdk } from './sdk.ts'

const LIMITS = { requestTimeout: 60_000, connectionTimeout: 10_000, maxSockets: 50 }
const METADATA = 'http://100.100.100.200/latest/meta-data/region-id'
const METADATA_TIMEOUT = 5_000
/** The format of a region ID, which becomes part of endpoint host names. */
const REGION = /^[a-z]{2,}(?:-[a-z0-9]+)+$/

export interface ConnectDeps {
  readonly clock: Clock
  readonly random: Random
  readonly env: Readonly<Record<string, string | undefined>>
  /** Kerf's version. */
  readonly version: string
  readonly gate?: WriteGate | undefined
}

const invalid = (problem: string, cause?: unknown): Error =>
  runtimeErrors.InvalidSetting({ problems: [problem] }, cause === undefined ? {} : { cause })

/** Returns the region from the settings, or otherwise the region of the instance on which the process runs. */
const regionFrom = async (
  { regionID }: Pick<AlibabaSettings, 'regionID'>,
  send: Send,
  { clock, random }: Pick<ConnectDeps, 'clock' | 'random'>,
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

/**
 * Returns the region, and a client for Alibaba Cloud with the keys of the environment. Calls no product API.
 *
 * @throws KerfError `InvalidSetting` for missing settings, and for an endpoint that is not a URL.
 */
export const connectAlibaba = async (
  settings: Pick<AlibabaSettings, 'clusterID' | 'regionID' | 'alibabaEndpointURL' | 'alibabaCloudNetwork'>,
  deps: ConnectDeps,
): Promise<{ readonly api: AlibabaApi; readonly region: string }> => {
  const { clusterID, alibabaEndpointURL: endpoint, alibabaCloudNetwork } = settings
  if (clusterID === '') throw invalid('CLUSTER_ID is not set; set it to the ID of the ACK cluster')
  if (endpoint !== '' && !URL.canParse(endpoint)) throw invalid(`ALIBABA_ENDPOINT_URL ${endpoint} is not a valid URL`)
  const { clock, random, env, version, gate } = deps
  const send = sendOver(new Connections(networkFrom(env, ''), LIMITS), { userAgent: `kerf/${version}` })
  const [sdk, keys, region] = await Promise.all([loadSdk(), keyChain(), regionFrom(settings, send, deps)])
  if (!REGION.test(region))
    throw invalid(`REGION_ID ${JSON.stringify(region)} is not the ID of a region; set it, for example to cn-hangzhou`)
  const endpoints: Endpoints =
    endpoint === '' ? endpointsIn(region, alibabaCloudNetwork) : { ecs: endpoint, vpc: endpoint, cs: endpoint }
  return { api: httpApi({ sdk, keys, send, endpoints, clock, random, gate }), region }
}
