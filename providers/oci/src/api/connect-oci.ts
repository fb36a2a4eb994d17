import { Connections, networkFrom, sendOver } from '@kerf/provider-kit'
import { type Clock, type Logger, type Random, runtimeErrors, textOfThrown, type WriteGate } from '@kerf/runtime'
import { ociErrors } from '../oci-errors.ts'
import type { AuthMethod } from './auth-method.ts'
import { readIdentity } from './credentials.ts'
import { httpApi } from './http-api.ts'
import type { OciApi } from './oci-api.ts'

const LIMITS = { requestTimeout: 60_000, connectionTimeout: 10_000, maxSockets: 50 }
/** The form of a region's id. The id is part of the host names of the services. */
const REGION = /^[a-z]{2,}(?:-[a-z0-9]+)+$/

/** What the connection needs from the settings. */
export interface OciAccess {
  readonly auth: AuthMethod
  /** The region's id. If it is empty, the credentials name the region. */
  readonly region: string
  /** The root URL of all services, for example of an emulator. If it is empty, Kerf uses the region's own services. */
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

/** The region of the settings, of the workload identity, or of the credentials. */
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
 * Returns the region, and the calls to Oracle Cloud in it. Makes no call to a service of Oracle Cloud.
 *
 * @throws KerfError `InvalidSetting` for a region or an endpoint that cannot be right; `NoOciCredentials` if only the credentials name the
 * region, and there are none.
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
