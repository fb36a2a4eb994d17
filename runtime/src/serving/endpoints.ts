import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../clock.ts'
import type { Logger } from '../logger.ts'
import type { Metrics } from '../metrics.ts'
import { answerHealth, type HealthChecks } from './health.ts'
import { type Listener, listen } from './listen.ts'
import { answerProfile } from './profiles.ts'

const ANSWER_TIMEOUT = 20_000

export interface EndpointsOptions {
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: Metrics
  readonly metricsPort: number
  readonly healthProbePort: number
  /** See `bindAddress`. */
  readonly address: string
  /** Asked by `/readyz`; `/healthz` only says that the process answers. */
  readonly ready: HealthChecks
  /** What else the metrics port answers, as JSON, by path; nothing is 404. */
  readonly answer?: (path: string, signal: AbortSignal) => Promise<object | undefined>
  /** `ENABLE_PROFILING` */
  readonly profiling?: boolean
}

export interface Endpoints {
  readonly metrics: Listener
  readonly health: Listener
  close(): Promise<void>
}

/**
 * Where to listen when nothing is set: in a cluster on every interface, as probes and Prometheus come from outside of the
 * pod; elsewhere on loopback only.
 */
export const bindAddress = (setting: string, env: Readonly<Record<string, string | undefined>>): string =>
  setting !== '' ? setting : env['KUBERNETES_SERVICE_HOST'] ? '' : '127.0.0.1'

/** Serves `/metrics` and the answers on one port, `/healthz` and `/readyz` on the other. Throws `PortInUse` or `CannotListen`. */
export const serveEndpoints = async (options: EndpointsOptions): Promise<Endpoints> => {
  const { address, clock, logger, metrics: registry, profiling, ready } = options
  type Route = (url: URL, request: IncomingMessage, response: ServerResponse) => Promise<boolean>

  const serveMetrics: Route = async (url, request, response) => {
    if (url.pathname === '/metrics') {
      const text = await registry.text()
      response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text)
      return true
    }
    const answer = await options.answer?.(url.pathname, AbortSignal.timeout(ANSWER_TIMEOUT))
    if (answer !== undefined) {
      response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(answer))
      return true
    }
    return profiling === true && (await answerProfile(clock, url, request, response))
  }
  const serveHealth: Route = async (url, _request, response) => {
    const verbose = url.searchParams.has('verbose')
    if (url.pathname === '/healthz') await answerHealth({ ping: () => undefined }, verbose, response)
    else if (url.pathname === '/readyz') await answerHealth(ready, verbose, response)
    else return false
    return true
  }
  const handler = (route: Route) => (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { allow: 'GET, HEAD' }).end()
      return
    }
    route(url, request, response).then(
      (found) => {
        if (!found) response.writeHead(404).end('not found\n')
      },
      (error: unknown) => {
        logger.error('request to an endpoint failed', { path: url.pathname, error })
        if (!response.headersSent) response.writeHead(500)
        response.end()
      },
    )
  }

  const metrics = await listen('metrics', address, options.metricsPort, handler(serveMetrics))
  let health: Listener
  try {
    health = await listen('health', address, options.healthProbePort, handler(serveHealth))
  } catch (error) {
    await metrics.close()
    throw error
  }
  return {
    metrics,
    health,
    close: async () => {
      await Promise.all([metrics.close(), health.close()])
    },
  }
}
