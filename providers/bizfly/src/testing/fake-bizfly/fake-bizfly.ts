import { type HttpRequest, type HttpResponse, NoResponseError, type Send } from '@kerf/provider-kit'
import type { FakeAccount, FakeServer } from './fake-account.ts'
import { CLUSTER, CLUSTER_TOKEN, EMAIL, PASSWORD, PROJECT } from './names.ts'
import { bodyProblems, bodyShapes } from './request-shape.ts'

/** How a call fails: with an error or a broken connection, before or after it takes effect. */
export interface FakeFault {
  readonly refusal: { readonly status: number; readonly message: string } | 'network'
  /** If true, the call takes effect, but its response is lost. */
  readonly isAfterwards?: true
}

export type FakeCall =
  | keyof typeof bodyShapes
  | 'catalogue'
  | 'flavors'
  | 'servers'
  | 'server'
  | 'task'
  | 'networks'
  | 'firewalls'
  | 'versions'

interface Route {
  readonly call: FakeCall
  readonly method: HttpRequest['method']
  readonly path: RegExp
}

const SERVERS = '/iaas-cloud/api'
const ENGINE = '/api/kubernetes-engine'

const route = (call: FakeCall, method: HttpRequest['method'], path: string): Route => ({
  ...{ call, method },
  path: new RegExp(`^${path.replaceAll('{id}', '([^/]+)')}$`),
})

/** The paths of the vendor's Go client. */
const ROUTES: readonly Route[] = [
  route('token', 'POST', '/api/token'),
  route('catalogue', 'GET', '/api/auth/service'),
  route('flavors', 'GET', `${SERVERS}/flavors`),
  route('launchServer', 'POST', `${SERVERS}/servers`),
  route('servers', 'GET', `${SERVERS}/servers`),
  route('server', 'GET', `${SERVERS}/servers/{id}`),
  route('deleteServer', 'DELETE', `${SERVERS}/servers/{id}`),
  route('task', 'GET', `${SERVERS}/tasks/{id}`),
  route('networks', 'GET', `${SERVERS}/vpc-networks`),
  route('firewalls', 'GET', `${SERVERS}/firewalls`),
  route('versions', 'GET', `${ENGINE}/k8s_versions`),
  route('leaveCluster', 'POST', `${ENGINE}/engine/cluster_leave/{id}`),
]

/** The queries that the client can send. */
const QUERIES: Partial<Readonly<Record<FakeCall, RegExp>>> = {
  flavors: /^\?new=true$/,
  servers: /^(?:|\?name=[^&]+)$/,
}

const TOKEN_LASTS = 3_600_000

const json = (status: number, body: unknown): HttpResponse => ({
  ...{ status, headers: { 'content-type': 'application/json' } },
  text: JSON.stringify(body),
})

/**
 * An in-memory Bizfly Cloud with the vendor's HTTP API. It checks the token of every request. It also compares the path, the query and the
 * fields with the vendor's Go client, and records requests that this client cannot send.
 */
export class FakeBizfly {
  readonly account: FakeAccount
  /** The current password of the account. */
  password = PASSWORD
  /** The region of the services in the catalogue. */
  region = 'HaNoi'
  /** All requests with their monotonic time. */
  readonly requests: { readonly call: FakeCall; readonly at: number; readonly body: unknown }[] = []
  /** Requests that the vendor's client cannot send. Tests expect none. */
  readonly problems: string[] = []
  /** Calls for which the account has no permission. */
  readonly denied = new Set<FakeCall>()
  readonly #tokens = new Map<string, number>()
  readonly #standing = new Map<FakeCall, FakeFault>()
  #signedIn = 0

  constructor(account: FakeAccount) {
    this.account = account
  }

  /** Fails every call of this kind until `recover`. */
  fail(call: FakeCall, fault: FakeFault): void {
    this.#standing.set(call, fault)
  }

  recover(): void {
    this.#standing.clear()
  }

  /** Invalidates all tokens, as if they had expired early. */
  revoke(): void {
    this.#tokens.clear()
  }

  count(call: FakeCall): number {
    return this.requests.filter((request) => request.call === call).length
  }

  /** Handles a request without a network connection. */
  readonly send: Send = async (request, signal) => {
    signal.throwIfAborted()
    return this.answer(request)
  }

  /** Returns the call that a request makes, or undefined if the vendor's client does not use the path. */
  callOf({ method, url }: Pick<HttpRequest, 'method' | 'url'>): FakeCall | undefined {
    return ROUTES.find((each) => each.method === method && each.path.test(url.pathname))?.call
  }

