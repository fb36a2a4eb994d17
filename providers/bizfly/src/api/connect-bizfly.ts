import { Connections, networkFrom, sendOver } from '@kerf/provider-kit'
import { type Clock, type Random, runtimeErrors, type WriteGate } from '@kerf/runtime'
import type { BizflySettings } from '../bizfly-settings.ts'
import type { BizflyApi } from './bizfly-api.ts'
import { httpApi } from './http-api.ts'
import { type SignInBody, sameRegion, tokenCredentials } from './sign-in.ts'

const LIMITS = { requestTimeout: 60_000, connectionTimeout: 10_000, maxSockets: 50 }

export interface ConnectDeps {
  readonly clock: Clock
  readonly random: Random
  readonly env: Readonly<Record<string, string | undefined>>
  /** Kerf's version. */
  readonly version: string
  readonly gate?: WriteGate | undefined
}

/** The client for a region, and the token with which servers join the cluster. */
export interface ConnectedBizfly {
  readonly api: BizflyApi
  readonly clusterToken: string
}

const signInBody = (settings: BizflySettings, env: ConnectDeps['env']): SignInBody =>
  settings.bizflyCloudAuthMethod === 'password'
    ? {
        auth_method: 'password',
        username: settings.bizflyCloudEmail,
        password: env['BIZFLY_CLOUD_PASSWORD'] ?? '',
      }
    : {
        auth_method: 'application_credential',
        credential_id: settings.bizflyCloudAppCredID,
        credential_secret: env['BIZFLY_CLOUD_APP_CRED_SECRET'] ?? '',
      }

/** Returns the settings and environment variables that are missing, one sentence each. */
const settingProblems = (settings: BizflySettings, env: ConnectDeps['env']): readonly string[] => {
  const needed: readonly (readonly [name: string, value: string | undefined])[] = [
    ...(settings.bizflyCloudAuthMethod === 'password'
      ? ([
          ['BIZFLY_CLOUD_EMAIL', settings.bizflyCloudEmail],
          ['BIZFLY_CLOUD_PASSWORD', env['BIZFLY_CLOUD_PASSWORD']],
        ] as const)
      : ([
          ['BIZFLY_CLOUD_APP_CRED_ID', settings.bizflyCloudAppCredID],
          ['BIZFLY_CLOUD_APP_CRED_SECRET', env['BIZFLY_CLOUD_APP_CRED_SECRET']],
        ] as const)),
    ['BKE_CLUSTER_ID', settings.bkeClusterID],
    ['BKE_CLUSTER_TOKEN', env['BKE_CLUSTER_TOKEN']],
    ['BKE_JOIN_ENDPOINT', settings.bkeJoinEndpoint],
  ]
  const { bizflyCloudRegion: region, bizflyCloudAPIURL: url } = settings
  return [
    ...needed.flatMap(([name, value = '']) => (value === '' ? [`${name} is not set`] : [])),
    ...(sameRegion(region) === undefined
      ? [`BIZFLY_CLOUD_REGION ${JSON.stringify(region)} is not a region; set it to HN, HCM or VC-HaNoi`]
      : []),
    ...(URL.canParse(url) ? [] : [`BIZFLY_CLOUD_API_URL ${JSON.stringify(url)} is not a valid URL`]),
  ]
}

/**
 * Returns a client with the credentials from the settings and the environment. Makes no API call.
 *
 * @throws KerfError `InvalidSetting` for missing settings, an unknown region, and an address that is not a URL
 */
export const connectBizfly = (settings: BizflySettings, deps: ConnectDeps): ConnectedBizfly => {
  const { clock, random, env, version, gate } = deps
  const problems = settingProblems(settings, env)
  if (problems.length > 0) throw runtimeErrors.InvalidSetting({ problems: [...problems] })
  const send = sendOver(new Connections(networkFrom(env, ''), LIMITS), { userAgent: `kerf/${version}` })
  // The vendor's client accepts the address with and without this path.
  const api = settings.bizflyCloudAPIURL.replace(/\/+$/, '').replace(/\/api$/, '')
  const clusterToken = env['BKE_CLUSTER_TOKEN'] ?? ''
  const body = signInBody(settings, env)
  return {
    api: httpApi({
      ...{ send, clock, random, api, gate, clusterToken },
      ...{ region: settings.bizflyCloudRegion, clusterId: settings.bkeClusterID },
      credentials: tokenCredentials(api, body, settings.bizflyCloudProjectID, { send, clock, random }),
    }),
    clusterToken,
  }
}
