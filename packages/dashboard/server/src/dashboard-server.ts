import { existsSync, readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { isIPv6 } from 'node:net'
import { join } from 'node:path'
import {
  type Clock,
  type Connection,
  type HttpExchange,
  type HttpLimits,
  HttpServer,
  type HttpUpgrade,
  isSecret,
  type Logger,
  refuseUpgrade,
  requestUrl,
  secretToken,
  shownServer,
} from '@kerf/runtime'
import { ApiProxy } from './api-proxy.ts'
import { IconSet } from './icon-set.ts'
import { problem } from './problem.ts'
import { StaticFiles } from './static-files.ts'

/** A cluster that the dashboard shows. */
export interface DashboardCluster {
  /** The name of the cluster. Used in the address, after conversion to lower case letters, digits, dots and dashes. */
  readonly name: string
  readonly connection: Connection
  /** The controller in this process, if there is one. Otherwise the page queries the controller through the API server. */
  readonly controller?: LocalController
}

/** Answers the requests that the page sends to Kerf itself. The cluster's objects come from the API server. */
export interface LocalController {
  /** Returns the metrics in Prometheus text format. */
  metrics(): Promise<string>
  /** Returns the response of the metrics port for the path, or `undefined` for an unknown path. */
  answer(path: string, signal: AbortSignal): Promise<object | undefined>
}

/** Directories that `buildDashboard` created. */
export interface DashboardFiles {
  /** Headlamp's frontend in Kerf's own shell. */
  readonly frontend: string
  /** The plugin's `main.js` and `package.json`. */
  readonly plugin: string
  /** An Iconify icon set, as the file `icons.json`. */
  readonly icons: string
}

export interface DashboardOptions {
  readonly files: DashboardFiles
  readonly clusters: readonly DashboardCluster[]
  /** The default is loopback. */
  readonly address?: string
  /** The default is 0, which means any free port. */
  readonly port?: number
  readonly limits?: Partial<HttpLimits>
  /** If there is a clock, certificate files are read again when they are rotated. */
  readonly clock?: Clock
  /** Receives requests that failed for an unexpected reason. */
  readonly logger?: Logger
}

const PLUGIN = 'plugins/kerf'
const RESPONSE_TIMEOUT = 20_000
/** All content comes from this server. With this policy, the browser blocks requests to any other server. */
const CONTENT_POLICY = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline' 'unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "worker-src 'self' blob:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'self'",
].join('; ')

/**
 * Serves Headlamp's frontend with Kerf's plugin, and forwards requests to the API servers, on one port. The address
 * contains a random token, and anyone who knows it acts as the kubeconfig's user. Any path without the token gets a
 * 404.
 */
export class DashboardServer {
  /** The address to open, ending in a slash. */
  readonly url: string
  readonly #server: HttpServer
  readonly #proxies: ReadonlyMap<string, ApiProxy>

  private constructor(server: HttpServer, url: string, proxies: ReadonlyMap<string, ApiProxy>) {
    this.#server = server
    this.url = url
    this.#proxies = proxies
  }

  /** Throws `PortInUse` or `CannotListen`. */
  static async start(options: DashboardOptions): Promise<DashboardServer> {
    const { files, clusters, address = '127.0.0.1', port = 0 } = options
    const token = secretToken()
    const proxies = new Map(
      clusters.map(({ name, connection }) => [addressable(name), new ApiProxy(connection, options.clock)]),
    )
    const site = new Site(token, files, clusters, proxies)
    const server = await HttpServer.listen({
      endpoint: 'dashboard',
      address,
      port,
      ...(options.limits !== undefined && { limits: options.limits }),
      handle: (exchange) => site.handle(exchange),
      upgrade: (upgrade) => site.upgrade(upgrade),
      refuse: problem,
      fault: (error, asked) =>
        options.logger?.error('a request to the dashboard failed', { method: asked?.method, error }),
    })
    const host = isIPv6(address) ? `[${address}]` : address
    return new DashboardServer(server, `http://${host}:${server.port}/${token}/`, proxies)
  }

  /** Returns the number of open connections. */
  connections(): Promise<number> {
    return this.#server.connections()
  }

  /** Ends every connection and frees the port. */
  async close(): Promise<void> {
    for (const proxy of this.#proxies.values()) proxy.close()
    await this.#server.close()
  }
}

/** Handles requests to the paths below the token. */
class Site {
  readonly #token: string
  readonly #base: string
  readonly #files: DashboardFiles
  readonly #frontend: StaticFiles
  readonly #plugin: StaticFiles
  readonly #icons: IconSet
  readonly #proxies: ReadonlyMap<string, ApiProxy>
  readonly #controllers: ReadonlyMap<string, LocalController>
  readonly #config: string

