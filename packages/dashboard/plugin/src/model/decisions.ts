import { CONDITION_EVENT_PREFIX, coreEvents, ownValue } from '@kerf/apis'
import { messageOf } from './message.ts'
import { joinDecisions } from './node-decisions.ts'
import { NO_JOIN, type NodeJoin } from './node-join.ts'
import { numberAt, objectName, onceForEach, textAt, timeAt } from './read.ts'
import { eventTime } from './timeline.ts'

/** A decision that the autoscaler reported about an object. */
export interface DecisionRow {
  readonly id: string
  readonly about: 'pod' | 'node'
  readonly type: string
  readonly reason: string
  readonly kind: string
  readonly namespace: string
  readonly name: string
  /** The object as a key. It is the same for a Node and its NodeClaim. */
  readonly subject: string
  readonly from: string
  readonly message: string
  readonly first: number
  readonly time: number
  readonly count: number
  /** The NodeClaims and Nodes that the message mentions, except the object itself. */
  readonly mentions: readonly string[]
}

/** Selects decisions: all of them, or those that belong to one object. */
export type Scope =
  | { readonly kind: 'cluster' }
  | { readonly kind: 'pool' | 'claim' | 'node'; readonly names: ReadonlySet<string> }

/**
 * Reasons that kube-scheduler and other controllers also use. For events with these reasons, only the source shows
 * that the autoscaler published them.
 */
const SHARED_REASONS: ReadonlySet<string> = new Set(['FailedScheduling', 'Finalized', 'LeaderElection'])
/**
 * Kerf's reasons, and Karpenter's `NodeClassNotReady`. Events with these reasons count regardless of their source, because some
 * distributions of Karpenter rename the source.
 */
const REASONS: ReadonlySet<string> = new Set([
  ...Object.keys(coreEvents).filter((reason) => !SHARED_REASONS.has(reason)),
  'NodeClassNotReady',
])
/** Matches the source name of Karpenter's events. Kerf uses the same name. */
const SOURCE = /karpenter/i
const KINDS: Readonly<Record<string, 'pod' | 'node'>> = {
  Pod: 'pod',
  Node: 'node',
  NodeClaim: 'node',
  NodePool: 'node',
}

const messageMentions = (message: string): readonly string[] =>
  Array.from(message.matchAll(/\b(?:nodeclaim|node)[/ ]"?([a-z0-9][a-z0-9.-]*[a-z0-9])/gi), ([, name = '']) => name)

/** Cached for each event, because a page computes the rows of all events again whenever a new event arrives. */
const eventRow = onceForEach((event): DecisionRow | undefined => {
  const kind = textAt(event, 'involvedObject', 'kind') ?? ''
  const about = ownValue(KINDS, kind)
  const from = textAt(event, 'source', 'component') ?? textAt(event, 'reportingComponent') ?? ''
  const reason = textAt(event, 'reason') ?? ''
  if (about === undefined || !(SOURCE.test(from) || REASONS.has(reason))) return undefined
  const time = eventTime(event)
  if (time === undefined) return undefined
  const message = messageOf(event)
  // The conditions on the object's own page already show this.
  if (message.startsWith(CONDITION_EVENT_PREFIX)) return undefined
  const namespace = textAt(event, 'involvedObject', 'namespace') ?? ''
  const name = textAt(event, 'involvedObject', 'name') ?? ''
  return {
    id: textAt(event, 'metadata', 'uid') ?? `${kind}/${namespace}/${name}/${reason}/${objectName(event)}`,
    about,
    type: textAt(event, 'type') ?? '',
    reason,
    kind,
    namespace,
    name,
    subject: [kind, ...(namespace === '' ? [] : [namespace]), name].join('/'),
    from,
    message,
    first: timeAt(event, 'firstTimestamp') ?? timeAt(event, 'metadata', 'creationTimestamp') ?? time,
    time,
    count: numberAt(event, 'series', 'count') ?? numberAt(event, 'count') ?? 1,
    mentions: messageMentions(message),
  }
})

/**
 * Returns the names of the objects in the scope of a NodePool, a NodeClaim or a Node. A decision belongs to the scope
 * if its Event is about one of these objects. A pod is in the scope if it runs on one of the nodes or is nominated for
 * one.
 */
export const scopeNames = (
  claims: readonly unknown[],
  pods: readonly unknown[],
  ...more: readonly string[]
): ReadonlySet<string> => {
  const names = new Set<string>(more)
  for (const claim of claims) {
    names.add(objectName(claim))
    const node = textAt(claim, 'status', 'nodeName')
    if (node !== undefined) names.add(node)
  }
  for (const pod of pods) {
    const node = textAt(pod, 'spec', 'nodeName') ?? textAt(pod, 'status', 'nominatedNodeName')
    if (node !== undefined && names.has(node))
      names.add(`${textAt(pod, 'metadata', 'namespace') ?? ''}/${objectName(pod)}`)
  }
  return names
}

const isIn = (scope: Scope, row: DecisionRow): boolean => {
  if (scope.kind === 'cluster') return true
  const own = row.kind === 'Pod' ? `${row.namespace}/${row.name}` : row.name
  return scope.names.has(own) || row.mentions.some((name) => scope.names.has(name))
}

/** Merges equal events about one object into one row with a count. */
const withCounts = (events: readonly unknown[]): readonly DecisionRow[] => {
  const merged = new Map<string, DecisionRow>()
  for (const event of events) {
    const row = eventRow(event)
    if (row === undefined) continue
    const key = [row.subject, row.reason, row.message].join('\0')
    const known = merged.get(key)
    merged.set(
      key,
      known === undefined
        ? row
        : {
            ...(known.time >= row.time ? known : row),
            first: Math.min(known.first, row.first),
            count: known.count + row.count,
          },
    )
  }
  return [...merged.values()]
}

/**
 * Returns the decisions in the events, newest first. Equal events about one object become one row with a count. A Node and its NodeClaim
 * count as one object.
 */
export const decisionRows = (
  events: readonly unknown[],
  scope: Scope = { kind: 'cluster' },
  join: NodeJoin = NO_JOIN,
): readonly DecisionRow[] =>
  joinDecisions(withCounts(events), join)
    .filter((row) => isIn(scope, row))
    .sort((a, b) => b.time - a.time || (a.id < b.id ? -1 : 1))

/** Returns the decisions that were reported within `window` milliseconds before a time. Used by the time slider. */
export const decisionsAt = (rows: readonly DecisionRow[], at: number, window: number): readonly DecisionRow[] =>
  rows.filter(({ first, time }) => first <= at && time >= at - window)

/** Returns how often each reason occurs, with the most frequent first. */
export const reasonCounts = (
  rows: readonly DecisionRow[],
): readonly { readonly reason: string; readonly count: number }[] => {
  const counts = new Map<string, number>()
  for (const { reason, count } of rows) counts.set(reason, (counts.get(reason) ?? 0) + count)
  return Array.from(counts, ([reason, count]) => ({ reason, count })).sort((a, b) => b.count - a.count)
}

/** Returns the newest decision about each pod. Only events in the pod's own namespace count. */
export const newestByPod = (rows: readonly DecisionRow[]): ReadonlyMap<string, DecisionRow> => {
  const newest = new Map<string, DecisionRow>()
  for (const row of rows) {
    const key = `${row.namespace}/${row.name}`
    if (row.about === 'pod' && !newest.has(key)) newest.set(key, row)
  }
  return newest
}
