import { InvariantError } from './invariant-error.ts'
import type { Condition, ObjectMeta } from './kubernetes/object.ts'
import { parseTime } from './predicates/timestamp.ts'
import type { Milliseconds } from './units.ts'

/**
 * The rules for conditions that the karpenter.sh kinds share (`docs/spec/lifecycle.md#condition-sets`), as functions from a list of
 * conditions to the next list. An unchanged list is the same object that `conditionsOf` returns, so callers can compare with `===`.
 */

/** The types that the root condition summarises. All other types are independent of it. */
export interface ConditionSet {
  readonly dependents: readonly string[]
  /** Other types in use, as documentation. */
  readonly independent?: readonly string[]
}

/** What the status of a condition says to users. */
export interface ConditionMeaning {
  /** The meaning of True. */
  readonly isTrue: string
  /** The meaning of False or Unknown, with the reasons that users see. */
  readonly otherwise: string
}

/** The meaning of each condition of a kind, by type. */
export type ConditionMeanings = Readonly<Record<string, ConditionMeaning>>

/** The root condition of every set. */
export const READY = 'Ready'

/**
 * Kerf's own condition: why disruption of the claim's node is blocked. Absent if nothing blocks it. Karpenter neither reads it nor
 * counts it for `Ready`.
 */
export const DISRUPTION_BLOCKED = 'kerf.sh/DisruptionBlocked'

export const conditionSets = {
  NodePool: {
    dependents: ['ValidationSucceeded', 'NodeClassReady'],
    independent: ['NodeRegistrationHealthy', 'Paused', 'Cordoned', 'ConsolidatingNow'],
  },
  NodeClaim: {
    dependents: ['Launched', 'Registered', 'Initialized'],
    independent: [
      'Consolidatable',
      'Drifted',
      'ConsistentStateFound',
      'Drained',
      'VolumesDetached',
      'InstanceTerminating',
      'DisruptionReason',
      DISRUPTION_BLOCKED,
    ],
  },
  NodeOverlay: { dependents: ['ValidationSucceeded'], independent: [] },
  // The old kind. Its independent conditions list fields that did not simply move.
  Provisioner: { dependents: ['Converted', 'NodePoolReady'], independent: ['FieldsChanged', 'FieldsGone'] },
} as const satisfies Record<string, ConditionSet>

/** The parts of an object that its conditions depend on. */
export interface Conditioned {
  readonly metadata: Pick<ObjectMeta, 'generation' | 'creationTimestamp' | 'deletionTimestamp'>
  readonly status?: { readonly conditions?: readonly Condition[] }
}

export interface ConditionChange {
  readonly type: string
  readonly status: Condition['status']
  /** Default: the type if the status is True, otherwise `AwaitingReconciliation`. */
  readonly reason?: string
  readonly message?: string
}

const NONE: readonly Condition[] = []

/** Returns the conditions of an object. For an object without a list it always returns the same empty list, so keeping it is no change. */
export const objectConditions = (object: Pick<Conditioned, 'status'>): readonly Condition[] =>
  object.status?.conditions ?? NONE

export const findCondition = (object: Pick<Conditioned, 'status'>, type: string): Condition | undefined => {
  const conditions = object.status?.conditions
  if (conditions === undefined) return undefined
  // Called a hundred times for each node in each round. A loop takes half the time of `find`.
  for (const condition of conditions) if (condition.type === type) return condition
  return undefined
}

export const isConditionTrue = (object: Pick<Conditioned, 'status'>, type: string): boolean =>
  findCondition(object, type)?.status === 'True'

export const isConditionFalse = (object: Pick<Conditioned, 'status'>, type: string): boolean =>
  findCondition(object, type)?.status === 'False'

/** Returns whether a condition is unknown. A missing condition is unknown. */
export const isConditionUnknown = (object: Pick<Conditioned, 'status'>, type: string): boolean =>
  (findCondition(object, type)?.status ?? 'Unknown') === 'Unknown'

/** Returns a time in RFC 3339 with whole seconds, as Kubernetes stores times. */
export const formatTime = (time: Milliseconds): string => new Date(time).toISOString().replace(/\.\d+Z$/, 'Z')

const isOwn = (set: ConditionSet, type: string): boolean => type === READY || set.dependents.includes(type)

const firstTransition = (set: ConditionSet, object: Conditioned, type: string, now: Milliseconds): string =>
  isOwn(set, type) ? (object.metadata.creationTimestamp ?? formatTime(now)) : formatTime(now)

const transitionOf = (condition: Condition): Milliseconds => parseTime(condition.lastTransitionTime) ?? 0

/** Returns the conditions in ascending order of transition time, with the root last. */
const inOrder = (conditions: readonly Condition[]): Condition[] =>
  conditions.toSorted((a, b) => {
    if (a.type === READY || b.type === READY) return Number(a.type === READY) - Number(b.type === READY)
    return transitionOf(a) - transitionOf(b)
  })

