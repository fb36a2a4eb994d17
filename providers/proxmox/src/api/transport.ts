import {
  type Credentials,
  HttpClient,
  HttpError,
  type HttpRequest,
  type RetryPolicy,
  type Send,
  usualRetries,
} from '@kerf/provider-kit'
import type { Clock, Random, WriteGate } from '@kerf/runtime'
import { multipartBody, type UploadedFile } from './multipart.ts'
import { encodeParameters, type Parameters } from './parameters.ts'
import { ProxmoxApiError } from './proxmox-api-error.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Sends one call, and returns the field `data` of the response. */
export interface Transport {
  /** @throws ProxmoxApiError if Proxmox refuses the call; NoResponseError if there is no response; the abort reason of the signal */
  call(method: Method, path: string, parameters: Parameters, signal: AbortSignal): Promise<unknown>
  /** Uploads a file. Throws the same errors as `call`. */
  upload(
    path: string,
    fields: Readonly<Record<string, string>>,
    file: UploadedFile,
    signal: AbortSignal,
  ): Promise<unknown>
}

export interface TransportOptions {
  readonly send: Send
  /** The URL of the API, for example `https://pve-1.example.com:8006/api2/json`. */
  readonly url: string
  readonly credentials: Credentials
  readonly clock: Clock
  readonly random: Random
  readonly retries?: RetryPolicy
  /** Called right before each write request. */
  readonly gate?: WriteGate | undefined
}

/**
 * Statuses after which Kerf retries a read. They mean that a gateway failed, or that a Proxmox node could not forward the request to
 * another node. The status 500 is not included, because Proxmox also returns it for requests that it refuses.
 */
const SERVER_FAULTS: ReadonlySet<number> = new Set([502, 503, 504, 595, 596, 599])

const FORM = { 'content-type': 'application/x-www-form-urlencoded' } as const

const dataIn = (text: string): unknown => {
  const answer: { readonly data?: unknown } = text === '' ? {} : JSON.parse(text)
  return answer.data ?? undefined
}

/** Returns a transport over HTTP. Reads and deletions send their parameters in the query, other calls in a form. */
export const httpTransport = (options: TransportOptions): Transport => {
  const { url, credentials, clock, random, retries = usualRetries, gate } = options
  const send: Send = (request, signal) => {
    if (request.method !== 'GET') gate?.check()
    return options.send(request, signal)
  }
  const client = new HttpClient({ send, credentials, clock, random, retries, serverFaults: SERVER_FAULTS })
  const root = url.replace(/\/$/, '')
  const answered = async (request: HttpRequest & { readonly isRepeatable?: boolean }, signal: AbortSignal) => {
    try {
      const { text } = await client.call(request, signal)
      return dataIn(text)
    } catch (error) {
      const call = `${request.method} ${request.url.pathname.slice(new URL(root).pathname.length)}`
      if (error instanceof HttpError) throw new ProxmoxApiError(decodeURI(call), error, { cause: error })
      throw error
    }
  }
  return {
    call: (method, path, parameters, signal) => {
      const target = new URL(`${root}${path}`)
      const encoded = encodeParameters(parameters)
      const hasBody = method === 'POST' || method === 'PUT'
      if (!hasBody) target.search = encoded.toString()
      const body = hasBody ? { headers: FORM, body: encoded.toString() } : {}
      return answered({ method, url: target, ...body, isRepeatable: method === 'GET' }, signal)
    },
    upload: (path, fields, file, signal) => {
      const boundary = `kerf-${random.uuid()}`
      const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }
      const bytes = multipartBody(fields, file, boundary)
      return answered({ method: 'POST', url: new URL(`${root}${path}`), headers, bytes }, signal)
    },
  }
}
