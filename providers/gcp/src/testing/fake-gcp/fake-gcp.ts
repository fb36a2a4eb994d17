import { type HttpRequest, type HttpResponse, NoResponseError, type Send } from '@kerf/provider-kit'
import { Faults } from '@kerf/provider-kit/testing'
import type { Clock } from '@kerf/runtime'
import { type Route, routeOfRequest } from './discovery.ts'
import { FakeBilling } from './fake-billing.ts'
import { FakeGke } from './fake-gke.ts'
import { FakeIam } from './fake-iam.ts'
import { type Durations, FakeInstances } from './fake-instances.ts'
import { FakeOffer } from './fake-offer.ts'
import { FakeOperations } from './fake-operations.ts'
import { errorResponse, GoogleError, notFound } from './google-error.ts'
import type { InstanceBody } from './instance-body.ts'
import { CLUSTER, PROJECT, REGION, selfLink } from './names.ts'
import { takePage } from './pages.ts'
import { checkRequest, checkResponse } from './schema-validation.ts'

/** A recorded request. */
export interface FakeRequest {
  /** The id of the method, for example `compute.instances.insert`. */
  readonly id: string
  readonly path: string
  /** The time of the request on the monotonic clock. */
  readonly at: number
}

const DURATIONS: Durations = { insert: 20_000, stockOut: 8_000, delete: 15_000, listLag: 0 }
const SKUS = 'cloudbilling.services.skus.list'
const BODY_METHODS: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH'])

/** Projects with public images. */
const IMAGE_PROJECTS: ReadonlySet<string> = new Set(['gke-node-images', 'ubuntu-os-gke-cloud'])

const bodyIn = ({ body }: HttpRequest): unknown => {
  if (body === undefined || body === '') return undefined
  try {
    return JSON.parse(body)
  } catch {
    throw new GoogleError(400, 'parseError', 'Invalid JSON payload received.')
  }
}

/**
 * Compute Engine and GKE in memory, with the methods that the provider uses. The fake validates every request and every response against
 * Google's API descriptions.
 */
export class FakeGcp {
  readonly clock: Clock
  readonly offer = new FakeOffer()
  readonly gke = new FakeGke()
  readonly iam = new FakeIam()
  readonly billing = new FakeBilling()
  readonly operations: FakeOperations
  readonly instances: FakeInstances
  readonly requests: FakeRequest[] = []
  /** The instance templates of the region. */
  templates: readonly object[] = []
  /** Access tokens that the services accept. */
  readonly tokens = new Set(['token'])
  /** The default service account of the project. */
  defaultServiceAccount = '1234-compute@developer.gserviceaccount.com'
  /** Services that are disabled in the project: `compute` and `container`. */
  readonly disabled = new Set<string>()
  /** Methods that the caller has no permission to call. */
  readonly forbidden = new Set<string>()
  /** The maximum page size of a list. */
  pageSize = 500
  readonly faults: Faults

  constructor(clock: Clock, durations: Partial<Durations> = {}) {
    this.clock = clock
    this.operations = new FakeOperations(clock)
    this.instances = new FakeInstances(clock, this.offer, this.operations, { ...DURATIONS, ...durations })
    this.faults = new Faults(
      { admit: () => undefined, admitPages: () => undefined },
      ({ code, status, message = code }) =>
        code === 'network'
          ? new NoResponseError('compute.googleapis.com', {
              kind: 'lost',
              code: 'ECONNRESET',
              message: 'the connection broke',
              wasNeverSent: false,
            })
          : new GoogleError(status ?? 500, code, message),
    )
  }

  count(id: string): number {
    return this.requests.filter((request) => request.id === id).length
  }

  readonly send: Send = async (request, signal): Promise<HttpResponse> => {
    signal.throwIfAborted()
    try {
      const body = await this.#respond(request, signal)
      return { status: 200, headers: { 'content-type': 'application/json; charset=UTF-8' }, text: JSON.stringify(body) }
    } catch (error) {
      if (error instanceof GoogleError) return errorResponse(error)
      throw error
    }
  }

  async #respond(request: HttpRequest, signal: AbortSignal): Promise<object> {
    const { method, url } = request
    if (method === 'POST' && this.iam.answers(url.pathname)) {
      this.requests.push({ id: 'testIamPermissions', path: url.pathname, at: this.clock.monotonic() })
      this.#checkToken(request)
      return this.iam.test(url.pathname, bodyIn(request))
    }
    if (method === 'GET' && this.billing.answers(url.pathname)) {
      this.requests.push({ id: SKUS, path: url.pathname, at: this.clock.monotonic() })
      this.#checkToken(request)
      return await this.faults.run(SKUS, signal, () => this.billing.list(url.pathname, url.searchParams))
    }
    const route = routeOfRequest(method, url.pathname)
    if (route === undefined)
      throw new GoogleError(404, 'notFound', `The fake knows no method ${method} ${url.pathname}`)
    this.requests.push({ id: route.id, path: url.pathname, at: this.clock.monotonic() })
    this.#checkCaller(request, route)
    const query = new URLSearchParams(url.search)
    // The SDK adds these parameters to some requests. They have no effect here.
    for (const common of ['alt', 'prettyPrint']) query.delete(common)
    const body = BODY_METHODS.has(method) ? bodyIn(request) : undefined
    checkRequest(route, query, body)
    const response = await this.faults.run(route.id, signal, () => this.#run(route, query, body))
    checkResponse(route, response)
    return response
  }

