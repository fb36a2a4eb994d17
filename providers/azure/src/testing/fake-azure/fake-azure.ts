import type { Milliseconds } from '@kerf/apis'
import { type HttpRequest, NoResponseError, type Send } from '@kerf/provider-kit'
import { Faults, TokenBucket } from '@kerf/provider-kit/testing'
import { type Clock, type Random, SeededRandom } from '@kerf/runtime'
import type { Vm } from '../../api/compute-shapes.ts'
import type { MachineRequest } from '../../api/machine-shapes.ts'
import { ArmError, type ArmResponse, errorResponse, httpOf } from './arm-response.ts'
import { checkBody } from './body-schemas.ts'
import { graphRows } from './fake-graph.ts'
import { FakeMachines } from './fake-machines.ts'
import { type FakeNic, FakeNics } from './fake-nics.ts'
import { FakeOffer, LOCATION } from './fake-offer.ts'
import { FakeRoles } from './fake-roles.ts'
import { type Durations, FakeVms, VM_TYPE } from './fake-vms.ts'
import { type OperationName, type Route, routeOf } from './operations.ts'
import { ResourceStore, type StoredResource } from './resource-store.ts'

export const SUBSCRIPTION = '00000000-0000-0000-0000-000000000001'
export const GROUP = 'MC_demo_demo_southcentralus'
/** Of the AKS cluster itself. */
export const CLUSTER_GROUP = 'demo'
export const SUBNET = `/subscriptions/${SUBSCRIPTION}/resourceGroups/${GROUP}/providers/Microsoft.Network/virtualNetworks/aks-vnet-12345678/subnets/aks-subnet`
const POOL = `/subscriptions/${SUBSCRIPTION}/resourceGroups/${GROUP}/providers/Microsoft.Network/loadBalancers/kubernetes/backendAddressPools/kubernetes`

const TOKEN_LIFE: Milliseconds = 3_600_000
const GRAPH_LAG: Milliseconds = 60_000
/** What one answer of Resource Graph has at most (learn.microsoft.com, "Working with large Azure resource data sets"). */
const MOST_ROWS = 1_000
const OPERATIONS = '/subscriptions/[^/]+/providers/Microsoft\\.[^/]+/locations/[^/]+/operations/([^/?]+)$'

export interface FakeAzureOptions {
  readonly durations?: Durations
  /** Where Resource Manager answers; its own answers name it. */
  readonly endpoint?: string
  /** What IDs are drawn from; the same ones every time by default. */
  readonly random?: Random
}

/** A request that was made. */
export interface FakeRequest {
  readonly name: OperationName | 'operation' | 'prices'
  readonly path: string
  /** On the monotonic clock. */
  readonly at: Milliseconds
}

interface GraphQuery {
  readonly query: string
  readonly options?: { readonly $skipToken?: string; readonly $top?: number }
}

interface PendingOperation {
  readonly endsAt: Milliseconds
  readonly failure: () => { readonly code: string; readonly message: string } | undefined
}

/** learn.microsoft.com, "Understand how Azure Resource Manager throttles requests": for each subscription and region. */
const LIMITS = {
  read: { capacity: 250, refill: 25 },
  write: { capacity: 200, refill: 10 },
  delete: { capacity: 200, refill: 10 },
  /** learn.microsoft.com, "Guidance for throttled requests in Azure Resource Graph": 15 queries in 5 seconds. */
  graph: { capacity: 15, refill: 3 },
} as const
type LimitName = keyof typeof LIMITS

/** What may be asked of resources outside of the node resource group. */
const ELSEWHERE: ReadonlySet<OperationName> = new Set([
  ...(['Subnets_Get', 'VirtualNetworks_Get', 'DiskEncryptionSets_Get', 'Permissions_ListForResource'] as const),
])

/** Azure Resource Manager, as far as the provider calls it. */
export class FakeAzure {
  readonly clock: Clock
  readonly endpoint: string
  readonly store: ResourceStore
  readonly offer = new FakeOffer()
  /** Of whoever has a token. */
  readonly roles = new FakeRoles(`/subscriptions/${SUBSCRIPTION}/resourceGroups/${GROUP}`)
  readonly nics: FakeNics
  readonly vms: FakeVms
  readonly machines: FakeMachines
  readonly faults: Faults
  readonly requests: FakeRequest[] = []
  /** The bodies of the requests that had one, as they came. */
  readonly bodies: string[] = []
  /** Whether the retail price API answers. */
  hasPrices = true
  /** How far Resource Graph is behind. */
  graphLag = GRAPH_LAG
  /** Whether tokens are given at all. */
  hasIdentity = true
  readonly #random: Random
  readonly #tokens = new Map<string, Milliseconds>()
  readonly #operations = new Map<string, PendingOperation>()
  readonly #buckets: Readonly<Record<LimitName, TokenBucket>>

