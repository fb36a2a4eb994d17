/** One request in the API server's audit log. */
interface Audited {
  readonly verb: string
  readonly user?: { readonly username?: string }
  readonly objectRef?: {
    readonly apiGroup?: string
    readonly resource?: string
    readonly subresource?: string
    readonly namespace?: string
    readonly name?: string
  }
  readonly requestObject?: {
    readonly source?: { readonly component?: string }
    readonly reportingComponent?: string
  }
  readonly responseStatus?: { readonly code?: number }
}

/** The writes of a user to the API server, and those that observe mode does not allow. */
export interface AuditVerdict {
  readonly reads: number
  /**
   * The number of writes by object, for example `patch leases.coordination.k8s.io kube-system/kerf-observe`. All Events count as one
   * object.
   */
  readonly writes: Readonly<Record<string, number>>
  /** Writes that observe mode must not make. */
  readonly violations: readonly string[]
  /** The number of writes by other users. It proves that the log contains writes. */
  readonly writesOfOthers: number
}

const READS = new Set(['get', 'list', 'watch'])
const SOURCE = 'kerf-observe'
/** The objects other than Events that observe mode may write, without the verb of the write. */
const ALLOWED = new Set(['leases.coordination.k8s.io kerf-observe', 'configmaps kerf-observed-decisions'])

const resourceOf = ({ objectRef }: Audited): string => {
  const { apiGroup = '', resource = '', subresource } = objectRef ?? {}
  return `${resource}${subresource === undefined ? '' : `/${subresource}`}${apiGroup === '' ? '' : `.${apiGroup}`}`
}

const isEvent = (request: Audited): boolean => ['events', 'events.events.k8s.io'].includes(resourceOf(request))

/**
 * Returns whether observe mode may make the request. `created` contains the Events that the user has created: a patch of one of them only
 * increases its count, so it is allowed.
 */
const isAllowed = (request: Audited, created: ReadonlySet<string>): boolean => {
  const { verb, objectRef, requestObject } = request
  if (verb === 'delete' || verb === 'deletecollection') return false
  if (!isEvent(request)) return ALLOWED.has(`${resourceOf(request)} ${objectRef?.name ?? ''}`)
  const source = requestObject?.source?.component ?? requestObject?.reportingComponent
  return verb === 'create' ? source === SOURCE : created.has(objectRef?.name ?? '')
}

const parse = (log: string): readonly Audited[] =>
  log.split('\n').flatMap((line) => (line.endsWith('}') ? [JSON.parse(line) as Audited] : []))

/**
 * Returns what `user` wrote according to an audit log (one JSON document per line), and which of these writes observe mode must not make.
 */
export const judgeAudit = (log: string, user: string): AuditVerdict => {
  const writes: Record<string, number> = {}
  const violations: string[] = []
  let reads = 0
  let writesOfOthers = 0
  const created = new Set<string>()
  for (const request of parse(log)) {
    const isRead = READS.has(request.verb)
    if (request.user?.username !== user) {
      if (!isRead) writesOfOthers++
      continue
    }
    if (isRead) {
      reads++
      continue
    }
    const resource = resourceOf(request)
    const { namespace, name } = request.objectRef ?? {}
    const which = resource.startsWith('events') ? '' : ` ${namespace === undefined ? '' : `${namespace}/`}${name ?? ''}`
    const what = `${request.verb} ${resource}${which}`
    writes[what] = (writes[what] ?? 0) + 1
    if (request.verb === 'create' && isEvent(request)) created.add(name ?? '')
    if (!isAllowed(request, created)) violations.push(`${what} (${request.responseStatus?.code ?? 'no answer'})`)
  }
  return { reads, writes, violations, writesOfOthers }
}
