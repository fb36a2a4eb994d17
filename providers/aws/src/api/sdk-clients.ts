import { type Milliseconds, ownField } from '@kerf/apis'
import { lazily, type Network } from '@kerf/provider-kit'
import { type Clock, defineMetrics, type Metrics, type WriteGate } from '@kerf/runtime'
import type { ProxiedHandler } from './proxied-handler.ts'

/** What every client of the SDK is made with. */
export interface SdkOptions {
  readonly region: string
  /** Instead of AWS, as for an emulator. */
  readonly endpoint?: string
  /** In all, for calls that were throttled or that a server failed. */
  readonly maxAttempts: number
  readonly version: string
  /** Directly, trusting the system's authorities, where it is not given. */
  readonly network?: Network
  readonly clock: Clock
  readonly metrics: Metrics
  /** Asked before each attempt at a request that changes something; nothing is held back without it. */
  readonly gate?: WriteGate | undefined
  /** How long an answer may take. Default 240 s: launching a fleet may take minutes when EC2 is busy. */
  readonly requestTimeout?: Milliseconds
}

const REQUEST_TIMEOUT = 240_000
const CONNECTION_TIMEOUT = 10_000
/** Garbage collection ends a hundred instances at a time. */
const MAX_SOCKETS = 200

/** What requests are sent with; credentials that come from AWS's own token service are asked for in the same way. */
const handlerOf = (network: Network | undefined, requestTimeout: Milliseconds = REQUEST_TIMEOUT) => {
  const agent = { maxSockets: MAX_SOCKETS, keepAlive: true }
  const direct = {
    requestTimeout,
    // Without it the SDK only warns, and a request on a connection that was dropped in silence is waited for without end.
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
  // The SDK takes for a handler what has a `handle`.
  return { handle, metadata: { handlerProtocol: 'http/1.1' } }
}

/** The settings of a client; `own` ones win. The credentials are found by the SDK's own chain. */
export const clientConfig = (
  options: SdkOptions,
  own: { readonly region?: string; readonly maxAttempts?: number } = {},
) => ({
  region: own.region ?? options.region,
  maxAttempts: own.maxAttempts ?? options.maxAttempts,
  retryMode: 'standard',
  customUserAgent: `karpenter.sh-${options.version}`,
  requestHandler: handlerOf(options.network, options.requestTimeout),
  ...(options.endpoint === undefined ? {} : { endpoint: options.endpoint }),
})

/** The part of a client that measuring needs; each client's own types say the same with more. */
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
 * The metrics of requests to AWS, under the names that upstream's dashboards know
 * (`docs/spec/aws-controllers.md#aws-metrics`).
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

/** Counts and times a request that no client of the SDK makes, and that is tried once. */
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

/** The actions of AWS that change nothing. */
const READS = /^(?:Describe|Get|List|Receive)/

/** Counts and times the requests of clients, and asks the gate before those that change something. */
export const sdkMeter = ({
  clock,
  metrics,
  gate,
}: Pick<SdkOptions, 'clock' | 'metrics' | 'gate'>): (<C extends Measurable>(client: C, service: string) => C) => {
  const { requests, attempts, retries, durations, attemptDurations } = awsRequestMetrics.register(metrics)
  const actionOf = (context: unknown): string => String(ownField(context, 'commandName') ?? '').replace(/Command$/, '')
  const secondsSince = (start: Milliseconds): number => (clock.monotonic() - start) / 1000
  return (client, service) => {
    const middleware =
      (next: (args: unknown) => Promise<Answer>, context: unknown) =>
      async (args: unknown): Promise<Answer> => {
        const action = actionOf(context)
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
        if (!READS.test(actionOf(context))) gate?.check()
        const start = clock.monotonic()
        try {
          return await next(args)
        } finally {
          attemptDurations.observe(secondsSince(start), { service, action: actionOf(context) })
        }
      }
    // The stack's type asks for the client's own input and output types; the middlewares look at neither.
    client.middlewareStack.add(middleware as never, { step: 'initialize', name: 'kerfMeter' })
    // This step is behind the one that repeats.
    client.middlewareStack.add(attemptMiddleware as never, { step: 'deserialize', name: 'kerfAttemptMeter' })
    return client
  }
}
