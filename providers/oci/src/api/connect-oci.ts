import { Connections, networkFrom, sendOver } from '@kerf/provider-kit'
import { type Clock, type Logger, type Random, runtimeErrors, textOfThrown, type WriteGate } from '@kerf/runtime'
import { ociErrors } from '../oci-errors.ts'
import type { AuthMethod } from './auth-method.ts'
import { readIdentity } from './credentials.ts'
import { httpApi } from './http-api.ts'
import type { OciApi } from './oci-api.ts'

const LIMITS = { requestTimeout: 60_000, connectionTimeout: 10_000, maxSockets: 50 }
/** The format of a region id, which becomes part of host names. */
const REGION = /^[a-z]{2,}(?:-[a-z0-9]+)+$/

/** The connection settings. */
export interface OciAccess {
  readonly auth: AuthMethod
  /** The region's id. If it is empty, the credentials determine the region. */
  readonly region: string
  /** The root URL of all services, for example of an emulator. If it is empty, Kerf uses the public URLs of the region. */
  readonly endpoint: string
}

export interface ConnectDeps {
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
  readonly env: Readonly<Record<string, string | undefined>>
  /** Kerf's version. */
  readonly version: string
  readonly gate?: WriteGate | undefined
}

const invalid = (problem: string): Error => runtimeErrors.InvalidSetting({ problems: [problem] })

/** Returns the region from the settings, from the workload identity, or from the credentials. */
const findRegion = async ({ auth, region }: OciAccess, env: ConnectDeps['env']): Promise<string> => {
  const named = region || (env['OCI_RESOURCE_PRINCIPAL_REGION'] ?? '')
  if (named !== '') return named
  try {
    return (await readIdentity(auth)).region ?? ''
  } catch (error) {
    throw ociErrors.NoOciCredentials({ method: auth.kind, problem: textOfThrown(error) }, { cause: error })
  }
}

/**
 * Returns the region, and a client for Oracle Cloud in that region. Makes no API call.
 *
 * @throws KerfError `InvalidSetting` for an invalid region or endpoint; `NoOciCredentials` if the region must come from the credentials,
 * and there are none
 */
export const connectOci = async (
  access: OciAccess,
  { clock, random, log, env, version, gate }: ConnectDeps,
): Promise<{ readonly api: OciApi; readonly region: string }> => {
  const { auth, endpoint } = access
  if (endpoint !== '' && !URL.canParse(endpoint)) throw invalid(`the endpoint ${endpoint} is not a valid URL`)
  const region = await findRegion(access, env)
  if (!REGION.test(region))
    throw invalid(
      `the region ${JSON.stringify(region)} is not the id of a region; set OCI_RESOURCE_PRINCIPAL_REGION, for example to us-phoenix-1`,
    )
  const send = sendOver(new Connections(networkFrom(env, ''), LIMITS), { userAgent: `kerf/${version}` })
  const shared = { region, auth, send, clock, random, log, gate }
  return { api: httpApi({ ...shared, ...(endpoint === '' ? {} : { endpoint }) }), region }
}