  constructor(
    token: string,
    files: DashboardFiles,
    clusters: readonly DashboardCluster[],
    proxies: ReadonlyMap<string, ApiProxy>,
  ) {
    this.#token = token
    this.#base = `/${token}`
    this.#files = files
    this.#frontend = new StaticFiles(files.frontend)
    this.#plugin = new StaticFiles(files.plugin)
    this.#icons = new IconSet(files.icons)
    this.#proxies = proxies
    this.#controllers = new Map(
      clusters.flatMap(({ name, controller }) => (controller === undefined ? [] : [[addressable(name), controller]])),
    )
    this.#config = JSON.stringify({
      clusters: clusters.map(({ name, connection }) => ({
        name: addressable(name),
        server: shownServer(connection.server),
        auth_type: '',
        meta_data: { source: 'kubeconfig', origin: { kubeconfig: connection.origin }, clusterID: addressable(name) },
      })),
      isDynamicClusterEnabled: false,
      allowKubeconfigChanges: false,
    })
  }

  async handle({ request, response, target }: HttpExchange): Promise<void> {
    const path = this.#behindToken(target)
    if (path === undefined) return problem(response, 404, 'not found; open the URL that kerf printed')
    const cluster = clusterPath(path)
    if (cluster !== undefined) {
      const proxy = this.#proxies.get(cluster.name)
      if (proxy === undefined) return problem(response, 404, `unknown cluster ${cluster.name}`)
      // Headlamp's own server has this path. After a 404, the frontend asks the API server who the user is.
      if (cluster.path === '/me') return problem(response, 404, 'not known')
      return await proxy.handle(request, response, cluster.path)
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') return problem(response, 405, 'only GET is supported')
    const { pathname, searchParams } = requestUrl(path)
    if (pathname === '/config') return json(response, this.#config)
    const asked = /^\/controllers\/([^/]+)(\/.*)$/.exec(pathname)
    if (asked !== null) return await this.#ask(response, asked[1] ?? '', asked[2] ?? '')
    if (pathname === '/plugins') {
      const found = existsSync(join(this.#files.plugin, 'main.js'))
      return json(response, JSON.stringify(found ? [{ path: PLUGIN, type: 'shipped', name: 'kerf' }] : []))
    }
    if (pathname.startsWith('/icons/')) {
      const answer = this.#icons.answer(pathname.slice('/icons/'.length), searchParams.get('icons') ?? '')
      return answer === undefined ? problem(response, 404, 'no such icon set') : json(response, answer, 86_400)
    }
    if (pathname.startsWith(`/${PLUGIN}/`)) {
      if (this.#plugin.serve(request, response, pathname.slice(PLUGIN.length + 1))) return
      return problem(response, 404, 'no such file in the plugin')
    }
    if (pathname !== '/' && pathname !== '/index.html' && this.#frontend.serve(request, response, pathname)) return
    if (pathname.startsWith('/assets/')) return problem(response, 404, 'no such file')
    this.#page(response)
  }

  async upgrade({ request, socket, head, target }: HttpUpgrade): Promise<void> {
    const path = this.#behindToken(target)
    const cluster = path === undefined ? undefined : clusterPath(path)
    const proxy = cluster === undefined ? undefined : this.#proxies.get(cluster.name)
    if (cluster === undefined || proxy === undefined) {
      refuseUpgrade(socket, 404, 'Not Found')
      return
    }
    await proxy.upgrade(request, socket, head, cluster.path)
  }

  /** Forwards a request to the controller in this process. */
  async #ask(response: ServerResponse, cluster: string, path: string): Promise<void> {
    const controller = this.#controllers.get(cluster)
    if (controller === undefined) return problem(response, 404, `no controller of ${cluster} is served here`)
    if (path === '/metrics') {
      response.writeHead(200, {
        'content-type': 'text/plain; version=0.0.4; charset=utf-8',
        'cache-control': 'no-store',
      })
      response.end(await controller.metrics())
      return
    }
    const answer = await controller.answer(path, AbortSignal.timeout(RESPONSE_TIMEOUT))
    if (answer === undefined) return problem(response, 404, 'the controller does not serve this path')
    json(response, JSON.stringify(answer))
  }

  /** Returns the request's path after the token, or `undefined` if it does not begin with the token. */
  #behindToken(target: string): string | undefined {
    const [, token = '', rest] = /^\/([^/?]*)(.*)$/.exec(target) ?? []
    return isSecret(token, this.#token) ? rest : undefined
  }

  /** Sends the page. It is the same for every route, because the frontend does the routing in the browser. */
  #page(response: ServerResponse): void {
    const page = readFileSync(join(this.#files.frontend, 'index.html'), 'utf8')
      .replaceAll('"./', `"${this.#base}/`)
      .replace(
        '<head>',
        `<head><script>window.headlampBaseUrl=${JSON.stringify(this.#base)};window.kerfControllers=${JSON.stringify([...this.#controllers.keys()])}</script>`,
      )
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': CONTENT_POLICY,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
    response.end(page)
  }
}

/** Returns the name and the path in `/clusters/<name>/<path>`. The path includes the query. */
const clusterPath = (path: string): { readonly name: string; readonly path: string } | undefined => {
  const [, name, rest = ''] = /^\/clusters\/([^/?]+)(.*)$/.exec(path) ?? []
  if (name === undefined) return undefined
  return { name, path: rest.startsWith('/') ? rest : `/${rest}` }
}

/** Converts a context's name to a form that is valid in a URL path. Names of contexts may contain any character (`arn:aws:eks:…`). */
const addressable = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9.-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '') || 'cluster'

const json = (response: ServerResponse, text: string, maxAge = 0): void => {
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': maxAge === 0 ? 'no-store' : `max-age=${maxAge}`,
  })
  response.end(text)
}
