import type { NewObject, ResourceKind } from '@kerf/apis'
import type { KubeClient, ObjectRef } from '../kube-client/kube-client.ts'
import {
  covers,
  type Permission,
  type PermissionCondition,
  type PermissionRequest,
  type PermissionVerb,
} from './permission.ts'

export interface GuardOptions {
  readonly permissions: readonly Permission[]
  /** The namespace in which the controller runs. */
  readonly namespace: string
  /** The permission conditions that are true for this process. Permissions with other conditions do not apply. */
  readonly options: readonly PermissionCondition[]
  /** Called before a request without a permission is refused. */
  readonly onRefusal: (refusal: UndeclaredCallError) => void
}

/** Thrown for a call that no declared permission allows. In a cluster, the roles would not allow it. */
export class UndeclaredCallError extends Error {
  override readonly name = 'UndeclaredCallError'
  readonly request: PermissionRequest | string

  constructor(request: PermissionRequest | string) {
    const what =
      typeof request === 'string'
        ? `GET ${request}`
        : `${request.verb} ${[request.resource, request.group].filter((part) => part !== '').join('.')}${
            request.name === undefined ? '' : ` ${request.name}`
          }${request.namespace === undefined ? '' : ` in ${request.namespace}`}`
    super(`no declared permission covers: ${what}; declare it in the permissions.ts of the package that asks`)
    this.request = request
  }
}

const READ_VERBS: ReadonlySet<PermissionVerb> = new Set(['get', 'list', 'watch'])

/** The paths that the role `system:discovery` allows for every account. */
const DISCOVERY = /^\/(?:apis?(?:\/[^?]*)?|version|healthz|livez|readyz|openapi(?:\/[^?]*)?)(?:\?.*)?$/

/** Throws for requests that no permission allows. */
class Guard {
  readonly #options: GuardOptions
  readonly #permissions: readonly Permission[]

  constructor(options: GuardOptions) {
    this.#options = options
    this.#permissions = options.permissions.filter(({ when }) => when === undefined || options.options.includes(when))
  }

  /** Returns whether the roles grant the permission. In observe mode, they grant only the writes that observe mode itself makes. */
  #isGranted({ observing }: Permission, verb: PermissionVerb): boolean {
    return observing === true || READ_VERBS.has(verb) || !this.#options.options.includes('Observe')
  }

  check(
    verb: PermissionVerb,
    kind: Pick<ResourceKind, 'group' | 'plural'>,
    of: { readonly namespace?: string | undefined; readonly name?: string; readonly subresource?: string | undefined },
  ): void {
    const request: PermissionRequest = {
      verb,
      group: kind.group,
      resource: of.subresource === undefined ? kind.plural : `${kind.plural}/${of.subresource}`,
      ...(of.namespace === undefined ? {} : { namespace: of.namespace }),
      ...(of.name === undefined ? {} : { name: of.name }),
    }
    const isAllowed = this.#permissions.some(
      (permission) => covers(permission, request, this.#options.namespace) && this.#isGranted(permission, verb),
    )
    if (!isAllowed) this.refuse(request)
  }

  refuse(request: PermissionRequest | string): never {
    const refusal = new UndeclaredCallError(request)
    this.#options.onRefusal(refusal)
    throw refusal
  }
}

/**
 * Returns a client that refuses requests without a declared permission, like an API server with the generated roles. It is for
 * tests: a missing declaration makes the test fail at the call, without an API server.
 */
export const guardedClient = (client: KubeClient, options: GuardOptions): KubeClient => {
  const guard = new Guard(options)
  const pods = { group: '', plural: 'pods' }
  const placeOf = ({ namespace, name }: ObjectRef) => ({ namespace, name })
  const namespaceOf = ({ metadata }: NewObject) => ({ namespace: metadata.namespace })
  return {
    get: async (kind, ref, call) => {
      guard.check('get', kind, placeOf(ref))
      return client.get(kind, ref, call)
    },
    list: async (kind, call) => {
      guard.check('list', kind, { namespace: call?.namespace })
      return client.list(kind, call)
    },
    watch: (kind, call) => {
      guard.check('watch', kind, { namespace: call.namespace })
      return client.watch(kind, call)
    },
    create: async (kind, object, call) => {
      guard.check('create', kind, { ...namespaceOf(object), subresource: call?.subresource })
      return client.create(kind, object, call)
    },
    update: async (kind, object, call) => {
      const { name = '' } = object.metadata
      guard.check('update', kind, { ...namespaceOf(object), name, subresource: call?.subresource })
      return client.update(kind, object, call)
    },
    patch: async (kind, ref, patch, call) => {
      guard.check('patch', kind, { ...placeOf(ref), subresource: call?.subresource })
      return client.patch(kind, ref, patch, call)
    },
    delete: async (kind, ref, call) => {
      guard.check('delete', kind, placeOf(ref))
      return client.delete(kind, ref, call)
    },
    evict: async (pod, call) => {
      guard.check('create', pods, { namespace: pod.namespace, subresource: 'eviction' })
      return client.evict(pod, call)
    },
    bind: async (pod, nodeName, call) => {
      guard.check('create', pods, { namespace: pod.namespace, subresource: 'binding' })
      return client.bind(pod, nodeName, call)
    },
    raw: async (path, call) => {
      if (!DISCOVERY.test(path)) guard.refuse(path)
      return client.raw(path, call)
    },
  }
}
