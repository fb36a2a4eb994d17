import type { IncomingMessage, ServerResponse } from 'node:http'
import type { KubeObject } from '@kerf/apis'
import { ownValue } from '@kerf/apis'
import { ApiError, type HttpExchange, isSecret, type Patch, requestUrl } from '@kerf/runtime'
import type { SandboxApi } from '../api/sandbox-api.ts'
import { administrator, type DeleteRequest } from '../resources/request.ts'
import type { Resource } from '../resources/resource.ts'
import { parseResourcePath, type ResourcePath } from '../resources/resource-path.ts'
import { isObject, type JsonObject, objectAt } from '../store/json.ts'
import { statusErrors } from '../store/status-errors.ts'
import { buildTable, toPartialMetadata } from '../table/table.ts'
import { type Form, includeObject, negotiate, wantsAggregated } from './negotiation.ts'
import { podLog } from './pod-log.ts'
import { readBody } from './request-body.ts'
import { given, isTrue, readDeleteOptions, readPropagation, readWriteRequest, wholeNumber } from './request-options.ts'
import { reviewResponse } from './reviews.ts'
import { drained, listChunks, toJson } from './serialisation.ts'
import { statusDocument } from './status-document.ts'
import { isWatch, openWatch, readSelection, streamWatch } from './watch-stream.ts'

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly method: string
  /** The request target as the client sent it. If the client put the token into the path, it still contains the token. */
  readonly target: string
  readonly url: URL
  readonly form: Form
  readonly warnings: string[]
}

const patchTypes: Readonly<Record<string, Patch['type']>> = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
  'application/apply-patch+yaml': 'apply',
  'application/apply-patch+json': 'apply',
}

/** Handles HTTP requests by calling the API. */
export class HttpApi {
  readonly #api: SandboxApi
  readonly #token: string
  readonly #stopped: AbortSignal

  constructor(api: SandboxApi, token: string, stopped: AbortSignal) {
    this.#api = api
    this.#token = token
    this.#stopped = stopped
  }

  /** Handles a request and sends its response. Errors become a `Status`. */
  async handle({ request, response, target }: HttpExchange): Promise<void> {
    const exchange: Exchange = {
      request,
      response,
      method: request.method ?? 'GET',
      target,
      url: requestUrl(this.#withoutKey(target)),
      form: negotiate(request.headers.accept) ?? 'object',
      warnings: [],
    }
    try {
      await this.#answer(exchange)
    } catch (error) {
      if (response.headersSent) {
        response.end()
        return
      }
      const { code, body, retryAfter } = statusDocument(error)
      if (retryAfter !== undefined) response.setHeader('retry-after', String(retryAfter))
      // The body has not been read completely. If the connection stayed open, the rest of the body would be parsed as the next request.
      if (!request.complete) response.setHeader('connection', 'close')
      sendJson(exchange, code, body)
    }
  }

  async #answer(exchange: Exchange): Promise<void> {
    const { request, url, method } = exchange
    const { pathname } = url
    const isProbe = pathname === '/healthz' || pathname === '/livez' || pathname === '/readyz'
    if (!isProbe) this.#authenticate(request, exchange.target)
    const target = parseResourcePath(pathname)
    if (target === undefined) {
      if (method !== 'GET')
        throw new ApiError({
          code: 405,
          reason: 'MethodNotAllowed',
          message: 'the server does not allow this method on the requested resource',
        })
      this.#sendDocument(exchange, pathname)
      return
    }
    if (negotiate(request.headers.accept) === undefined) throw notAcceptable()
    const resource = this.#api.state.registry.find(target.group, target.version, target.plural)
    if (resource === undefined) throw statusErrors.noSuchResource()
    switch (method) {
      case 'GET':
        return this.#read(exchange, resource, target)
      case 'POST':
        return this.#create(exchange, resource, target, await readBody(request))
      case 'PUT':
        return this.#update(exchange, resource, target, await readBody(request))
      case 'PATCH':
        return this.#patch(exchange, resource, target, await readBody(request))
      case 'DELETE':
        return this.#delete(exchange, resource, target, await readBody(request))
      default:
        throw statusErrors.methodNotAllowed(resource, method.toLowerCase())
    }
  }

