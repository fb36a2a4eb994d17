import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../clock/clock.ts'
import type { Rate } from '../limits/token-bucket.ts'
import type { Logger } from '../logging/logger.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { type HealthChecks, serveHealth } from './health.ts'
import { type HttpExchange, type HttpLimits, HttpServer } from './http-server.ts'
import type { MetricsAuthorization } from './metrics-authorization.ts'
import { respondWithMetrics } from './metrics-response.ts'
import { refuse } from './refusal.ts'
import { RequestLimit } from './request-limit.ts'
import { requestUrl } from './request-target.ts'
import { SharedScrape } from './shared-scrape.ts'

const RESPONSE_TIMEOUT = 20_000
/** The path prefix of the JSON API. Other paths on the same port are metrics and profiles. */
const KERF_API = '/kerf/'
/**
 * How long a connection may transfer nothing before the server closes it and discards its response. Probes and scrapers read responses at
 * once.
 */
const SILENCE = 60_000

export interface EndpointsOptions {
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: Metrics
  readonly metricsPort: number
  readonly healthProbePort: number
  /** See `bindAddress`. */
  readonly address: string
  /** The checks of `/readyz`. `/healthz` only shows that the process responds. */
  readonly ready: HealthChecks
  /** Returns the JSON response for another path of the metrics port. `undefined` becomes a 404. */
  readonly answer?: (path: string, signal: AbortSignal) => Promise<object | undefined>
  /** The rate limit of the JSON responses. Default `REQUEST_RATE`. */
  readonly requestRate?: Rate
  /**
   * Decides who may read metrics and profiles. By default everyone may. The responses under `/kerf/` are never restricted, because
   * requests for them come through the API server, which does not forward tokens.
   */
  readonly authorization?: Pick<MetricsAuthorization, 'refusal'>
  /** The value of `ENABLE_PROFILING`. */
  readonly profiling?: boolean
  readonly limits?: Partial<HttpLimits>
}

export interface Endpoints {
  readonly metrics: HttpServer
  readonly health: HttpServer
  close(): Promise<void>
}

/**
 * Returns the listen address: the setting, or by default all interfaces in a cluster, because probes and Prometheus come from outside the
 * pod, and loopback elsewhere.
 */
export const bindAddress = (setting: string, env: Readonly<Record<string, string | undefined>>): string =>
  setting !== '' ? setting : env['KUBERNETES_SERVICE_HOST'] ? '' : '127.0.0.1'

/** Handles a request if it is for this route. Returns whether it has sent the response. */
type Route = (url: URL, request: IncomingMessage, response: ServerResponse) => Promise<boolean>

type Profiles = Awaited<ReturnType<typeof openProfiles>>

/** Serves `/metrics`, the routes under `/kerf/` and, after their modules are loaded, the profiles. */
const metricsRoute = (options: EndpointsOptions, profiles: () => Profiles | undefined): Route => {
  const scrape = new SharedScrape(options.clock, () => options.metrics.chunks())
  const limit = new RequestLimit(options.clock, options.requestRate)
  return async (url, request, response) => {
    const refusal = url.pathname.startsWith(KERF_API)
      ? limit.take()
      : await options.authorization?.refusal(url.pathname, request.method ?? 'GET', request.headers)
    if (refusal !== undefined) {
      refuse(response, refusal)
      return true
    }
    if (url.pathname === '/metrics') {
      await respondWithMetrics(scrape, request, response)
      return true
    }
    const answer = await options.answer?.(url.pathname, AbortSignal.timeout(RESPONSE_TIMEOUT))
    if (answer !== undefined) {
      response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(answer))
      return true
    }
    return (await profiles()?.answer(url, request, response)) ?? false
  }
}

const healthRoute =
  (ready: HealthChecks): Route =>
  async (url, _request, response) => {
    const verbose = url.searchParams.has('verbose')
    if (url.pathname === '/healthz') await serveHealth({ ping: () => undefined }, verbose, response)
    else if (url.pathname === '/readyz') await serveHealth(ready, verbose, response)
    else return false
    return true
  }

/**
 * Serves `/metrics` and Kerf's own routes on one port, and `/healthz` and `/readyz` on another. Throws `PortInUse` or
 * `CannotListen`.
 */
export const serveEndpoints = async (options: EndpointsOptions): Promise<Endpoints> => {
  const { address, clock, logger, profiling } = options
  let profiles: Profiles | undefined
  const listen = (endpoint: string, port: number, route: Route): Promise<HttpServer> =>
    HttpServer.listen({
      endpoint,
      address,
      port,
      limits: { silence: SILENCE, ...options.limits },
      handle: async ({ request, response, target }: HttpExchange) => {
        if (request.method !== 'GET' && request.method !== 'HEAD') response.writeHead(405, { allow: 'GET, HEAD' }).end()
        else if (!(await route(requestUrl(target), request, response))) response.writeHead(404).end('not found\n')
      },
      fault: (error, asked) => logger.error('request to an endpoint failed', { endpoint, path: asked?.target, error }),
    })

  const metrics = await listen(
    'metrics',
    options.metricsPort,
    metricsRoute(options, () => profiles),
  )
  let health: HttpServer
  try {
    health = await listen('health', options.healthProbePort, healthRoute(options.ready))
  } catch (error) {
    await metrics.close()
    throw error
  }
  if (profiling === true) profiles = await openProfiles(clock)
  return {
    metrics,
    health,
    close: async () => {
      await Promise.all([metrics.close(), health.close()])
      profiles?.close()
    },
  }
}

/** Loads the modules for profiling. They are loaded only if profiling is enabled, because they need memory. */
const openProfiles = async (clock: Clock) => {
  const [{ serveProfile }, { ProcessProfiler }] = await Promise.all([
    import('./profile-routes.ts'),
    import('./process-profiler.ts'),
  ])
  const profiler = await ProcessProfiler.start(clock)
  return {
    answer: (url: URL, request: IncomingMessage, response: ServerResponse) =>
      serveProfile(clock, profiler, url, request, response),
    close: () => profiler.stop(),
  }
}
