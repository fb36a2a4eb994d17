import { AccessTokens, Connections, gatedSend, HttpClient, networkFrom, sendOver } from '@kerf/provider-kit'
import type { Clock, Random, WriteGate } from '@kerf/runtime'
import type { GcpSettings } from '../settings/gcp-settings.ts'
import { type BillingCatalog, billingCatalog } from './billing-catalog.ts'
import { tokensFrom } from './credentials.ts'
import type { GcpApi } from './gcp-api.ts'
import { type IamApi, iamApi } from './iam-api.ts'
import { sdkApi } from './sdk-api.ts'
import { isThrottled } from './sdk-options.ts'

const LIMITS = { requestTimeout: 120_000, connectionTimeout: 10_000, maxSockets: 100 }

/** The parts of the process that the connection needs. */
export interface ConnectionDeps {
  readonly clock: Clock
  readonly random: Random
  readonly env: Readonly<Record<string, string | undefined>>
  readonly version: string
  /** Called before each request that changes something. If absent, all requests are sent. */
  readonly gate?: WriteGate | undefined
}

/** The clients for Google Cloud, configured from the settings. Creating them sends no request. */
export interface GcpConnection {
  readonly api: GcpApi
  readonly iam: IamApi
  readonly billing: BillingCatalog
  /** Sends requests without a token. */
  readonly plain: HttpClient
}

/** Returns the clients for Google Cloud. The credentials come from the settings and the environment. */
export const connectGcp = (
  settings: Pick<
    GcpSettings,
    'projectID' | 'clusterName' | 'clusterLocation' | 'nodeLocation' | 'googleApplicationCredentials' | 'gcpEndpointURL'
  >,
  { clock, random, env, version, gate }: ConnectionDeps,
): GcpConnection => {
  const send = sendOver(new Connections(networkFrom(env, ''), LIMITS), { userAgent: `kerf/${version}` })
  // Kerf sends POST requests to Compute Engine and GKE only for changes, so the gate treats every POST as a write.
  const gated = gate === undefined ? send : gatedSend(send, { gate, isQuestion: () => false })
  const credentials = new AccessTokens(clock, tokensFrom(settings.googleApplicationCredentials))
  const { projectID: project, clusterName: cluster, clusterLocation, nodeLocation, gcpEndpointURL: endpoint } = settings
  const shared = {
    ...{ project, http: new HttpClient({ send: gated, clock, random, credentials, isThrottled }) },
    ...(endpoint === '' ? {} : { endpoint }),
  }
  const api = sdkApi({ ...shared, cluster, location: nodeLocation === '' ? clusterLocation : nodeLocation })
  return { api, iam: iamApi(shared), billing: billingCatalog(shared), plain: new HttpClient({ send, clock, random }) }
}
