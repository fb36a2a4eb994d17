import type { KubeObject, ResourceKind } from '@kerf/apis'
import type { KubeClient, ObjectRef } from '../kube-client.ts'
import { covers, type Right, type RightOption, type RightRequest, type RightVerb } from './right.ts'

export interface GuardOptions {
  readonly rights: readonly Right[]
  /** The namespace that the controller runs in. */
  readonly namespace: string
  /** The options that are on; a right under another one counts for nothing. */
  readonly options: readonly RightOption[]
  /** Told of every call that no right covers, before it is refused. */
  readonly onRefusal: (refusal: UndeclaredCallError) => void
}

/** A call that no declared right covers: the roles would not allow it in a cluster. */
export class UndeclaredCallError extends Error {
  override readonly name = 'UndeclaredCallError'
  readonly request: RightRequest | string

  constructor(request: RightRequest | string) {
    const what =
      typeof request === 'string'
        ? `GET ${request}`
        : `${request.verb} ${[request.resource, request.group].filter((part) => part !== '').join('.')}${
            request.name === undefined ? '' : ` ${request.name}`
          }${request.namespace === undefined ? '' : ` in ${request.namespace}`}`
    super(`no declared right covers: ${what}; declare it in the rights.ts of the package that asks`)
    this.request = request
  }
}

/** What every account may ask, by the role `system:discovery`. */
const DISCOVERY = /^\/(?:apis?(?:\/[^?]*)?|version|healthz|livez|readyz|openapi(?:\/[^?]*)?)(?:\?.*)?$/

/**
 * A client that refuses what the declared rights do not cover, as the API server does under the roles that are made from
 * them. For tests: it makes a forgotten declaration a failure where the call is, without any API server.
 */
export const guardedClient = (client: KubeClient, options: GuardOptions): KubeClient => {
  const rights = options.rights.filter(({ when }) => when === undefined || options.options.includes(when))
  const refuse = (request: RightRequest | string): never => {
    const refusal = new UndeclaredCallError(request)
    options.onRefusal(refusal)
    throw refusal
  }
  const check = (
    verb: RightVerb,
    kind: Pick<ResourceKind, 'group' | 'plural'>,
    of: { readonly namespace?: string | undefined; readonly name?: string; readonly subresource?: string | undefined },
  ): void => {
    const request: RightRequest = {
      verb,
      group: kind.group,
      resource: of.subresource === undefined ? kind.plural : `${kind.plural}/${of.subresource}`,
      ...(of.namespace === undefined ? {} : { namespace: of.namespace }),
      ...(of.name === undefined ? {} : { name: of.name }),
    }
    if (!rights.some((right) => covers(right, request, options.namespace))) refuse(request)
  }
  const pods = { group: '', plural: 'pods' }
  const placeOf = ({ namespace, name }: ObjectRef) => ({ namespace, name })
  const namespaceOf = ({ metadata }: KubeObject) => ({ namespace: metadata.namespace })
  return {
    get: async (kind, ref, call) => {
      check('get', kind, placeOf(ref))
      return client.get(kind, ref, call)
    },
    list: async (kind, call) => {
      check('list', kind, { namespace: call?.namespace })
      return client.list(kind, call)
    },
    watch: (kind, call) => {
      check('watch', kind, { namespace: call.namespace })
      return client.watch(kind, call)
    },
    create: async (kind, object, call) => {
      check('create', kind, { ...namespaceOf(object), subresource: call?.subresource })
      return client.create(kind, object, call)
    },
    update: async (kind, object, call) => {
      const { name = '' } = object.metadata
      check('update', kind, { ...namespaceOf(object), name, subresource: call?.subresource })
      return client.update(kind, object, call)
    },
    patch: async (kind, ref, patch, call) => {
      check('patch', kind, { ...placeOf(ref), subresource: call?.subresource })
      return client.patch(kind, ref, patch, call)
    },
    delete: async (kind, ref, call) => {
      check('delete', kind, placeOf(ref))
      return client.delete(kind, ref, call)
    },
    evict: async (pod, call) => {
      check('create', pods, { namespace: pod.namespace, subresource: 'eviction' })
      return client.evict(pod, call)
    },
    bind: async (pod, nodeName, call) => {
      check('create', pods, { namespace: pod.namespace, subresource: 'binding' })
      return client.bind(pod, nodeName, call)
    },
    raw: async (path, call) => {
      if (!DISCOVERY.test(path)) refuse(path)
      return client.raw(path, call)
    },
  }
}
