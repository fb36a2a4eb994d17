import { ownField } from '@kerf/apis'
import { HttpClient, HttpError, type HttpRequest, type RetryPolicy, type Send, usualRetries } from '@kerf/provider-kit'
import type { Clock, Random, WriteGate } from '@kerf/runtime'
import { actionRoutes, productVersions, writingActions } from './action-routes.ts'
import type { ActionName, ActionRequest, ActionResponse, AlibabaApi } from './actions.ts'
import { AlibabaApiError, errorCode, isThrottling } from './alibaba-api-error.ts'
import type { Endpoints } from './endpoints.ts'
import { type AccessKeys, type Sdk, signingCredentials } from './sdk.ts'

export interface HttpApiOptions {
  readonly sdk: Sdk
  readonly keys: () => Promise<AccessKeys>
  readonly send: Send
  readonly endpoints: Endpoints
  readonly clock: Clock
  readonly random: Random
  readonly retries?: RetryPolicy
  /** Called right before each write request, including retries. */
  readonly gate?: WriteGate | undefined
}

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' } as const

/** Returns the request without its signature. */
const unsigned = (
  action: ActionName,
  parameters: object,
  { sdk, endpoints }: Pick<HttpApiOptions, 'sdk' | 'endpoints'>,
): HttpRequest => {
  const route = actionRoutes[action]
  const headers = { 'x-acs-action': action, 'x-acs-version': productVersions[route.product] }
  const url = new URL(endpoints[route.product])
  if (route.style === 'RPC') {
    url.search = new URLSearchParams(sdk.flatten(parameters)).toString()
    return { method: 'POST', url, headers }
  }
  const { ClusterId, ...rest }: { readonly ClusterId?: string } = { ...parameters }
  url.pathname = route.path.replace('{ClusterId}', encodeURIComponent(ClusterId ?? ''))
  if (route.method === 'POST')
    return { method: 'POST', url, headers: { ...headers, ...JSON_TYPE }, body: JSON.stringify(rest) }
  url.search = new URLSearchParams(sdk.flatten(rest)).toString()
  return { method: 'GET', url, headers }
}

const isWriting = ({ headers }: HttpRequest): boolean => {
  const action = headers?.['x-acs-action']
  return writingActions.some((each) => each === action)
}

const isTextAction = (action: ActionName): boolean => {
  const route = actionRoutes[action]
  return route.style === 'ROA' && route.isText === true
}

/** Returns the body of the response. Some CS endpoints wrap plain text in JSON. */
const bodyOf = (text: string, isText: boolean): unknown => {
  if (!isText) return text === '' ? {} : JSON.parse(text)
  return text.startsWith('{') ? (ownField(JSON.parse(text), 'script') ?? text) : text
}

/**
 * Returns a client that calls the API over HTTP (`providers/alibaba/docs/spec/alibaba.md#calls`). It retries throttled requests, and
 * requests that failed with a server error. Every request can be repeated safely: a launch has a client token, and repeating a deletion or
 * adding the same tags again changes nothing.
 */
export const httpApi = (options: HttpApiOptions): AlibabaApi => {
  const { sdk, keys, clock, random, retries = usualRetries, gate } = options
  const send: Send = (request, signal) => {
    if (gate !== undefined && isWriting(request)) gate.check()
    return options.send(request, signal)
  }
  const client = new HttpClient({
    ...{ send, clock, random, retries },
    credentials: signingCredentials(sdk, keys, { clock, random }),
    isThrottled: (answer) => isThrottling(errorCode(answer)),
  })
  return {
    call: async <A extends ActionName>(action: A, request: ActionRequest<A>, signal: AbortSignal) => {
      const isText = isTextAction(action)
      const parameters: object = request
      try {
        const { text } = await client.call({ ...unsigned(action, parameters, options), isRepeatable: true }, signal)
        // The vendor's description defines the fields of a response, but the API may omit them. So Kerf treats all fields as optional.
        return bodyOf(text, isText) as ActionResponse<A>
      } catch (error) {
        if (error instanceof HttpError) throw new AlibabaApiError(action, error, { cause: error })
        throw error
      }
    },
  }
}
