import { InvariantError } from './invariant-error.ts'
import type { Condition, ObjectMeta } from './kubernetes/object.ts'
import { formatTime, parseTime } from './predicates/timestamp.ts'
import type { Milliseconds } from './units.ts'

/**
 * This file contains the rules for conditions of the karpenter.sh kinds (`docs/spec/lifecycle.md#condition-sets`), as functions that take a
 * list of conditions and return the next list. If nothing changes, they return the same array as `objectConditions`, so callers can compare
 * with `===`.
 */

/** The condition types that determine the root condition. All other condition types are independent of it. */
export interface ConditionSet {
  readonly dependents: readonly string[]
  /** The condition types in use that do not affect the root condition. This field is for documentation only. */
  readonly independent?: readonly string[]
}

/** The meaning of a condition's status, for users. */
export interface ConditionMeaning {
  /** The meaning of True. */
  readonly isTrue: string
  /** The meaning of False and Unknown, with the reasons that users see. */
  readonly otherwise: string
}

/** The meaning of each condition of a kind, by type. */
export type ConditionMeanings = Readonly<Record<string, ConditionMeaning>>

/** The type of the root condition in every set. */
export const READY = 'Ready'

/**
 * The type of a condition that only Kerf sets. Its message lists what blocks the disruption of the claim's node. The condition is absent if
 * nothing blocks it. Karpenter ignores the condition, and `Ready` does not depend on it.
 */
export const DISRUPTION_BLOCKED = 'kerf.sh/DisruptionBlocked'

/**
 * The type of a condition that only Kerf sets. Its message names the limit that `PLAN_EXPECTED_PODS=on` has reached. The condition is
 * absent if there is no such limit or the setting is off.
 */
export const EXPECTED_PODS_LIMITED = 'ExpectedPodsLimited'

export const conditionSets = {
  NodePool: {
    dependents: ['ValidationSucceeded', 'NodeClassReady'],
    independent: ['NodeRegistrationHealthy', 'Paused', 'Cordoned', 'ConsolidatingNow', EXPECTED_PODS_LIMITED],
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
  // A legacy kind. Its independent conditions list the fields that v1 lacks or that changed their meaning.
  Provisioner: { dependents: ['Converted', 'NodePoolReady'], independent: ['FieldsChanged', 'FieldsGone'] },
} as const satisfies Record<string, ConditionSet>

/** The fields of an object that its conditions depend on. */
export interface Conditioned {
  readonly metadata: Pick<ObjectMeta, 'generation' | 'creationTimestamp' | 'deletionTimestamp'>
  readonly status?: { readonly conditions?: readonly Condition[] }
}

export interface ConditionChange {
  readonly type: string
  readonly status: Condition['status']
  /** The reason. It defaults to the condition type if the status is True, and to `AwaitingReconciliation` otherwise. */
  readonly reason?: string
  readonly message?: string
}

const NONE: readonly Condition[] = []

/**
 * Returns the conditions of an object. For all objects without conditions it returns the same empty array, so that `withConditions`
 * recognizes the array as unchanged.
 */
export const objectConditions = (object: Pick<Conditioned, 'status'>): readonly Condition[] =>
  object.status?.conditions ?? NONE

export const findCondition = (object: Pick<Conditioned, 'status'>, type: string): Condition | undefined => {
  const conditions = object.status?.conditions
  if (conditions === undefined) return undefined
  // This is called about a hundred times per node and pass. A loop takes half the time of `find`.
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

const isOwn = (set: ConditionSet, type: string): boolean => type === READY || set.dependents.includes(type)

const firstTransition = (set: ConditionSet, object: Conditioned, type: string, now: Milliseconds): string =>
  isOwn(set, type) ? (object.metadata.creationTimestamp ?? formatTime(now)) : formatTime(now)

const conditionTransition = (condition: Condition): Milliseconds => parseTime(condition.lastTransitionTime) ?? 0

/** Returns the conditions in ascending order of their transition times, with the root last. */
const inOrder = (conditions: readonly Condition[]): Condition[] =>
  conditions.toSorted((a, b) => {
    if (a.type === READY || b.type === READY) return Number(a.type === READY) - Number(b.type === READY)
    return conditionTransition(a) - conditionTransition(b)
  })

/** Returns the conditions, with the root and all dependents added if they are missing. The added conditions are Unknown. */
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

/** Returns the list with one condition set. Does not update the root. */
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

/** Returns the root condition that results from the dependents. */
const rootOf = (set: ConditionSet, object: Conditioned, conditions: readonly Condition[]): ConditionChange => {
  const { generation } = object.metadata
  const isCurrent = (condition: Condition): boolean => condition.observedGeneration === generation
  const unhealthy = conditions
    .filter((condition) => set.dependents.includes(condition.type))
    .filter((condition) => condition.status !== 'True' || !isCurrent(condition))
    .toSorted((a, b) => conditionTransition(b) - conditionTransition(a))
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
 * Sets one condition, with the object's generation. The transition time changes only if the status changes. Then recomputes the root
 * condition, unless the root itself was set.
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
 * Removes an independent condition, and sorts the others by type.
 * @throws InvariantError for the root and dependents, which must always be present.
 */
export const clearCondition = (set: ConditionSet, object: Conditioned, type: string): readonly Condition[] => {
  if (isOwn(set, type))
    throw new InvariantError(`condition ${type} is Ready or a condition that Ready depends on, and cannot be removed`)
  const present = objectConditions(object)
  if (!present.some((condition) => condition.type === type)) return present
  return present
    .filter((condition) => condition.type !== type)
    .toSorted((a, b) => (a.type < b.type ? -1 : a.type > b.type ? 1 : 0))
}

/** Returns the object with these conditions in its status, or the same object if it already has this array. */
export const withConditions = <T extends Conditioned>(object: T, conditions: readonly Condition[]): T =>
  conditions === objectConditions(object) ? object : { ...object, status: { ...object.status, conditions } }