  answer({ method, url, headers = {}, body }: HttpRequest): HttpResponse {
    const found = ROUTES.find((each) => each.method === method && each.path.test(url.pathname))
    if (found === undefined) return this.#invalid(`no ${method} ${url.pathname}`, 404)
    const { call } = found
    const [, id = ''] = found.path.exec(url.pathname) ?? []
    if (!(QUERIES[call] ?? /^$/).test(url.search)) return this.#invalid(`${call}: query ${url.search}`, 400)
    const sent: unknown = body === undefined ? undefined : JSON.parse(body)
    if (call in bodyShapes) {
      const [problem] = bodyProblems(call as keyof typeof bodyShapes, sent)
      if (problem !== undefined) return this.#invalid(problem, 400)
    }
    this.requests.push({ call, at: this.account.clock.monotonic(), body: sent })
    const named = (name: string): string =>
      Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1] ?? ''
    const { clock } = this.account
    if (call !== 'token' && call !== 'catalogue') {
      if ((this.#tokens.get(named('x-auth-token')) ?? 0) <= clock.now()) return json(401, { message: 'Unauthorized' })
      if (named('x-project-id') !== PROJECT) return json(403, { message: 'wrong project' })
    }
    const fault = this.#standing.get(call)
    const failed = (): HttpResponse => {
      if (fault?.refusal === 'network' || fault === undefined) throw lost()
      return json(fault.refusal.status, { message: fault.refusal.message })
    }
    if (fault !== undefined && fault.isAfterwards !== true) return failed()
    if (this.denied.has(call)) return json(403, { message: 'you are not allowed to do this action' })
    if (call === 'leaveCluster' && (named('x-cluster-token') !== CLUSTER_TOKEN || id !== CLUSTER))
      return json(403, { message: 'wrong token' })
    const answer = this.#act(call, id, url, sent)
    return fault === undefined ? answer : failed()
  }

  #act(call: FakeCall, id: string, url: URL, body: unknown): HttpResponse {
    const { account } = this
    switch (call) {
      case 'token':
        return this.#signIn(body as Readonly<Record<string, string>>)
      case 'catalogue': {
        const services = ['cloud_server', 'kubernetes_engine'].map((canonical_name) => ({
          ...{ canonical_name, region: this.region, enabled: true },
          // The URLs in the real catalogue also end with a slash.
          service_url: `${url.origin}${canonical_name === 'cloud_server' ? SERVERS : ENGINE}/`,
        }))
        return json(200, { services })
      }
      case 'flavors':
        return json(200, account.flavors)
      case 'launchServer': {
        const [request] = body as readonly Parameters<FakeAccount['create']>[0][]
        if (request === undefined) return json(400, { message: 'no server' })
        const refusal = account.refusal(request)
        if (refusal !== undefined) return json(refusal.startsWith('Quota') ? 403 : 400, { message: refusal })
        return json(200, { task_id: [account.create(request)] })
      }
      case 'servers': {
        const name = url.searchParams.get('name')
        const found = account.listed().filter((server) => name === null || server.name.includes(name))
        return json(
          200,
          found.map((server) => this.#serverJson(server)),
        )
      }
      case 'server': {
        const server = account.listed().find((each) => each.id === id)
        return server === undefined ? json(404, { message: 'not found' }) : json(200, this.#serverJson(server))
      }
      case 'deleteServer': {
        const { delete_volume } = body as { readonly delete_volume: readonly string[] }
        return account.delete(id, delete_volume)
          ? json(200, { task_id: `delete-${id}` })
          : json(404, { message: 'not found' })
      }
      case 'task':
        return this.#task(id)
      case 'networks':
        return json(
          200,
          account.networks.map((each) => ({ id: each, name: each })),
        )
      case 'firewalls':
        return json(
          200,
          account.firewalls.map((each) => ({ id: each, name: each })),
        )
      case 'versions':
        return json(200, { controller_versions: account.versions, worker_versions: [] })
      case 'leaveCluster':
        account.left.push((body as { readonly node_name: string }).node_name)
        return json(200, { message: 'left' })
    }
  }

  #signIn({ auth_method, username, password, project_id = PROJECT }: Readonly<Record<string, string>>): HttpResponse {
    if (auth_method !== 'password' || username !== EMAIL || password !== this.password)
      return json(401, { message: 'wrong email or password' })
    if (project_id !== PROJECT) return json(403, { message: 'no such project' })
    const token = `never-written-token-${++this.#signedIn}`
    const expires = this.account.clock.now() + TOKEN_LASTS
    this.#tokens.set(token, expires)
    return json(200, { token, expires_at: new Date(expires).toISOString(), project_id: PROJECT })
  }

  #task(id: string): HttpResponse {
    const server = this.account.servers.get(this.account.tasks.get(id) ?? '')
    if (server === undefined) return json(404, { message: 'not found' })
    if (server.buildsUntil > this.account.clock.monotonic()) return json(200, { ready: false, result: null })
    const own = { action: 'create_server', progress: 100, success: !server.isBroken }
    return json(200, { ready: true, result: { ...own, ...this.#serverJson(server) } })
  }

  #serverJson(server: FakeServer): object {
    return {
      ...{ id: server.id, name: server.name, status: this.account.statusOf(server), metadata: server.metadata },
      flavor: { name: server.flavor },
      created: this.account.createdText(server),
      'OS-EXT-AZ:availability_zone': server.zone,
      'os-extended-volumes:volumes_attached': [
        { id: server.rootDisk, attached_type: 'rootdisk' },
        { id: `volume-of-${server.name}`, attached_type: 'datadisk' },
      ],
      region_name: 'HaNoi',
    }
  }

  #invalid(problem: string, status: number): HttpResponse {
    this.problems.push(problem)
    return json(status, { message: problem })
  }
}

const lost = (): NoResponseError =>
  new NoResponseError('bizfly.test', {
    ...{ kind: 'lost', code: 'ECONNRESET', message: 'the connection was reset', wasNeverSent: false },
  })
