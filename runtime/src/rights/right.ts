import type { ResourceKind } from '@kerf/apis'

/** The verbs of the Kubernetes API, as roles name them. */
export type RightVerb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete'

/** A setting without which a right is not used; roles leave it out then. */
export type RightOption =
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
 * Something that Kerf asks of the API server: what stands in the roles of the chart and in docs/reference/rights.md. Each
 * package declares its own in `rights.ts`; tests refuse a call that no right covers (`guardedClient`) and a right that
 * no call uses.
 */
export interface Right {
  readonly kind: ResourceKind
  readonly subresource?: string
  readonly verbs: readonly RightVerb[]
  /** One namespace (or `OWN_NAMESPACE`) instead of all; only for namespaced kinds. */
  readonly namespace?: string
  /** Only objects of these names. `create` cannot be limited so: the API server does not know the name yet. */
  readonly names?: readonly string[]
  readonly when?: RightOption
  /** What it is for, as half a sentence. */
  readonly purpose: string
  /** Why no request of this kind is ever seen though the right is needed. */
  readonly unseen?: string
}

type RightTraits = Omit<Right, 'kind' | 'verbs' | 'purpose'>

/** May do the verbs with the kind. */
export const may = (
  verbs: readonly RightVerb[],
  kind: ResourceKind,
  purpose: string,
  traits: RightTraits = {},
): Right => ({ kind, verbs, purpose, ...traits })

/** What an informer of the kind needs. */
export const mirrors = (kind: ResourceKind, purpose: string, traits: RightTraits = {}): Right =>
  may(['list', 'watch'], kind, purpose, traits)

/** One request to the API server as its authorizer sees it. */
export interface RightRequest {
  readonly verb: RightVerb
  readonly group: string
  /** Plural, with the subresource: `pods/status`. */
  readonly resource: string
  /** Absent for cluster-scoped kinds and for requests over all namespaces. */
  readonly namespace?: string
  /** Absent for lists, watches and creations. */
  readonly name?: string
}

/** `pods/status`, as roles write it. */
export const resourceOf = ({ kind, subresource }: Pick<Right, 'kind' | 'subresource'>): string =>
  subresource === undefined ? kind.plural : `${kind.plural}/${subresource}`

/** Whether the right covers the request of a controller that runs in `own`. Options are not looked at. */
export const covers = (right: Right, request: RightRequest, own: string): boolean => {
  const namespace = right.namespace === OWN_NAMESPACE ? own : right.namespace
  return (
    right.kind.group === request.group &&
    resourceOf(right) === request.resource &&
    right.verbs.includes(request.verb) &&
    (namespace === undefined || namespace === request.namespace) &&
    (right.names === undefined || (request.name !== undefined && right.names.includes(request.name)))
  )
}
