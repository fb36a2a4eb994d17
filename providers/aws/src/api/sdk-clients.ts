import { type Milliseconds, ownField } from '@kerf/apis'
import { lazily, type Network } from '@kerf/provider-kit'
import { type Clock, defineMetrics, type Metrics, type WriteGate } from '@kerf/runtime'
import type { ProxiedHandler } from './proxied-handler.ts'

/** The options of all SDK clients. */
export interface SdkOptions {
  readonly region: string
  /** The endpoint to use instead of AWS, for example of an emulator. */
  readonly endpoint?: string
  /** The total number of attempts for throttled calls and server errors. */
  readonly maxAttempts: number
  readonly version: string
  /** If absent, requests are sent directly, and the certificate authorities of the system are trusted. */
  readonly network?: Network
  readonly clock: Clock
  readonly metrics: Metrics
  /** Called before each attempt of a request that changes AWS resources. If absent, all requests are sent. */
  readonly gate?: WriteGate | undefined
  /** How long to wait for a response. The default is 240 s, because CreateFleet may take minutes when EC2 is busy. */
  readonly requestTimeout?: Milliseconds
}

const REQUEST_TIMEOUT = 240_000
const CONNECTION_TIMEOUT = 10_000
/** Large enough for garbage collection, which terminates up to a hundred instances at once. */
const MAX_SOCKETS = 200

/** Returns the request handler. Requests for credentials from AWS STS use the same handler. */
const networkHandler = (network: Network | undefined, requestTimeout: Milliseconds = REQUEST_TIMEOUT) => {
  const agent = { maxSockets: MAX_SOCKETS, keepAlive: true }
  const direct = {
    requestTimeout,
    // Without this option the SDK only warns, and a request on a silently dropped connection never ends.
    throwOnRequestTimeout: true,
    connectionTimeout: CONNECTION_TIMEOUT,
    httpAgent: agent,
    httpsAgent: { ...agent, ...(network?.ca === undefined ? {} : { ca: network.ca }) },
  }
  if (network?.hasProxy !== true) return direct
  const limits = { requestTimeout, connectionTimeout: CONNECTION_TIMEOUT, maxSockets: MAX_SOCKETS }
  const made = lazily(async () => {
    const { ProxiedHandler } = await import('./proxied-handler.ts')
    return new ProxiedHandler({ network, direct, ...limits })
  })
  const handle: ProxiedHandler['handle'] = async (request, options) => (await made()).handle(request, options)
  // The SDK treats an object with `handle` as a handler.
  return { handle, metadata: { handlerProtocol: 'http/1.1' } }
}

/** Returns the settings of a client. Settings in `own` take precedence. Credentials come from the SDK's default chain. */
export const clientConfig = (
  options: SdkOptions,
  own: { readonly region?: string; readonly maxAttempts?: number } = {},
) => ({
  region: own.region ?? options.region,
  maxAttempts: own.maxAttempts ?? options.maxAttempts,
  retryMode: 'standard',
  customUserAgent: `karpenter.sh-${options.version}`,
  requestHandler: networkHandler(options.network, options.requestTimeout),
  ...(options.endpoint === undefined ? {} : { endpoint: options.endpoint }),
})

/** The part of an SDK client that metrics need. Each client has its own, more specific type. */
interface Measurable {
  readonly middlewareStack: {
    add(middleware: never, options: { readonly step: 'initialize'; readonly name: string }): void
    add(middleware: never, options: { readonly step: 'deserialize'; readonly name: string }): void
  }
}

interface Answer {
  readonly output?: unknown
}

const numberAt = (value: unknown, name: string): number | undefined => {
  const field = ownField(value, name)
  return typeof field === 'number' ? field : undefined
}

/**
 * The metrics of requests to AWS, under the names that upstream's dashboards use (`providers/aws/docs/spec/aws-controllers.md#aws-metrics`).
 */
