import type { ResourceKind } from '@kerf/apis'

/** The verbs of the Kubernetes API, as roles name them. */
export type PermissionVerb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete'

/** A setting of Kerf without which a permission is not used. Roles leave the permission out while it is off. */
export type PermissionOption =
  | 'CapacityBuffer'
  | 'NodeOverlay'
  /** `LEGACY_APIS` */
  | 'LegacyApis'
  /** `IGNORE_DRA_REQUESTS=false` */
  | 'Devices'
  /** `SCHEDULER_CONFIG` with default constraints */
  | 'DefaultSpread'
  /** unless `DISABLE_LEADER_ELECTION` */
  | 'LeaderElection'
  /** `OBSERVE`: instead of every permission to write that does not say `observing` */
  | 'Observe'
  /** `FOREIGN_NODES=ignore` */
  | 'ForeignNodes'
  /** `METRICS_AUTHORIZATION` */
  | 'MetricsAuthorization'

/** A boolean setting of a provider without which a permission of the provider is not used. */
export interface SettingSwitch {
  /** Its environment variable. */
  readonly env: string
  readonly default: boolean
}

/** What must be on for a permission to be used. */
export type PermissionCondition = PermissionOption | SettingSwitch

/** The namespace that the controller runs in, whatever it is called. */
export const OWN_NAMESPACE = '$own'

/**
 * Something that Kerf asks of the API server. The roles of the chart and docs/reference/permissions.md are made from it. Each package declares its own in `permissions.ts`; tests refuse a call that no permission
 * covers (`guardedClient`) and a permission that no call uses.
 */
export interface Permission {
  readonly kind: ResourceKind
  readonly subresource?: string
  readonly verbs: readonly PermissionVerb[]
  /** One namespace (or `OWN_NAMESPACE`) instead of all; only for namespaced kinds. */
  readonly namespace?: string
  /** Only objects of these names. `create` cannot be limited so: the API server does not know the name yet. */
  readonly names?: readonly string[]
  readonly when?: PermissionCondition
  /** A permission to write that observe mode needs too. */
  readonly observing?: true
  /** What the permission is for: half a sentence. */
  readonly purpose: string
  /** Why the permission is needed although tests never see such a request. */
  readonly unseen?: string
}

type PermissionTraits = Omit<Permission, 'kind' | 'verbs' | 'purpose'>

/** May do the verbs with the kind. */
export const may = (
  verbs: readonly PermissionVerb[],
  kind: ResourceKind,
  purpose: string,
  traits: PermissionTraits = {},
): Permission => ({ kind, verbs, purpose, ...traits })

/** What an informer of the kind needs. */
export const mirrors = (kind: ResourceKind, purpose: string, traits: PermissionTraits = {}): Permission =>
  may(['list', 'watch'], kind, purpose, traits)

/** One request to the API server as its authorizer sees it. */
export interface PermissionRequest {
  readonly verb: PermissionVerb
  readonly group: string
  /** Plural, with the subresource: `pods/status`. */
  readonly resource: string
  /** Absent for cluster-scoped kinds and for requests over all namespaces. */
  readonly namespace?: string
  /** Absent for lists, watches and creations. */
  readonly name?: string
}

/** `pods/status`, as roles write it. */
export const resourceOf = ({ kind, subresource }: Pick<Permission, 'kind' | 'subresource'>): string =>
  subresource === undefined ? kind.plural : `${kind.plural}/${subresource}`

/** Whether the permission covers the request of a controller that runs in `own`. Options are not looked at. */
export const covers = (permission: Permission, request: PermissionRequest, own: string): boolean => {
  const namespace = permission.namespace === OWN_NAMESPACE ? own : permission.namespace
  return (
    permission.kind.group === request.group &&
    resourceOf(permission) === request.resource &&
    permission.verbs.includes(request.verb) &&
    (namespace === undefined || namespace === request.namespace) &&
    (permission.names === undefined || (request.name !== undefined && permission.names.includes(request.name)))
  )
}
