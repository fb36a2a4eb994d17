import { ownValue, parseTime } from '@kerf/apis'
import { AccessTokens, type Credentials, HttpClient, type HttpClientOptions, HttpError } from '@kerf/provider-kit'
import { bizflyErrors } from '../bizfly-errors.ts'

/** The credentials for signing in, with the key names of the request. */
export type SignInBody =
  | { readonly auth_method: 'password'; readonly username: string; readonly password: string }
  | {
      readonly auth_method: 'application_credential'
      readonly credential_id: string
      readonly credential_secret: string
    }

interface Token {
  readonly token?: string
  /** The vendor's client reads `expire_at`. The responses recorded in its tests contain `expires_at`. */
  readonly expire_at?: string
  readonly expires_at?: string
  readonly project_id?: string
}

interface CatalogueService {
  readonly canonical_name?: string
  readonly region?: string
  readonly service_url?: string
}

/** The region names that the vendor's client accepts, in lower case. The values are the names in the catalogue, in lower case. */
const REGIONS: Readonly<Record<string, string>> = {
  hn: 'hanoi',
  hanoi: 'hanoi',
  hcm: 'hochiminh',
  hochiminh: 'hochiminh',
  'vc-hanoi': 'vc-hanoi',
}

/** Returns the canonical name of the region, or undefined if the vendor's client does not accept the name. */
export const sameRegion = (name: string): string | undefined => ownValue(REGIONS, name.toLowerCase())

/** The services whose URLs are in the catalogue. */
export type ServiceName = 'cloud_server' | 'kubernetes_engine'

/** Parses a response. The vendor's client does not guarantee any field, so Kerf treats all fields as optional. */
const parsed = <T>(text: string): T => JSON.parse(text) as T

/**
 * Returns the credentials that sign requests with a token (`providers/bizfly/docs/spec/bizfly.md#sign-in`). Kerf renews the token before it
 * expires, and after Bizfly Cloud has refused it.
 */
export const tokenCredentials = (
  api: string,
  body: SignInBody,
  project: string,
  options: Pick<HttpClientOptions, 'send' | 'clock' | 'random' | 'retries'>,
): Credentials => {
  const client = new HttpClient({ ...options })
  let current = project
  return new AccessTokens(
    options.clock,
    async (signal) => {
      try {
        const { text } = await client.call(
          {
            ...{ method: 'POST', url: new URL(`${api}/api/token`), isRepeatable: true },
            headers: { 'content-type': 'application/json; charset=utf-8', accept: 'application/json' },
            body: JSON.stringify({ ...body, ...(project === '' ? {} : { project_id: project }) }),
          },
          signal,
        )
        const { token = '', expire_at, expires_at, project_id = '' } = parsed<Token>(text)
        if (token === '') throw bizflyErrors.BizflySignInRefused({ problem: 'the answer has no token' })
        current = project === '' ? project_id : project
        const expiresAt = parseTime(expire_at ?? expires_at)
        return { value: token, ...(expiresAt === undefined ? {} : { expiresAt }) }
      } catch (error) {
        if (error instanceof HttpError && error.status >= 400 && error.status < 500 && error.status !== 429)
          throw bizflyErrors.BizflySignInRefused({ problem: error.message }, { cause: error })
        throw error
      }
    },
    // The vendor's client also sends an empty Basic authorization.
    (token) => ({ authorization: 'Basic ', 'x-auth-token': token, 'x-auth-type': 'token', 'x-project-id': current }),
  )
}

/**
 * Returns a function that looks up the URL of a service in the region, without a trailing slash. The function reads the catalogue only
 * once.
 *
 * @throws KerfError `NoBizflyService` if the service is missing from the catalogue in this region
 */
export const serviceAddresses = (
  api: string,
  region: string,
  client: HttpClient,
): ((service: ServiceName, signal: AbortSignal) => Promise<string>) => {
  let catalogue: readonly CatalogueService[] | undefined
  return async (service, signal) => {
    if (catalogue === undefined) {
      const { text } = await client.call({ method: 'GET', url: new URL(`${api}/api/auth/service`) }, signal)
      catalogue = parsed<{ readonly services?: readonly CatalogueService[] }>(text).services ?? []
    }
    const wanted = sameRegion(region)
    const here = catalogue.filter(({ canonical_name }) => canonical_name === service)
    const found = here.find((each) => sameRegion(each.region ?? '') === wanted)?.service_url
    if (found !== undefined && URL.canParse(found)) return found.replace(/\/+$/, '')
    const regions = here.map((each) => each.region ?? '').join(', ')
    // A later version of the catalogue may contain the service.
    catalogue = undefined
    throw bizflyErrors.NoBizflyService({ service, region, regions: regions === '' ? 'no region' : regions })
  }
}