export const awsRequestMetrics = defineMetrics({
  requests: {
    name: 'aws_sdk_go_request_total',
    type: 'counter',
    help: 'Requests to AWS.',
    labels: ['service', 'action', 'status_code'],
  },
  attempts: {
    name: 'aws_sdk_go_request_attempt_total',
    type: 'counter',
    help: 'Attempts at requests to AWS, retries included.',
    labels: ['service', 'action', 'status_code'],
  },
  retries: {
    name: 'aws_sdk_go_request_retry_count',
    type: 'histogram',
    help: 'Retries of a request to AWS.',
    labels: ['service', 'action'],
    buckets: [0, 1, 2, 3, 5, 8, 13],
  },
  durations: {
    name: 'aws_sdk_go_request_duration_seconds',
    type: 'histogram',
    help: 'Duration of requests to AWS, retries included.',
    labels: ['service', 'action'],
  },
  attemptDurations: {
    name: 'aws_sdk_go_request_attempt_duration_seconds',
    type: 'histogram',
    help: 'Duration of each attempt at a request to AWS.',
    labels: ['service', 'action'],
  },
})

/** Returns a function that counts and times a request that bypasses the SDK's clients and is not retried. */
export const sdkCounters =
  ({ clock, metrics }: Pick<SdkOptions, 'clock' | 'metrics'>) =>
  async <T>(service: string, action: string, request: () => Promise<T>): Promise<T> => {
    const { requests, attempts, retries, durations, attemptDurations } = awsRequestMetrics.register(metrics)
    const start = clock.monotonic()
    const count = (status: number | undefined): void => {
      const each = { service, action, status_code: String(status ?? '') }
      const seconds = (clock.monotonic() - start) / 1000
      requests.inc(each)
      attempts.inc(each)
      retries.observe(0, { service, action })
      durations.observe(seconds, { service, action })
      attemptDurations.observe(seconds, { service, action })
    }
    try {
      const answer = await request()
      count(200)
      return answer
    } catch (error) {
      count(numberAt(ownField(error, '$metadata'), 'httpStatusCode'))
      throw error
    }
  }

/** Matches the names of read-only AWS actions. */
const READS = /^(?:Describe|Get|List|Receive)/

/**
 * Returns a function that counts and times the requests of a client. It also calls the gate before each request that changes AWS resources.
 */
export const sdkMeter = ({
  clock,
  metrics,
  gate,
}: Pick<SdkOptions, 'clock' | 'metrics' | 'gate'>): (<C extends Measurable>(client: C, service: string) => C) => {
  const { requests, attempts, retries, durations, attemptDurations } = awsRequestMetrics.register(metrics)
  const actionName = (context: unknown): string =>
    String(ownField(context, 'commandName') ?? '').replace(/Command$/, '')
  const secondsSince = (start: Milliseconds): number => (clock.monotonic() - start) / 1000
  return (client, service) => {
    const middleware =
      (next: (args: unknown) => Promise<Answer>, context: unknown) =>
      async (args: unknown): Promise<Answer> => {
        const action = actionName(context)
        const start = clock.monotonic()
        const count = (metadata: unknown): void => {
          const each = { service, action, status_code: String(numberAt(metadata, 'httpStatusCode') ?? '') }
          const tries = numberAt(metadata, 'attempts') ?? 1
          requests.inc(each)
          attempts.inc(each, tries)
          retries.observe(tries - 1, { service, action })
          durations.observe(secondsSince(start), { service, action })
        }
        try {
          const answer = await next(args)
          count(ownField(answer.output, '$metadata'))
          return answer
        } catch (error) {
          count(ownField(error, '$metadata'))
          throw error
        }
      }
    const attemptMiddleware =
      (next: (args: unknown) => Promise<Answer>, context: unknown) =>
      async (args: unknown): Promise<Answer> => {
        if (!READS.test(actionName(context))) gate?.check()
        const start = clock.monotonic()
        try {
          return await next(args)
        } finally {
          attemptDurations.observe(secondsSince(start), { service, action: actionName(context) })
        }
      }
    // The stack's type requires the client's own input and output types, but the middlewares use neither, so a cast is safe.
    client.middlewareStack.add(middleware as never, { step: 'initialize', name: 'kerfMeter' })
    // This step runs inside the retry loop, so it runs once per attempt.
    client.middlewareStack.add(attemptMiddleware as never, { step: 'deserialize', name: 'kerfAttemptMeter' })
    return client
  }
}
