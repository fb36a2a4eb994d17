import type { Pod } from '@kerf/apis'
import {
  type Blocker,
  describeReasons,
  isReasonCode,
  readBlocker,
  readReason,
  type Reason,
  type ReportedBlocker,
  type ReportedReason,
} from '@kerf/engine'
import { at, listAt, numberAt, objectName, textAt } from './read.ts'

/**
 * Kerf reports pods and PodDisruptionBudgets by uid. This file joins the reports with the objects that the user is
 * allowed to list. For these objects, the page shows the complete reasons. For all other objects, it shows only that
 * there is a reason.
 */

/** The reason why one NodePool or node cannot run a pod. */
export interface Refusal {
  readonly code: string
  /** Empty if the reason is not about a NodePool. */
  readonly nodePool: string
  readonly reason: Reason
}

/** Why a pod is unschedulable, according to Kerf's last decision. */
export interface ReportedRefusal {
  readonly message: string
  /** The reasons in `message`, one entry for each. */
  readonly refusals: readonly Refusal[]
  readonly at: number
}

/** Returns whether a pod has the fields that reasons need. Any other object is treated as if it were not listed. */
const isPod = (object: unknown): object is Pod =>
  objectName(object) !== '' && at(object, 'spec', 'containers') !== undefined

const podsByUid = (pods: readonly unknown[]): ReadonlyMap<string, Pod> =>
  new Map(pods.filter(isPod).map((pod) => [pod.metadata.uid ?? '', pod]))

const uidsOf = (decision: unknown): readonly string[] => {
  const one = textAt(decision, 'pod')
  return one === undefined ? listAt(decision, 'pods').map(String) : [one]
}

const POOL = 'nodepool/'

/** Returns an engine's reason as a refusal. */
export const toRefusal = (reason: Reason): Refusal => {
  const { code, subject } = reason
  return {
    code,
    nodePool: subject.startsWith(POOL) ? subject.slice(POOL.length) : '',
    reason: { ...reason, subject: '' },
  }
}

/** A controller of another version may report reasons that are unknown here. */
const readReasons = (reasons: readonly unknown[], pod: Pod): Omit<ReportedRefusal, 'at'> => {
  try {
    const read = reasons.map((reason) => readReason(reason as ReportedReason, pod))
    const known = read.filter(({ code }) => isReasonCode(code))
    return { message: describeReasons(known), refusals: known.map(toRefusal) }
  } catch {
    return { message: '', refusals: [] }
  }
}

/**
 * Returns why listed pods are unschedulable, keyed by uid. Only the newest decision about a pod counts, so a pod that a
 * later pass scheduled is not included.
 */
export const reportedRefusals = (answer: unknown, pods: readonly unknown[]): ReadonlyMap<string, ReportedRefusal> => {
  const listed = podsByUid(pods)
  const refusals = new Map<string, ReportedRefusal>()
  for (const decision of listAt(answer, 'decisions')) {
    const isRefusal = textAt(decision, 'kind') === 'refuse'
    for (const uid of uidsOf(decision)) {
      const pod = listed.get(uid)
      refusals.delete(uid)
      if (!isRefusal || pod === undefined) continue
      const read = readReasons(listAt(decision, 'reasons'), pod)
      if (read.message !== '') refusals.set(uid, { ...read, at: numberAt(decision, 'at') ?? 0 })
    }
  }
  return refusals
}

/** The listed objects whose names a blocker may show. */
export interface Readable {
  readonly pods: ReadonlyMap<string, Pod>
  readonly budgets: ReadonlyMap<string, string>
}

/** Returns lookups for the listed objects. The maps are built on first use, because most pages do not need them. */
export const checkReadable = (pods: readonly unknown[], budgets: readonly unknown[]): Readable => {
  let [podsFound, budgetsFound]: [Readable['pods'] | undefined, Readable['budgets'] | undefined] = [
    undefined,
    undefined,
  ]
  return {
    get pods() {
      podsFound ??= podsByUid(pods)
      return podsFound
    },
    get budgets() {
      budgetsFound ??= new Map(
        budgets.map((budget) => [
          textAt(budget, 'metadata', 'uid') ?? '',
          `${textAt(budget, 'metadata', 'namespace') ?? ''}/${objectName(budget)}`,
        ]),
      )
      return budgetsFound
    },
  }
}

/** Returns a reported blocker with the names of the objects that the user is allowed to list. Returns a malformed blocker unchanged. */
export const namedBlocker = (reported: unknown, readable: Readable): Blocker => {
  try {
    return readBlocker(reported as ReportedBlocker, readable)
  } catch {
    return reported as Blocker
  }
}
