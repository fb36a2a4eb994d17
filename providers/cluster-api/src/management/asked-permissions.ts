import type { Milliseconds } from '@kerf/apis'
import { ApiError, type Clock, type KubeClient, type Logger, sleep } from '@kerf/runtime'
import { CLUSTER_API_GROUP } from '../names.ts'
import { managementPermissions, selfAccessReviews } from '../permissions.ts'
import type { GrantedPermissions, ManagementResource, ManagementVerb } from './granted-permissions.ts'

/** A permission that the management cluster does not grant, and its purpose. */
export interface MissingPermission {
  readonly verb: ManagementVerb
  readonly resource: ManagementResource
  readonly purpose: string
}

interface Needed extends MissingPermission {
  /** A verb that is sufficient instead of the missing one. */
  readonly instead?: ManagementVerb
}

const resources: readonly ManagementResource[] = ['machines', 'machinesets', 'machinedeployments', 'clusters']
const verbs: readonly ManagementVerb[] = ['get', 'list', 'watch', 'patch', 'update', 'delete']

/**
 * The declared permissions, one verb each. Upstream's role grants `update` instead of `patch`, so `update` is sufficient if `patch` is
 * missing.
 */
const needed: readonly Needed[] = managementPermissions.flatMap(({ kind, verbs: declared, purpose }) => {
  const resource = resources.find((each) => each === kind.plural && kind.group === CLUSTER_API_GROUP)
  if (resource === undefined) return []
  return verbs
    .filter((verb) => declared.some((each) => each === verb))
    .map((verb) => ({ verb, resource, purpose, ...(verb === 'patch' && { instead: 'update' as const }) }))
})

/** How long to wait before the next check while a permission is missing, because a user may be adding it. */
const ASK_AGAIN: Milliseconds = 60_000

/**
 * Requests Kerf's permissions from the API server. Repeats the request while a permission is missing, and after a call was refused. If all
 * permissions are granted, makes no further calls.
 */
export class AskedPermissions implements GrantedPermissions {
  readonly #known = new Map<string, boolean>()
  readonly #client: KubeClient
  readonly #clock: Clock
  readonly #log: Logger
  readonly #onChange: () => void
  #refused = Promise.withResolvers<void>()

  constructor(client: KubeClient, clock: Clock, log: Logger, onChange: () => void) {
    this.#client = client
    this.#clock = clock
    this.#log = log
    this.#onChange = onChange
  }

  may(verb: ManagementVerb, resource: ManagementResource): boolean | undefined {
    return this.#known.get(`${verb} ${resource}`)
  }

  /** Returns true if the API server would refuse a patch but not an update. */
  mustUpdate(resource: string): boolean {
    const known = resources.find((each) => each === resource)
    return known !== undefined && this.may('patch', known) === false && this.may('update', known) === true
  }

  /** Returns the permissions that are known to be missing. */
  missing(): readonly MissingPermission[] {
    return needed.filter(
      ({ verb, resource, instead }) =>
        this.may(verb, resource) === false && (instead === undefined || this.may(instead, resource) === false),
    )
  }

  /** Records that the API server refused a call. */
  refuse(verb: string, resource: string): void {
    const known = needed.flatMap(asQuestions).find((each) => each.verb === verb && each.resource === resource)
    if (known === undefined || this.may(known.verb, known.resource) === false) return
    this.#known.set(`${verb} ${resource}`, false)
    this.#onChange()
    this.#refused.resolve()
  }

  /** Runs until aborted. If `namespace` is given, checks only the permissions in this namespace. Otherwise checks all namespaces. */
  async run(namespace: string | undefined, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const again = this.#clock.now() + ASK_AGAIN
      const asked = await this.#ask(namespace, signal)
      if (asked && this.missing().length === 0) {
        await Promise.race([this.#refused.promise, aborted(signal)])
        this.#refused = Promise.withResolvers()
      }
      // After a quiet period, the first refusal triggers an immediate check. Further refusals wait.
      const wait = again - this.#clock.now()
      if (!signal.aborted && wait > 0) await sleep(this.#clock, wait, signal).catch(() => {})
    }
  }

  /** Returns true if all permissions are known, or if the API server does not support such reviews. */
  async #ask(namespace: string | undefined, signal: AbortSignal): Promise<boolean> {
    let changed = false
    try {
      for (const { verb, resource } of needed.flatMap(asQuestions)) {
        const allowed = await this.#isAllowed(verb, resource, namespace, signal)
        changed ||= this.may(verb, resource) !== allowed
        this.#known.set(`${verb} ${resource}`, allowed)
      }
    } catch (error) {
      if (!signal.aborted) this.#log.debug('the management cluster does not report the permissions of Kerf', { error })
      return error instanceof ApiError && error.code >= 400 && error.code < 500 && error.code !== 401
    } finally {
      if (changed) this.#onChange()
    }
    return true
  }

  async #isAllowed(
    verb: ManagementVerb,
    resource: ManagementResource,
    namespace: string | undefined,
    signal: AbortSignal,
  ): Promise<boolean> {
    const resourceAttributes = {
      group: CLUSTER_API_GROUP,
      resource,
      verb,
      ...(namespace !== undefined && { namespace }),
    }
    const review = {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      metadata: {},
      spec: { resourceAttributes },
    }
    return (await this.#client.create(selfAccessReviews, review, { signal })).status?.allowed === true
  }
}

const asQuestions = ({ verb, resource, purpose, instead }: Needed): readonly MissingPermission[] =>
  instead === undefined
    ? [{ verb, resource, purpose }]
    : [
        { verb, resource, purpose },
        { verb: instead, resource, purpose },
      ]

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
