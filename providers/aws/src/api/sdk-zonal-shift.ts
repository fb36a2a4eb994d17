import { ownField } from '@kerf/apis'
import { providerErrors } from '@kerf/provider-contract'
import { lazily } from '@kerf/provider-kit'
import type { ManagedResource, ZonalShift, ZonalShiftApi } from './aws-api.ts'
import { awsPartition } from './partition.ts'
import { clientConfig, type SdkOptions, sdkCounters } from './sdk-clients.ts'

const SERVICE = 'arc-zonal-shift'
const TIMEOUT = 10_000
const MOST_BYTES = 4 * 1024 * 1024

const textAt = (value: unknown, name: string): string => {
  const field = ownField(value, name)
  return typeof field === 'string' ? field : ''
}
const listAt = (value: unknown, name: string): readonly unknown[] => {
  const field = ownField(value, name)
  return Array.isArray(field) ? field : []
}

const parseShift = (value: unknown): ZonalShift => {
  const expiry = ownField(value, 'expiryTime')
  return {
    awayFrom: textAt(value, 'awayFrom'),
    isApplied: textAt(value, 'appliedStatus') === 'APPLIED',
    // The value is in seconds and may have a fraction.
    ...(typeof expiry === 'number' ? { expiresAt: expiry * 1000 } : {}),
  }
}

/** Parses the answer of GetManagedResource, which contains the shifts that users started and the shifts that AWS started. */
const answerResource = (answer: unknown): ManagedResource => ({
  shifts: [...listAt(answer, 'zonalShifts'), ...listAt(answer, 'autoshifts')].map(parseShift),
})

const readBody = async (stream: AsyncIterable<Uint8Array>): Promise<string> => {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    if (size > MOST_BYTES)
      throw providerErrors.IncompleteAnswer({
        problem: `the response of ${SERVICE} is longer than ${MOST_BYTES} bytes`,
      })
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
const refusalError = (status: number, headers: Readonly<Record<string, string>>, body: string): Error => {
  const answer = parsed(body)
  const kind = headers['x-amzn-errortype'] ?? (textAt(answer, '__type') || textAt(answer, 'code'))
  const name = kind.split(':')[0]?.split('#').at(-1) || `Http${status}`
  const message = textAt(answer, 'message') || textAt(answer, 'Message') || `${SERVICE} returned HTTP status ${status}`
  return Object.assign(new Error(message), {
    name,
    $fault: status >= 500 ? 'server' : 'client',
    $metadata: { httpStatusCode: status, requestId: headers['x-amzn-requestid'], attempts: 1 },
  })
}

/** Returns the request of GetManagedResource, to be signed for the service `arc-zonal-shift`. */
export const managedResourceRequest = (
  { region, endpoint, version }: Pick<SdkOptions, 'region' | 'endpoint' | 'version'>,
  arn: string,
) => {
  const { dnsSuffix } = awsPartition(region)
  const base = new URL(endpoint ?? `https://${SERVICE}.${region}.${dnsSuffix}`)
  return {
    method: 'GET',
    protocol: base.protocol,
    hostname: base.hostname,
    ...(base.port === '' ? {} : { port: Number(base.port) }),
    path: `${base.pathname.replace(/\/$/, '')}/managedresources/${encodeURIComponent(arn)}`,
    query: {},
    headers: { host: base.host, accept: 'application/json', 'user-agent': `karpenter.sh-${version}` },
  }
}

/**
 * Returns the API of Amazon Application Recovery Controller. Its client is not on the package registry, so its only request is made here,
 * according to its API model (REST with JSON, signature version 4). Credentials, connections and timeouts are those of the SDK's clients. A
 * failure is not retried, because the next request follows within 30 seconds.
 */
export const sdkZonalShift = (options: SdkOptions): ZonalShiftApi => {
  const counted = sdkCounters(options)
  const client = lazily(async () => {
    const [{ STSClient }, { SignatureV4 }] = await Promise.all([
      import('./clients/sts.ts'),
      import('./clients/signature.ts'),
    ])
    const { config } = new STSClient(clientConfig(options))
    const { region } = options
    const { credentials, sha256 } = config
    return {
      handler: config.requestHandler,
      signer: new SignatureV4({ service: SERVICE, region, credentials, sha256 }),
    }
  })

  return {
    getManagedResource: (arn, signal) =>
      counted('ARC Zonal Shift', 'GetManagedResource', async () => {
        const { handler, signer } = await client()
        const request = await signer.sign(managedResourceRequest(options, arn), {
          signingDate: new Date(options.clock.now()),
        })
        const { response } = await handler.handle(request as Parameters<typeof handler.handle>[0], {
          abortSignal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]),
        })
        const body = await readBody(response.body as AsyncIterable<Uint8Array>)
        if (response.statusCode !== 200) throw refusalError(response.statusCode, response.headers, body)
        const answer = parsed(body)
        if (answer === undefined)
          throw providerErrors.IncompleteAnswer({ problem: `the response of ${SERVICE} is not JSON` })
        return answerResource(answer)
      }),
  }
}
