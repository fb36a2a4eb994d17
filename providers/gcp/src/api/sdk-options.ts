import { ownField } from '@kerf/apis'
import type { HttpClient, HttpResponse } from '@kerf/provider-kit'
import { sdkTransport } from './sdk-transport.ts'

/** The options of the SDK's clients. */
export interface SdkOptions {
  readonly project: string
  readonly cluster: string
  /** The location in the paths of GKE: a region or a zone. */
  readonly location: string
  /** The root URL of both services. The default is Google's. */
  readonly endpoint?: string
  /** Returns true for a response with status 403 that means throttling, as Compute Engine sends it. */
  readonly http: Pick<HttpClient, 'call'>
}

/** Returns the options for an SDK client. Retries in the SDK are off, because the transport adds both tokens and retries. */
export const clientOptions = ({ http, endpoint }: SdkOptions) => ({
  adapter: sdkTransport(http),
  retry: false,
  ...(endpoint === undefined ? {} : { rootUrl: endpoint }),
})

const THROTTLED: ReadonlySet<unknown> = new Set(['rateLimitExceeded', 'userRateLimitExceeded'])

/** Returns true for a refusal with status 403 that means throttling, as Compute Engine reports it. */
export const isThrottled = ({ status, text }: HttpResponse): boolean => {
  if (status !== 403) return false
  try {
    const errors = ownField(ownField(JSON.parse(text), 'error'), 'errors')
    return Array.isArray(errors) && errors.some((each) => THROTTLED.has(ownField(each, 'reason')))
  } catch {
    return false
  }
}
