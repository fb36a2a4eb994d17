import { createServer, type Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { runtimeErrors } from '@kerf/runtime'
import type { SandboxApi } from '../api/sandbox-api.ts'
import { HttpApi } from './http-api.ts'
import { kubeconfigOf } from './kubeconfig.ts'
import { WebSocketWatches } from './web-socket-watches.ts'

export interface SandboxServerOptions {
  /** 0 or absent: any free port. */
  readonly port?: number
  /** Absent: one drawn from the API's random source. */
  readonly token?: string
}

/** The sandbox's API on a loopback port. Plain HTTP, with a bearer token that only the kubeconfig knows. */
export class SandboxServer {
  readonly url: string
  readonly token: string
  readonly #server: Server
  readonly #stop: AbortController

  private constructor(server: Server, url: string, token: string, stop: AbortController) {
    this.#server = server
    this.url = url
    this.token = token
    this.#stop = stop
  }

  /** Throws `PortInUse` or `CannotListen`. */
  static async start(api: SandboxApi, options: SandboxServerOptions = {}): Promise<SandboxServer> {
    const token = options.token ?? api.state.random.text(32)
    const stop = new AbortController()
    const http = new HttpApi(api, token, stop.signal)
    const server = createServer(
      { keepAlive: true, requestTimeout: 0 },
      (request, response) => void http.handle(request, response),
    )
    const webSockets = new WebSocketWatches(api, http, stop.signal)
    const upgraded = new Set<Duplex>()
    server.on('upgrade', (request, socket, head) => {
      upgraded.add(socket)
      socket.on('close', () => upgraded.delete(socket))
      webSockets.upgrade(request, socket, head)
    })
    stop.signal.addEventListener('abort', () => {
      for (const socket of upgraded) socket.destroy()
    })
    const port = options.port ?? 0
    const address = '127.0.0.1'
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) => {
        reject(
          error.code === 'EADDRINUSE'
            ? runtimeErrors.PortInUse({ port, address, endpoint: 'sandbox API' }, { cause: error })
            : runtimeErrors.CannotListen({ port, address, cause: error.message }, { cause: error }),
        )
      })
      server.listen(port, address, resolve)
    })
    const bound = server.address()
    const actual = typeof bound === 'object' && bound !== null ? bound.port : port
    return new SandboxServer(server, `http://${address}:${actual}`, token, stop)
  }

  /**
   * A kubeconfig, as YAML, with which kubectl and other clients reach this server. Its server address holds the token
   * too: client-go sends no credentials over plain HTTP.
   */
  kubeconfig(): string {
    return kubeconfigOf(`${this.url}/${this.token}`, this.token)
  }

  /** Ends all watches and connections and frees the port. */
  async close(): Promise<void> {
    this.#stop.abort()
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    this.#server.closeAllConnections()
    await closed
  }
}
