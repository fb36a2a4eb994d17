import { type HttpLimits, HttpServer, type Logger, secretToken } from '@kerf/runtime'
import type { SandboxApi } from '../api/sandbox-api.ts'
import { HttpApi, sendStatus } from './http-api.ts'
import { kubeconfigText } from './kubeconfig.ts'
import { WebSocketWatches } from './web-socket-watches.ts'

export interface SandboxServerOptions {
  /** The port to listen on. Default 0, which means any free port. */
  readonly port?: number
  /** The bearer token. Default: a random token from the system's generator. */
  readonly token?: string
  readonly limits?: Partial<HttpLimits>
  /** Logs requests that failed for an unexpected reason. */
  readonly logger?: Logger
}

/** Serves the sandbox's API on a loopback port over plain HTTP. Requests need a bearer token, which the kubeconfig contains. */
export class SandboxServer {
  readonly url: string
  readonly token: string
  readonly #server: HttpServer
  readonly #stop: AbortController

  private constructor(server: HttpServer, token: string, stop: AbortController) {
    this.#server = server
    this.url = `http://${server.address}:${server.port}`
    this.token = token
    this.#stop = stop
  }

  /** Throws `PortInUse` or `CannotListen`. */
  static async start(api: SandboxApi, options: SandboxServerOptions = {}): Promise<SandboxServer> {
    const token = options.token ?? secretToken()
    const stop = new AbortController()
    const http = new HttpApi(api, token, stop.signal)
    const webSockets = new WebSocketWatches(api, http, stop.signal)
    const server = await HttpServer.listen({
      endpoint: 'sandbox API',
      address: '127.0.0.1',
      port: options.port ?? 0,
      ...(options.limits !== undefined && { limits: options.limits }),
      handle: (exchange) => http.handle(exchange),
      upgrade: (upgrade) => webSockets.upgrade(upgrade),
      refuse: sendStatus,
      fault: (error, asked) =>
        options.logger?.error('a request to the sandbox failed', { method: asked?.method, error }),
    })
    return new SandboxServer(server, token, stop)
  }

  /** Returns the number of open connections. */
  connections(): Promise<number> {
    return this.#server.connections()
  }

  /**
   * Returns a kubeconfig as YAML for kubectl and other clients. Its server address also contains the token, because
   * client-go sends no credentials over plain HTTP.
   */
  kubeconfig(): string {
    return kubeconfigText(`${this.url}/${this.token}`, this.token)
  }

  /** Ends all watches and connections and frees the port. */
  async close(): Promise<void> {
    this.#stop.abort()
    await this.#server.close()
  }
}
