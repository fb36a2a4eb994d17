import type { ResourceKind } from '@kerf/apis'

/** The verbs of the Kubernetes API, as roles name them. */
export type PermissionVerb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete'

/** A setting without which a permission is not used; roles leave it out then. */
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
  /** `METRICS_AUTHORIZATION` */
  | 'MetricsAuthorization'
  /** `KWOK_SIMULATE_KUBELET`, with the KWOK provider */
  | 'SimulatedKubelet'

/** The namespace that the controller runs in, whatever it is called. */
export const OWN_NAMESPACE = '$own'

/**
 * Something that Kerf asks of the API server: what stands in the roles of the chart and in
 * docs/reference/permissions.md. Each package declares its own in `permissions.ts`; tests refuse a call that no permission
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
  readonly when?: PermissionOption
  /** What it is for, as half a sentence. */
  readonly purpose: string
  /** Why no request of this kind is ever seen though the permission is needed. */
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
