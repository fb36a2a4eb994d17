import type { ResourceKind } from '@kerf/apis'

/** The verbs of the Kubernetes API, as in roles. `approve` applies to signers of certificates, which are not API objects. */
export type PermissionVerb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'approve'

/** A setting of Kerf that a permission depends on. Roles omit the permission while the setting is off. */
export type PermissionOption =
  | 'CapacityBuffer'
  | 'NodeOverlay'
  /** `LEGACY_APIS` is on. */
  | 'LegacyApis'
  /** `IGNORE_DRA_REQUESTS` is false. */
  | 'Devices'
  /** `PLAN_EXPECTED_PODS` is on. */
  | 'ExpectedPods'
  /** `SCHEDULER_CONFIG` has default constraints. */
  | 'DefaultSpread'
  /** `DISABLE_LEADER_ELECTION` is not set. */
  | 'LeaderElection'
  /** `OBSERVE` is on. This permission then replaces every permission to write that does not set `observing`. */
  | 'Observe'
  /** `FOREIGN_NODES` is `ignore`. */
  | 'ForeignNodes'
  /** `METRICS_AUTHORIZATION` is on. */
  | 'MetricsAuthorization'

/** A boolean setting of a provider on which one of the provider's permissions depends. */
export interface SettingSwitch {
  /** The environment variable of the setting. */
  readonly env: string
  readonly default: boolean
}

/** The condition under which Kerf needs a permission. */
export type PermissionCondition = PermissionOption | SettingSwitch

/** A placeholder for the namespace in which the controller runs. */
export const OWN_NAMESPACE = '$own'

/**
 * A permission that Kerf needs at the API server. The roles of the chart and docs/reference/permissions.md are generated from these
 * declarations. Each package declares its own in `permissions.ts`. Tests fail for calls without a permission (`guardedClient`), and
 * for permissions without a call.
 */
export interface Permission {
  readonly kind: ResourceKind
  readonly subresource?: string
  readonly verbs: readonly PermissionVerb[]
  /** Limits the permission to one namespace (or `OWN_NAMESPACE`). Only for namespaced kinds. */
  readonly namespace?: string
  /**
   * Limits the permission to objects of these names. This is not possible for `create`, because the API server does not know the
   * name yet.
   */
  readonly names?: readonly string[]
  readonly when?: PermissionCondition
  /** Whether observe mode also needs this permission to write. */
  readonly observing?: true
  /** The purpose of the permission, as a phrase. */
  readonly purpose: string
  /** The reason why Kerf needs the permission although no test sends a matching request. */
  readonly unseen?: string
}

type PermissionTraits = Omit<Permission, 'kind' | 'verbs' | 'purpose'>

/** Returns a permission to use these verbs on objects of this kind. */
export const may = (
  verbs: readonly PermissionVerb[],
  kind: ResourceKind,
  purpose: string,
  traits: PermissionTraits = {},
): Permission => ({ kind, verbs, purpose, ...traits })

/** Returns the permission that an informer of the resource kind needs. */
export const mirrors = (kind: ResourceKind, purpose: string, traits: PermissionTraits = {}): Permission =>
  may(['list', 'watch'], kind, purpose, traits)

/** A request to the API server, with the attributes that the server's authorizer uses. */
export interface PermissionRequest {
  readonly verb: PermissionVerb
  readonly group: string
  /** The plural name of the kind, with the subresource if there is one: `pods/status`. */
  readonly resource: string
  /** Absent for cluster-scoped kinds, and for requests in all namespaces. */
  readonly namespace?: string
  /** Absent for lists, watches and creations. */
  readonly name?: string
}

/** Returns the resource in the notation of roles, for example `pods/status`. */
export const permissionResource = ({ kind, subresource }: Pick<Permission, 'kind' | 'subresource'>): string =>
  subresource === undefined ? kind.plural : `${kind.plural}/${subresource}`

/**
 * Returns whether the permission allows the request of a controller that runs in the namespace `own`. Does not check conditions.
 */
export const covers = (permission: Permission, request: PermissionRequest, own: string): boolean => {
  const namespace = permission.namespace === OWN_NAMESPACE ? own : permission.namespace
  return (
    permission.kind.group === request.group &&
    permissionResource(permission) === request.resource &&
    permission.verbs.includes(request.verb) &&
    (namespace === undefined || namespace === request.namespace) &&
    (permission.names === undefined || (request.name !== undefined && permission.names.includes(request.name)))
  )
}