  /** Checks the token. Returns the request's URL without the token. Throws 401. */
  admit({ request, target }: Pick<HttpExchange, 'request' | 'target'>): URL {
    this.#authenticate(request, target)
    return requestUrl(this.#withoutKey(target))
  }

  /**
   * Checks the token in the header. kubectl and other clients that send no credentials over plain HTTP put the token into the first segment
   * of the path instead.
   */
  #authenticate(request: IncomingMessage, target: string): void {
    if (isSecret(request.headers.authorization ?? '', `Bearer ${this.#token}`)) return
    if (this.#withoutKey(target) !== target) return
    // Browsers cannot set headers on a WebSocket. Kubernetes accepts the token as a subprotocol instead.
    const bearer = `base64url.bearer.authorization.k8s.io.${Buffer.from(this.#token).toString('base64url')}`
    const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((one) => one.trim())
    if (offered.some((one) => isSecret(one, bearer))) return
    throw new ApiError({ code: 401, reason: 'Unauthorized', message: 'Unauthorized' })
  }

  #withoutKey(target: string): string {
    const end = target.indexOf('/', 1)
    return end > 0 && isSecret(target.slice(1, end), this.#token) ? target.slice(end) : target
  }

  #sendDocument(exchange: Exchange, pathname: string): void {
    const { accept } = exchange.request.headers
    const isDiscovery = /^\/apis?\/?$/.test(pathname)
    const aggregated = isDiscovery && wantsAggregated(accept)
    if (!aggregated && accept !== undefined && !/json|\*/.test(accept) && !/^\/(healthz|livez|readyz)/.test(pathname))
      throw notAcceptable()
    const document = this.#api.documents.find(pathname, aggregated)
    if (document === undefined) throw statusErrors.noSuchResource()
    if (typeof document === 'string') {
      exchange.response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end(document)
      return
    }
    const type = aggregated
      ? 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'
      : 'application/json'
    exchange.response.writeHead(200, { 'content-type': type, vary: 'Accept' }).end(JSON.stringify(document))
  }

