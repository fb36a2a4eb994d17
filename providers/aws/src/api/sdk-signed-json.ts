import { ownField } from '@kerf/apis'
import { providerErrors } from '@kerf/provider-contract'
import { lazily } from '@kerf/provider-kit'
import { clientConfig, type SdkOptions } from './sdk-clients.ts'

const TIMEOUT = 10_000

/** A read request to a REST API that uses JSON. */
export interface JsonRequest {
  readonly method: 'GET'
  readonly protocol: string
  readonly hostname: string
  readonly port?: number
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
}

/** Returns a text field of a JSON value; empty if it is missing. */
export const textAt = (value: unknown, name: string): string => {
  const field = ownField(value, name)
  return typeof field === 'string' ? field : ''
}

/** Returns a list field of a JSON value; empty if it is missing. */
export const listAt = (value: unknown, name: string): readonly unknown[] => {
  const field = ownField(value, name)
  return Array.isArray(field) ? field : []
}

const readBody = async (service: string, stream: AsyncIterable<Uint8Array>, mostBytes: number): Promise<string> => {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    if (size > mostBytes)
      throw providerErrors.IncompleteAnswer({ problem: `the response of ${service} is longer than ${mostBytes} bytes` })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns an error in the shape that the SDK's clients throw. */
const refusalError = (
  service: string,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string,
): Error => {
  const answer = parsed(body)
  const kind = headers['x-amzn-errortype'] ?? (textAt(answer, '__type') || textAt(answer, 'code'))
  const name = kind.split(':')[0]?.split('#').at(-1) || `Http${status}`
  const message = textAt(answer, 'message') || textAt(answer, 'Message') || `${service} returned HTTP status ${status}`
  return Object.assign(new Error(message), {
    name,
    $fault: status >= 500 ? 'server' : 'client',
    $metadata: { httpStatusCode: status, requestId: headers['x-amzn-requestid'], attempts: 1 },
  })
}

/**
 * Returns a function that sends requests to a service whose client is not in the package registry. The function signs requests with
 * signature version 4, and uses the credentials, connections and timeouts of the SDK's clients. It loads the SDK at the first request. It
 * does not retry failures.
 */
export const signedJson = (
  options: SdkOptions,
  { service, region, mostBytes }: { readonly service: string; readonly region: string; readonly mostBytes: number },
): ((request: JsonRequest, signal: AbortSignal) => Promise<unknown>) => {
  const client = lazily(async () => {
    const [{ STSClient }, { SignatureV4 }] = await Promise.all([
      import('./clients/sts.ts'),
      import('./clients/signature.ts'),
    ])
    const { config } = new STSClient(clientConfig(options))
    const { credentials, sha256 } = config
    return { handler: config.requestHandler, signer: new SignatureV4({ service, region, credentials, sha256 }) }
  })
  return async (request, signal) => {
    const { handler, signer } = await client()
    const signed = await signer.sign(
      { ...request, query: { ...request.query }, headers: { ...request.headers } },
      {
        signingDate: new Date(options.clock.now()),
      },
    )
    const { response } = await handler.handle(signed as Parameters<typeof handler.handle>[0], {
      abortSignal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]),
    })
    const body = await readBody(service, response.body as AsyncIterable<Uint8Array>, mostBytes)
    if (response.statusCode !== 200) throw refusalError(service, response.statusCode, response.headers, body)
    const answer = parsed(body)
    if (answer === undefined)
      throw providerErrors.IncompleteAnswer({ problem: `the response of ${service} is not JSON` })
    return answer
  }
}