  #checkToken({ headers = {} }: HttpRequest): void {
    const token = (headers['authorization'] ?? '').replace(/^Bearer /, '')
    if (!this.tokens.has(token))
      throw new GoogleError(401, 'authError', 'Request had invalid authentication credentials.')
  }

  #checkCaller(request: HttpRequest, { id, pathValues }: Route): void {
    this.#checkToken(request)
    const [service = ''] = id.split('.')
    if (this.disabled.has(service))
      throw new GoogleError(
        403,
        'accessNotConfigured',
        `${service === 'compute' ? 'Compute Engine' : 'Kubernetes Engine'} API has not been used in project ${PROJECT} before or it is disabled.`,
      )
    if (this.forbidden.has(id))
      throw new GoogleError(403, 'forbidden', `Required '${id}' permission for 'projects/${PROJECT}'`)
    const project = pathValues['project'] ?? pathValues['projectsId'] ?? ''
    const mayBeOther = id.startsWith('compute.images.') && IMAGE_PROJECTS.has(project)
    if (project !== PROJECT && !mayBeOther) throw notFound(`projects/${project}`)
    const zone = pathValues['zone']
    if (zone !== undefined && !this.offer.zones.includes(zone))
      throw new GoogleError(400, 'invalid', `Invalid value for field 'zone': '${zone}'. Unknown zone.`)
    const region = pathValues['region']
    if (region !== undefined && region !== REGION) throw notFound(`projects/${PROJECT}/regions/${region}`)
  }

  #list(kind: string, items: readonly object[], query: URLSearchParams): object {
    return { kind, id: 'list', ...takePage(items, query, this.pageSize) }
  }

  /** Returns a page of an aggregated list, whose items are grouped by zone. */
  #aggregated<T extends { readonly zone: string }>(
    kind: string,
    name: string,
    items: readonly T[],
    query: URLSearchParams,
  ): object {
    const { items: page, ...next } = takePage(items, query, this.pageSize)
    const groups = this.offer.zones.map((zone) => {
      const own = page.filter((item) => item.zone === zone || item.zone.endsWith(`/${zone}`))
      const none = { warning: { code: 'NO_RESULTS_ON_PAGE', message: 'There are no results for scope on this page.' } }
      return [`zones/${zone}`, own.length === 0 ? none : { [name]: own }] as const
    })
    return { kind, id: 'list', items: Object.fromEntries(groups), ...next }
  }

  #run({ id, pathValues }: Route, query: URLSearchParams, body: unknown): object {
    const { zone = '', instance = '', operation = '', image = '', project = '', disk = '' } = pathValues
    const { offer, instances, operations } = this
    const requestId = query.get('requestId')
    switch (id) {
      case 'compute.projects.get':
        return { kind: 'compute#project', id: '7', name: PROJECT, defaultServiceAccount: this.defaultServiceAccount }
      case 'compute.regions.get':
        return offer.region()
      case 'compute.zones.list':
        return this.#list('compute#zoneList', offer.listedZones(), query)
      case 'compute.machineTypes.aggregatedList':
        return this.#aggregated('compute#machineTypeAggregatedList', 'machineTypes', offer.listedTypes(), query)
      case 'compute.images.get': {
        const found = offer.images.find((each) => each.project === project && each.name === image)
        if (found === undefined) throw notFound(`projects/${project}/global/images/${image}`)
        return offer.listedImage(found)
      }
      case 'compute.images.list': {
        const own = offer.images.filter((each) => each.project === project)
        return this.#list(
          'compute#imageList',
          own.map((each) => offer.listedImage(each)),
          query,
        )
      }
      case 'compute.regionInstanceTemplates.list':
        return this.#list('compute#instanceTemplateList', this.templates, query)
      case 'compute.instances.insert':
        // The fake has already checked the schema.
        return instances.insert(zone, body as InstanceBody, requestId)
      case 'compute.instances.get':
        return instances.get(zone, instance)
      case 'compute.instances.list':
        return this.#list('compute#instanceList', instances.listed(zone), query)
      case 'compute.instances.aggregatedList': {
        const all = offer.zones.flatMap((each) =>
          instances.listed(each).map((item) => ({ ...item, zone: selfLink(`projects/${PROJECT}/zones/${each}`) })),
        )
        return this.#aggregated('compute#instanceAggregatedList', 'instances', all, query)
      }
      case 'compute.instances.delete':
        return instances.delete(zone, instance, requestId)
      case 'compute.instances.setLabels':
        return instances.setLabels(zone, instance, body as Parameters<FakeInstances['setLabels']>[2])
      case 'compute.zoneOperations.get':
        return operations.get(zone, operation)
      case 'compute.disks.get': {
        const sourceImage = instances.bootImage(zone, disk)
        if (sourceImage === undefined) throw notFound(`projects/${PROJECT}/zones/${zone}/disks/${disk}`)
        return { kind: 'compute#disk', id: '9', name: disk, status: 'READY', sourceImage: selfLink(sourceImage) }
      }
      default:
        return this.#runGke(id, pathValues, body)
    }
  }

  #runGke(id: string, values: Readonly<Record<string, string>>, body: unknown): object {
    const { locationsId = '', clustersId = CLUSTER, nodePoolsId = '' } = values
    this.gke.checkCluster(locationsId, clustersId)
    switch (id) {
      case 'container.projects.locations.clusters.get':
        return this.gke.cluster()
      case 'container.projects.locations.getServerConfig':
        return this.gke.serverConfig()
      case 'container.projects.locations.clusters.nodePools.list':
        return { nodePools: this.gke.nodePools }
      case 'container.projects.locations.clusters.nodePools.get':
        return this.gke.nodePool(nodePoolsId)
      case 'container.projects.locations.clusters.nodePools.create': {
        const { nodePool = {} } = body as { readonly nodePool?: { readonly name?: string } }
        return this.gke.createNodePool(nodePool)
      }
      default:
        throw new GoogleError(501, 'notImplemented', `The fake does not run ${id}`)
    }
  }
}