  async #read(exchange: Exchange, resource: Resource, target: ResourcePath): Promise<void> {
    const { searchParams: query } = exchange.url
    if (target.name !== undefined && this.#readSubresource(exchange, resource, target)) return
    if (isWatch(query)) {
      const { form, response } = exchange
      await streamWatch(response, openWatch(this.#api, resource, target, query, form), this.#stopped)
    } else if (target.name !== undefined) {
      this.#sendObject(exchange, resource, 200, this.#api.get(resource, targetRef(target)))
    } else {
      await this.#sendList(exchange, resource, target)
    }
  }

  /**
   * Sends subresources that have their own format. Returns `false` for a subresource that is read like the object itself. Throws
   * 404 and 405.
   */
  #readSubresource(exchange: Exchange, resource: Resource, target: ResourcePath): boolean {
    const { subresource } = target
    if (subresource === undefined) return false
    if (subresource === 'log') {
      const { searchParams: query } = exchange.url
      const pod = this.#api.get(resource, targetRef(target))
      const tail = query.get('tailLines')
      exchange.response
        .writeHead(200, { 'content-type': 'text/plain' })
        .end(podLog(pod, query.get('container') ?? undefined, tail === null ? undefined : Number(tail)))
      return true
    }
    if (subresource === 'scale') {
      this.#sendObject(exchange, resource, 200, this.#api.scale(resource, targetRef(target)))
      return true
    }
    if (!resource.subresources.some((one) => one.name === subresource)) throw statusErrors.noSuchResource()
    if (['exec', 'attach', 'portforward', 'proxy'].includes(subresource)) throw notSimulated(subresource)
    return false
  }

  async #sendList(exchange: Exchange, resource: Resource, target: ResourcePath): Promise<void> {
    const { response } = exchange
    const { searchParams: query } = exchange.url
    const selection = readSelection(target, query)
    const limit = query.get('limit')
    const list = this.#api.list(resource, {
      ...selection,
      ...(limit === null ? {} : { limit: wholeNumber(limit) }),
      ...given(query, 'continue'),
      ...given(query, 'resourceVersionMatch'),
    })
    const { items, ...head } = list
    if (exchange.form === 'table') {
      const now = this.#api.state.clock.now()
      sendJson(
        exchange,
        200,
        buildTable(resource, items, head.metadata, includeObject(query.get('includeObject')), now),
      )
      return
    }
    if (exchange.form === 'partial') {
      sendJson(exchange, 200, {
        kind: 'PartialObjectMetadataList',
        apiVersion: 'meta.k8s.io/v1',
        metadata: head.metadata,
        items: items.map(toPartialMetadata),
      })
      return
    }
    response.writeHead(200, { 'content-type': 'application/json', ...warningHeaders(exchange) })
    for (const chunk of listChunks(head, items)) {
      if (!response.write(chunk)) await drained(response)
    }
    response.end()
  }

  #create(exchange: Exchange, resource: Resource, target: ResourcePath, body: JsonObject): void {
    const review = resource.verbs.includes('get') ? undefined : reviewResponse(target.plural, body, administrator)
    if (review !== undefined) {
      sendJson(exchange, 201, review)
      return
    }
    if (target.name !== undefined && target.subresource === undefined)
      throw statusErrors.methodNotAllowed(resource, 'create')
    const request = readWriteRequest(exchange.request, exchange.url.searchParams, exchange.warnings)
    if (target.subresource === 'eviction') {
      const ref = { name: target.name ?? '', namespace: target.namespace ?? '' }
      this.#api.evict(ref, { ...request, ...readDeleteOptions(objectAt(body, 'deleteOptions') ?? {}) })
      sendJson(exchange, 201, success())
      return
    }
    if (target.subresource !== undefined) {
      if (!['binding'].includes(target.subresource)) throw notSimulated(target.subresource)
      const binding = {
        ...body,
        metadata: { ...objectAt(body, 'metadata'), name: target.name },
      } as unknown as KubeObject
      this.#api.create(resource, binding, request, target.subresource, target.namespace)
      sendJson(exchange, 201, success())
      return
    }
    const created = this.#api.create(resource, objectOf(body), request, undefined, target.namespace)
    this.#sendObject(exchange, resource, 201, created)
  }

  #update(exchange: Exchange, resource: Resource, target: ResourcePath, body: JsonObject): void {
    if (target.name === undefined) throw statusErrors.methodNotAllowed(resource, 'update')
    const updated = this.#api.update(
      resource,
      objectOf(body),
      readWriteRequest(exchange.request, exchange.url.searchParams, exchange.warnings),
      target.subresource,
      targetRef(target),
    )
    this.#sendObject(exchange, resource, 200, updated)
  }

  #patch(exchange: Exchange, resource: Resource, target: ResourcePath, body: JsonObject): void {
    if (target.name === undefined) throw statusErrors.methodNotAllowed(resource, 'patch')
    const mediaType = (exchange.request.headers['content-type'] ?? '').split(';')[0]?.trim() ?? ''
    const type = ownValue(patchTypes, mediaType)
    if (type === undefined) {
      throw new ApiError({
        code: 415,
        reason: 'UnsupportedMediaType',
        message: `the body of the request was in an unknown format - accepted media types include: ${Object.keys(patchTypes).slice(0, 4).join(', ')}`,
      })
    }
    const force = isTrue(exchange.url.searchParams.get('force'))
    const patch = (type === 'apply' ? { type, body, force } : { type, body }) as Patch
    const { object, created } = this.#api.patchOrCreate(
      resource,
      targetRef(target),
      patch,
      readWriteRequest(exchange.request, exchange.url.searchParams, exchange.warnings),
      target.subresource,
    )
    this.#sendObject(exchange, resource, created ? 201 : 200, object)
  }

  #delete(exchange: Exchange, resource: Resource, target: ResourcePath, body: JsonObject): void {
    const { searchParams: query } = exchange.url
    const grace = query.get('gracePeriodSeconds')
    const request: DeleteRequest = {
      ...readWriteRequest(exchange.request, exchange.url.searchParams, exchange.warnings),
      ...(grace === null ? {} : { gracePeriodSeconds: Number(grace) }),
      ...readPropagation(query.get('propagationPolicy')),
      ...readDeleteOptions(body),
    }
    if (target.name === undefined) {
      const list = this.#api.list(resource, {
        ...(target.namespace === undefined ? {} : { namespace: target.namespace }),
        ...given(query, 'labelSelector'),
        ...given(query, 'fieldSelector'),
      })
      const { preconditions: _none, ...each } = request
      for (const object of list.items) {
        const { name = '', namespace } = object.metadata
        this.#api.delete(resource, namespace === undefined ? { name } : { name, namespace }, each)
      }
      sendJson(exchange, 200, list)
      return
    }
    const { object, gone } = this.#api.delete(resource, targetRef(target), request)
    if (!gone || (resource.group === '' && resource.plural === 'pods')) {
      this.#sendObject(exchange, resource, 200, object)
      return
    }
    const { name, uid } = object.metadata
    sendJson(
      exchange,
      200,
      success({ name, ...(resource.group === '' ? {} : { group: resource.group }), kind: resource.plural, uid }),
    )
  }

  #sendObject(exchange: Exchange, resource: Resource, code: number, object: KubeObject): void {
    if (exchange.form === 'table' && object.kind === resource.kind) {
      const include = includeObject(exchange.url.searchParams.get('includeObject'))
      const { resourceVersion } = object.metadata
      sendJson(
        exchange,
        code,
        buildTable(resource, [object], { resourceVersion }, include, this.#api.state.clock.now()),
      )
    } else if (exchange.form === 'partial') sendJson(exchange, code, toPartialMetadata(object))
    else sendText(exchange, code, toJson(object))
  }
}

