import type { Milliseconds } from '@kerf/apis'
import { type HttpRequest, NoResponseError, type Send } from '@kerf/provider-kit'
import { Faults } from '@kerf/provider-kit/testing'
import { type Clock, type Random, SeededRandom } from '@kerf/runtime'
import type { Vm } from '../../api/compute-shapes.ts'
import type { MachineRequest } from '../../api/machine-shapes.ts'
import { ArmError, type ArmResponse, errorResponse, toHttpResponse } from './arm-response.ts'
import { checkBody } from './body-schemas.ts'
import { type GraphQuery, graphPage } from './fake-graph.ts'
import { FakeMachines } from './fake-machines.ts'
import { FakeNetwork } from './fake-network.ts'
import { type FakeNic, FakeNics } from './fake-nics.ts'
import { FakeOffer, LOCATION } from './fake-offer.ts'
import { FakeRoles } from './fake-roles.ts'
import { FakeTokens } from './fake-tokens.ts'
import { type Durations, FakeVms, VM_TYPE } from './fake-vms.ts'
import { LongRunning, parseOperationId } from './long-running.ts'
import { BACKEND_POOL, CLUSTER_GROUP, GROUP, SUBNET, SUBSCRIPTION } from './names.ts'
import { findRoute, type OperationName, type Route } from './operations.ts'
import { RequestLimits } from './request-limits.ts'
import { ResourceStore, type StoredResource } from './resource-store.ts'

const GRAPH_LAG: Milliseconds = 60_000
const COMPUTE = { provider: 'Microsoft.Compute', location: LOCATION }
const AKS = { provider: 'Microsoft.ContainerService', location: LOCATION }

export interface FakeAzureOptions {
  readonly durations?: Durations
  /** The endpoint of Resource Manager. Its answers contain the endpoint. */
  readonly endpoint?: string
  /** The source of random IDs. The default gives the same IDs each time. */
  readonly random?: Random
}

/** A recorded request. */
export interface FakeRequest {
  readonly name: OperationName | 'operation' | 'prices'
  readonly path: string
  /** In monotonic time. */
  readonly at: Milliseconds
}

/** Operations on resources outside of the node resource group. */
const ELSEWHERE: ReadonlySet<OperationName> = new Set([
  ...(['Subnets_Get', 'VirtualNetworks_Get', 'DiskEncryptionSets_Get', 'Permissions_ListForResource'] as const),
])

/** An in-memory Azure Resource Manager with the operations that the provider uses. */
export class FakeAzure {
  readonly clock: Clock
  readonly endpoint: string
  readonly store: ResourceStore
  readonly offer = new FakeOffer()
  /** The roles of the caller. They apply to every token. */
  readonly roles = new FakeRoles(`/subscriptions/${SUBSCRIPTION}/resourceGroups/${GROUP}`)
  readonly nics: FakeNics
  readonly vms: FakeVms
  readonly machines: FakeMachines
  readonly faults: Faults
  readonly requests: FakeRequest[] = []
  /** The bodies of requests, unchanged. */
  readonly bodies: string[] = []
  /** Whether the retail price API answers. */
  hasPrices = true
  /** The delay of Resource Graph. */
  graphLag = GRAPH_LAG
  readonly tokens: FakeTokens
  readonly limits: RequestLimits
  readonly network = new FakeNetwork()
  readonly #random: Random
  readonly #longRunning: LongRunning

  constructor(clock: Clock, options: FakeAzureOptions = {}) {
    this.clock = clock
    this.endpoint = options.endpoint ?? 'https://management.azure.com'
    this.#random = options.random ?? new SeededRandom('azure')
    this.store = new ResourceStore(clock)
    this.tokens = new FakeTokens(clock)
    this.limits = new RequestLimits(clock)
    this.#longRunning = new LongRunning({ clock, random: this.#random, endpoint: this.endpoint })
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
    this.nics.pools = new Set([BACKEND_POOL])
    this.vms = new FakeVms({
      ...{ store: this.store, offer: this.offer, nics: this.nics, group: GROUP },
      idOf: (type, name) => `${group}/Microsoft.Compute/${type}/${name}`,
      durations,
      newId: () => this.#random.uuid(),
    })
    this.machines = new FakeMachines({ store: this.store, offer: this.offer, vms: this.vms, group })
    // Injected faults bypass the request limits, which are applied separately. Each fault has its own status.
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

  count(...names: readonly OperationName[]): number {
    return this.requests.filter(({ name }) => names.some((each) => each === name)).length
  }

  /** Returns all current resources of the node resource group. */
  resources(): readonly StoredResource[] {
    this.store.settle()
    return this.store.all()
  }

  readonly send: Send = async (request, signal) => {
    signal.throwIfAborted()
    this.store.settle()
    try {
      return toHttpResponse(await this.#answer(request, signal))
    } catch (error) {
      if (error instanceof ArmError) return toHttpResponse(errorResponse(error))
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
    this.tokens.check(request)
    const operation = parseOperationId(method, url.pathname)
    if (operation !== undefined) {
      this.#note('operation', url)
      return this.#longRunning.statusOf(operation)
    }
    const route = findRoute(method, url.pathname)
    if (route === undefined)
      throw new ArmError(404, 'InvalidResourceType', `The fake of Azure knows no operation ${method} ${url.pathname}`)
    this.#note(route.name, url)
    this.limits.admit(route)
    if (request.body !== undefined) this.bodies.push(request.body)
    const body = this.#checked(route, request)
    const answer = await this.faults.run(route.name, signal, () => this.#do(route, url, body, request))
    return { ...answer, headers: { 'x-ms-request-id': this.#random.uuid(), ...answer.headers } }
  }

  #note(name: FakeRequest['name'], { pathname: path }: URL): void {
    this.requests.push({ name, path, at: this.clock.monotonic() })
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
        // The body was already checked against the schema.
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
        return this.network.virtualNetwork(url, own)
      case 'LoadBalancers_List':
        return this.network.balancerPage()
      case 'NetworkSecurityGroups_List':
        return this.network.securityGroupPage()
      case 'Resources':
        return graphPage(body as GraphQuery, this.store.asOf(this.clock.monotonic() - this.graphLag))
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
        // The body was already checked against the schema.
        const request = body as MachineRequest
        const { status, machine, takes } = this.machines.put(params['pool'] ?? '', own, request, headers)
        return this.#longRunning.accept(AKS, { status, body: machine }, takes, () => this.machines.failureOf(own))
      }
      case 'AgentPools_DeleteMachines': {
        const { machineNames } = body as { readonly machineNames: readonly string[] }
        const takes = this.machines.delete(params['pool'] ?? '', machineNames)
        return this.#longRunning.accept(AKS, { status: 202, body: undefined }, takes)
      }
      case 'DiskEncryptionSets_Get':
        return { status: 200, body: { id: url.pathname, name: own, location: LOCATION } }
    }
  }

  /** Accepts a change of a VM or its resources. */
  #accepted(
    status: number,
    body: unknown,
    takes: Milliseconds,
    failure?: Parameters<LongRunning['accept']>[3],
  ): ArmResponse {
    return this.#longRunning.accept(COMPUTE, { status, body }, takes, failure)
  }
}