  constructor(clock: Clock, options: FakeAzureOptions = {}) {
    this.clock = clock
    this.endpoint = options.endpoint ?? 'https://management.azure.com'
    this.#random = options.random ?? new SeededRandom('azure')
    this.store = new ResourceStore(clock)
    const group = `/subscriptions/${SUBSCRIPTION}/resourceGroups/${GROUP}/providers`
    this.offer.subnets = new Set([SUBNET])
    const durations = options.durations ?? { nic: 2_000, creation: 20_000, deletion: 4_000 }
    this.nics = new FakeNics(
      this.store,
      this.offer,
      GROUP,
      (name) => `${group}/Microsoft.Network/networkInterfaces/${name}`,
      durations.nic,
    )
    this.nics.pools = new Set([POOL])
    this.vms = new FakeVms({
      ...{ store: this.store, offer: this.offer, nics: this.nics, group: GROUP },
      idOf: (type, name) => `${group}/Microsoft.Compute/${type}/${name}`,
      durations,
      newId: () => this.#random.uuid(),
    })
    this.machines = new FakeMachines({ store: this.store, offer: this.offer, vms: this.vms, group })
    this.#buckets = {
      read: new TokenBucket(clock, LIMITS.read),
      write: new TokenBucket(clock, LIMITS.write),
      delete: new TokenBucket(clock, LIMITS.delete),
      graph: new TokenBucket(clock, LIMITS.graph),
    }
    // Limits are held against requests, above; an ordered fault comes with its status.
    this.faults = new Faults(
      { admit: () => undefined, admitPages: () => undefined },
      ({ code, status, message = code }) =>
        code === 'network'
          ? new NoResponseError('management.azure.com', {
              kind: 'lost',
              code: 'ECONNRESET',
              message: 'the connection broke',
              wasNeverSent: false,
            })
          : new ArmError(status ?? 500, code, message, status === 429 ? { 'retry-after': '60' } : {}),
    )
  }

  /** A token, as Active Directory gives it. */
  token(): { readonly token: string; readonly expiresOnTimestamp: number } {
    if (!this.hasIdentity) throw new Error('AADSTS700016: Application was not found in the directory')
    const token = `token-${this.#tokens.size + 1}`
    this.#tokens.set(token, this.clock.now() + TOKEN_LIFE)
    return { token, expiresOnTimestamp: this.clock.now() + TOKEN_LIFE }
  }

  /** No token counts any more. */
  revokeTokens(): void {
    for (const token of this.#tokens.keys()) this.#tokens.set(token, 0)
  }

  count(...names: readonly OperationName[]): number {
    return this.requests.filter(({ name }) => names.some((each) => each === name)).length
  }

  /** Everything there is in the node resource group now. */
  resources(): readonly StoredResource[] {
    this.store.settle()
    return this.store.all()
  }

  readonly send: Send = async (request, signal) => {
    signal.throwIfAborted()
    this.store.settle()
    try {
      return httpOf(await this.#answer(request, signal))
    } catch (error) {
      if (error instanceof ArmError) return httpOf(errorResponse(error))
      throw error
    }
  }

  async #answer(request: HttpRequest, signal: AbortSignal): Promise<ArmResponse> {
    const { method, url } = request
    if (url.hostname === 'prices.azure.com') {
      this.#note('prices', url)
      if (!this.hasPrices) throw new ArmError(503, 'ServiceUnavailable', 'no prices now')
      return this.offer.pricePage(url)
    }
    this.#authorized(request)
    const [, operation] = new RegExp(OPERATIONS, 'i').exec(url.pathname) ?? []
    if (operation !== undefined && method === 'GET') return this.#status(operation, url)
    const route = routeOf(method, url.pathname)
    if (route === undefined)
      throw new ArmError(404, 'InvalidResourceType', `The fake of Azure knows no operation ${method} ${url.pathname}`)
    this.#note(route.name, url)
    this.#admit(route)
    if (request.body !== undefined) this.bodies.push(request.body)
    const body = this.#checked(route, request)
    const answer = await this.faults.run(route.name, signal, () => this.#do(route, url, body, request))
    return { ...answer, headers: { 'x-ms-request-id': this.#random.uuid(), ...answer.headers } }
  }

  #note(name: FakeRequest['name'], { pathname: path }: URL): void {
    this.requests.push({ name, path, at: this.clock.monotonic() })
  }

  #authorized({ headers = {} }: HttpRequest): void {
    const bearer = /^Bearer (.*)$/.exec(headers['authorization'] ?? '')?.[1]
    const expires = bearer === undefined ? undefined : this.#tokens.get(bearer)
    const challenge = {
      'www-authenticate': 'Bearer authorization_uri="https://login.microsoftonline.com/", error="invalid_token"',
    }
    if (expires === undefined)
      throw new ArmError(
        401,
        'AuthenticationFailed',
        "Authentication failed. The 'Authorization' header is missing.",
        challenge,
      )
    if (expires <= this.clock.now())
      throw new ArmError(
        401,
        'ExpiredAuthenticationToken',
        'The access token expiry is before the current time.',
        challenge,
      )
  }

  /** Limits as Resource Manager holds them, and the answer of one above them. */
  #admit({ name, operation: { method } }: Route): void {
    const kind: LimitName =
      name === 'Resources' ? 'graph' : method === 'GET' ? 'read' : method === 'DELETE' ? 'delete' : 'write'
    if (this.#buckets[kind].take(1)) return
    throw new ArmError(
      429,
      kind === 'graph' ? 'RateLimiting' : 'SubscriptionRequestsThrottled',
      `Number of requests for subscription '${SUBSCRIPTION}' exceeded the limit; please try again after '5' seconds.`,
      { 'retry-after': '5' },
    )
  }

  /** Lets the next so many milliseconds have no request of the kind. */
  drain(kind: LimitName, span: Milliseconds): void {
    this.#buckets[kind].drain(span)
  }

  #checked({ name, operation }: Route, { url, body }: HttpRequest): unknown {
    const version = url.searchParams.get('api-version')
    if (version !== operation.apiVersion)
      throw new ArmError(400, 'InvalidApiVersionParameter', `The api-version '${version}' is invalid for ${name}`)
    const known = new Set(['api-version', 'page', ...(operation.query ?? [])])
    for (const key of url.searchParams.keys())
      if (!known.has(key)) throw new ArmError(400, 'InvalidQueryParameter', `${name} has no parameter ${key}`)
    if (operation.body === undefined) return undefined
    let content: unknown
    try {
      content = JSON.parse(body ?? '')
    } catch {
      throw new ArmError(400, 'InvalidRequestContent', 'The request content was invalid: it is no JSON.')
    }
    checkBody(content, operation.body, name)
    return content
  }

  #do({ name, params }: Route, url: URL, body: unknown, { headers = {} }: HttpRequest): ArmResponse {
    const own = params['name'] ?? ''
    const inGroup =
      params['group'] === undefined ||
      params['group'].toLowerCase() === (params['pool'] === undefined ? GROUP : CLUSTER_GROUP).toLowerCase()
    if (!inGroup && !ELSEWHERE.has(name))
      throw new ArmError(404, 'ResourceGroupNotFound', `Resource group '${params['group']}' could not be found.`)
    switch (name) {
      case 'VirtualMachines_Get':
        return { status: 200, body: this.vms.get(own).body }
      case 'VirtualMachines_CreateOrUpdate': {
        // The body has gone through the schema.
        const vm = body as Vm
        const made = this.vms.put(own, vm, { hasImageToken: 'x-ms-authorization-auxiliary' in headers })
        return this.#accepted(made.isNew ? 201 : 200, made.resource.body, made.takes, () => this.vms.failureOf(own))
      }
      case 'VirtualMachines_Update':
        return this.#accepted(202, this.vms.update(own, body as Pick<Vm, 'tags' | 'identity'>).body, 1_000)
      case 'VirtualMachines_Delete':
        if (this.store.get(VM_TYPE, own) === undefined) return { status: 204 }
        return this.#accepted(202, undefined, this.vms.delete(own))
      case 'VirtualMachineExtensions_CreateOrUpdate':
      case 'VirtualMachineExtensions_Update':
        this.vms.get(params['vm'] ?? '')
        return this.#accepted(name === 'VirtualMachineExtensions_Update' ? 200 : 201, body, 1_000)
      case 'Disks_Delete':
        this.vms.removeDisk(own)
        return this.#accepted(202, undefined, 1_000)
      case 'NetworkInterfaces_Get':
        return { status: 200, body: this.nics.get(own).body }
      case 'NetworkInterfaces_CreateOrUpdate': {
        const made = this.nics.put(own, body as FakeNic)
        return this.#accepted(made.isNew ? 201 : 200, made.resource.body, made.takes)
      }
      case 'NetworkInterfaces_UpdateTags':
        return { status: 200, body: this.nics.updateTags(own, (body as Pick<FakeNic, 'tags'>).tags).body }
      case 'NetworkInterfaces_Delete':
        if (!this.nics.all().some((nic) => nic.name.toLowerCase() === own.toLowerCase())) return { status: 204 }
        return this.#accepted(202, undefined, this.nics.delete(own))
      case 'Subnets_Get':
        return this.offer.subnet(url.pathname, (id) => this.nics.configurationsIn(id))
      case 'VirtualNetworks_Get':
        return {
          status: 200,
          body: { id: url.pathname, name: own, properties: { resourceGuid: '00000000-0000-0000-0000-0000000000aa' } },
        }
      case 'LoadBalancers_List':
        return { status: 200, body: { value: this.#balancers() } }
      case 'NetworkSecurityGroups_List':
        return {
          status: 200,
          body: {
            value: [
              {
                id: `${POOL.split('/loadBalancers')[0]}/networkSecurityGroups/aks-agentpool-12345678-nsg`,
                name: 'aks-agentpool-12345678-nsg',
              },
            ],
          },
        }
      case 'Resources':
        return this.#graph(body as GraphQuery)
      case 'ResourceSkus_List':
        return this.offer.skuPage(url)
      case 'Usage_List':
        return this.offer.usagePage(url, this.vms.used())
      case 'CommunityGalleryImageVersions_List':
        return this.offer.imagePage(url, params['gallery'] ?? '', params['image'] ?? '')
      case 'Permissions_ListForResourceGroup':
      case 'Permissions_ListForResource':
        return this.roles.permissionPage(url)
      case 'ContainerService_ListNodeImageVersions':
        return this.offer.nodeImagePage(url)
      case 'Machines_Get':
        return { status: 200, body: this.machines.get(params['pool'] ?? '', own) }
      case 'Machines_List':
        return this.machines.page(params['pool'] ?? '', url)
      case 'Machines_CreateOrUpdate': {
        // The body has gone through the schema.
        const request = body as MachineRequest
        return this.machines.put(params['pool'] ?? '', own, request, headers)
      }
      case 'AgentPools_DeleteMachines':
        this.machines.delete(params['pool'] ?? '', (body as { readonly machineNames: readonly string[] }).machineNames)
        return { status: 202 }
      case 'DiskEncryptionSets_Get':
        return { status: 200, body: { id: url.pathname, name: own, location: LOCATION } }
    }
  }

  /** A change that takes a while: what Azure answers at once, and where it tells of it. */
  #accepted(
    status: number,
    body: unknown,
    takes: Milliseconds,
    failure: PendingOperation['failure'] = () => undefined,
  ): ArmResponse {
    if (takes === 0) return { status, body }
    const id = this.#random.uuid()
    this.#operations.set(id, { endsAt: this.clock.monotonic() + takes, failure })
    const at = `${this.endpoint}/subscriptions/${SUBSCRIPTION}/providers/Microsoft.Compute/locations/${LOCATION}/operations/${id}`
    return {
      status,
      body,
      headers: {
        'azure-asyncoperation': `${at}?api-version=2026-04-01`,
        location: `${at}?monitor=true&api-version=2026-04-01`,
      },
    }
  }

  #status(id: string, url: URL): ArmResponse {
    this.#note('operation', url)
    const operation = this.#operations.get(id)
    if (operation === undefined) throw new ArmError(404, 'NotFound', `The operation ${id} was not found.`)
    if (operation.endsAt > this.clock.monotonic()) return { status: 200, body: { name: id, status: 'InProgress' } }
    const error = operation.failure()
    return {
      status: 200,
      body: error === undefined ? { name: id, status: 'Succeeded' } : { name: id, status: 'Failed', error },
    }
  }

  #balancers(): readonly unknown[] {
    const [id = ''] = POOL.split('/backendAddressPools')
    return [
      {
        id,
        name: 'kubernetes',
        properties: {
          backendAddressPools: [
            { id: POOL, name: 'kubernetes', properties: {} },
            { id: `${id}/backendAddressPools/kubernetes-ipv6`, name: 'kubernetes-ipv6', properties: {} },
            {
              id: `${id}/backendAddressPools/by-address`,
              name: 'by-address',
              properties: { loadBalancerBackendAddresses: [{ name: 'a', properties: { ipAddress: '10.0.0.4' } }] },
            },
          ],
        },
      },
    ]
  }

  #graph({ query, options = {} }: GraphQuery): ArmResponse {
    const page = Math.min(options.$top ?? MOST_ROWS, MOST_ROWS)
    const rows = graphRows(query, this.store.asOf(this.clock.monotonic() - this.graphLag))
    const from = Number(options.$skipToken ?? 0)
    const data = rows.slice(from, from + page)
    const isLast = from + page >= rows.length
    return {
      status: 200,
      body: {
        ...{ totalRecords: rows.length, count: data.length, facets: [], data },
        resultTruncated: 'false',
        ...(isLast ? {} : { $skipToken: `${from + page}` }),
      },
    }
  }
}