/** Returns the conditions with the root and all dependents. Missing ones are Unknown since the object's creation. */
export const openConditions = (set: ConditionSet, object: Conditioned, now: Milliseconds): readonly Condition[] => {
  const present = objectConditions(object)
  const missing = [...set.dependents, READY].filter((type) => !present.some((condition) => condition.type === type))
  if (missing.length === 0) return present
  const added = missing.map((type): Condition => {
    const change = { type, status: 'Unknown' } as const
    return conditionOf(change, object, firstTransition(set, object, type, now))
  })
  return inOrder([...present, ...added])
}

const conditionOf = (change: ConditionChange, object: Conditioned, lastTransitionTime: string): Condition => {
  const isWaiting = change.reason === undefined && change.status !== 'True'
  return {
    type: change.type,
    status: change.status,
    reason: change.reason ?? (isWaiting ? 'AwaitingReconciliation' : change.type),
    message: change.message ?? (isWaiting ? 'object is awaiting reconciliation' : ''),
    lastTransitionTime,
    ...(object.metadata.generation === undefined ? {} : { observedGeneration: object.metadata.generation }),
  }
}

const isSame = (a: Condition, b: Condition): boolean =>
  a.status === b.status &&
  (a.reason ?? '') === (b.reason ?? '') &&
  (a.message ?? '') === (b.message ?? '') &&
  a.observedGeneration === b.observedGeneration &&
  a.lastTransitionTime === b.lastTransitionTime

/** Returns the list with one condition set. The root is not updated. */
const put = (
  set: ConditionSet,
  object: Conditioned,
  present: readonly Condition[],
  change: ConditionChange,
  now: Milliseconds,
): readonly Condition[] => {
  const before = present.find((condition) => condition.type === change.type)
  const transition =
    before === undefined
      ? firstTransition(set, object, change.type, now)
      : before.status === change.status && before.lastTransitionTime !== undefined
        ? before.lastTransitionTime
        : formatTime(now)
  const next = conditionOf(change, object, transition)
  if (before !== undefined && isSame(before, next)) return present
  const others = present.filter((condition) => condition.type !== change.type)
  const { generation } = object.metadata
  const isDeleting = object.metadata.deletionTimestamp !== undefined && generation !== undefined
  return inOrder([
    ...(isDeleting ? others.map((condition) => ({ ...condition, observedGeneration: generation })) : others),
    next,
  ])
}

/** Returns the root condition that follows from the dependents. */
const rootOf = (set: ConditionSet, object: Conditioned, conditions: readonly Condition[]): ConditionChange => {
  const { generation } = object.metadata
  const isCurrent = (condition: Condition): boolean => condition.observedGeneration === generation
  const unhealthy = conditions
    .filter((condition) => set.dependents.includes(condition.type))
    .filter((condition) => condition.status !== 'True' || !isCurrent(condition))
    .toSorted((a, b) => transitionOf(b) - transitionOf(a))
  if (unhealthy.length === 0) return { type: READY, status: 'True' }
  const isFalse = unhealthy.some((condition) => condition.status === 'False' && isCurrent(condition))
  return {
    type: READY,
    status: isFalse ? 'False' : 'Unknown',
    reason: isFalse ? 'UnhealthyDependents' : 'ReconcilingDependents',
    message: unhealthy.map(({ type, status }) => `${type}=${status}`).join(', '),
  }
}

/**
 * Sets one condition with the object's generation. The transition time changes only with the status. The root
 * is recomputed, unless the root itself was set.
 */
export const setCondition = (
  set: ConditionSet,
  object: Conditioned,
  change: ConditionChange,
  now: Milliseconds,
): readonly Condition[] => {
  const opened = openConditions(set, object, now)
  const changed = put(set, object, opened, change, now)
  if (change.type === READY) return changed
  return put(set, object, changed, rootOf(set, object, changed), now)
}

/**
 * Removes an independent condition and sorts the others by type.
 * @throws InvariantError for the root and dependents, which are never absent.
 */
export const clearCondition = (set: ConditionSet, object: Conditioned, type: string): readonly Condition[] => {
  if (isOwn(set, type)) throw new InvariantError(`condition ${type} sums up or is summed up and cannot be removed`)
  const present = objectConditions(object)
  if (!present.some((condition) => condition.type === type)) return present
  return present
    .filter((condition) => condition.type !== type)
    .toSorted((a, b) => (a.type < b.type ? -1 : a.type > b.type ? 1 : 0))
}

/** Returns the object with these conditions in its status, or the same object if it already has this list. */
export const withConditions = <T extends Conditioned>(object: T, conditions: readonly Condition[]): T =>
  conditions === objectConditions(object) ? object : { ...object, status: { ...object.status, conditions } }
