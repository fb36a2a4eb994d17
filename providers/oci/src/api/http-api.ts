import { gatedSend, HttpClient, type RetryPolicy, type Send, usualRetries } from '@kerf/provider-kit'
import type { Clock, Logger, Random, WriteGate } from '@kerf/runtime'
import type { AuthMethod } from './auth-method.ts'
import { type Identity, signingCredentials } from './credentials.ts'
import { loggedSend } from './logged-send.ts'
import type { OciApi } from './oci-api.ts'
import { errorCode } from './oci-api-error.ts'
import { sdkApi } from './sdk-api.ts'

export interface HttpApiOptions {
  readonly region: string
  /** The root URL of all services. If it is absent, each service has its own host in the region. */
  readonly endpoint?: string
  readonly auth: AuthMethod
  readonly send: Send
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
  readonly retries?: RetryPolicy
  /** Called right before each write request, including retries. */
  readonly gate?: WriteGate | undefined
  /** Reads the credentials. Tests replace it. */
  readonly readIdentity?: (method: AuthMethod) => Promise<Identity>
}

/**
 * Returns a client for Oracle Cloud. The SDK composes and signs the requests, and the kit's client sends them. It retries throttled calls.
 * After a server error, it retries only the calls that are safe to repeat.
 */
export const httpApi = (options: HttpApiOptions): OciApi => {
  const { region, endpoint, auth, clock, random, log, retries = usualRetries, gate, readIdentity } = options
  const logged = loggedSend(options.send, log)
  // Kerf sends POST requests to Oracle Cloud only for changes, so the gate treats every POST as a write.
  const send = gate === undefined ? logged : gatedSend(logged, { gate, isQuestion: () => false })
  const credentials = signingCredentials({
    ...{ clock, random, method: auth },
    ...(readIdentity === undefined ? {} : { read: readIdentity }),
  })
  const http = new HttpClient({
    ...{ send, clock, random, retries, credentials },
    // Oracle Cloud also returns status 500 if it has no capacity. In this case, a retry does not help.
    serverFaults: new Set([502, 503, 504]),
    isThrottled: (answer) => errorCode(answer) === 'TooManyRequests',
  })
  return sdkApi({ region, http, ...(endpoint === undefined ? {} : { endpoint }) })
}