/** Returns the body as an object without checking its fields. Missing fields are reported by later validation. Throws 400. */
const objectOf = (body: JsonObject): KubeObject => {
  const metadata = body['metadata'] ?? {}
  if (Array.isArray(body) || !isObject(metadata))
    throw statusErrors.badRequest('the object provided is unrecognized: metadata must be an object')
  return { ...body, metadata } as unknown as KubeObject
}

const targetRef = (target: ResourcePath): { readonly name: string; readonly namespace?: string } =>
  target.namespace === undefined
    ? { name: target.name ?? '' }
    : { name: target.name ?? '', namespace: target.namespace }

const success = (details?: object): object => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Success',
  ...(details === undefined ? {} : { details }),
})

const notAcceptable = (): ApiError =>
  new ApiError({
    code: 406,
    reason: 'NotAcceptable',
    message: 'only the following media types are accepted: application/json',
  })

const notSimulated = (subresource: string): ApiError =>
  new ApiError({
    code: 501,
    reason: 'NotImplemented',
    message: `the sandbox has no containers, so there is no ${subresource}`,
  })

const warningHeaders = ({ warnings }: Exchange): Record<string, string[]> =>
  warnings.length === 0 ? {} : { warning: warnings.map((text) => `299 - ${JSON.stringify(text)}`) }

/** Sends a `Status` for a request that failed before it was routed. */
export const sendStatus = (response: ServerResponse, code: number, message: string): void => {
  const { body } = statusDocument(
    new ApiError({ code, reason: code === 400 ? 'BadRequest' : 'InternalError', message }),
  )
  response.writeHead(code, { 'content-type': 'application/json' }).end(`${JSON.stringify(body)}\n`)
}

const sendJson = (exchange: Exchange, code: number, body: object): void =>
  sendText(exchange, code, `${JSON.stringify(body)}\n`)

const sendText = (exchange: Exchange, code: number, text: string): void => {
  exchange.response.writeHead(code, { 'content-type': 'application/json', ...warningHeaders(exchange) }).end(text)
}
