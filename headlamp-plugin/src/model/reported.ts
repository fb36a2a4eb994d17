import type { Pod } from '@kerf/apis'
import {
  type Blocker,
  describeReasons,
  readBlocker,
  readReason,
  type ReportedBlocker,
  type ReportedReason,
  sentenceOf,
} from '@kerf/engine'
import { at, listAt, nameOf, numberAt, textAt } from './read.ts'

/**
 * Kerf reports pods and PodDisruptionBudgets by uid. Here the reports are joined with the objects that this user may list: the
 * reasons of those appear in full, of any other only that there is one.
 */

/** What one NodePool or node lacks for a pod. */
export interface Refusal {
  readonly code: string
  /** Empty where the reason is about no NodePool. */
  readonly nodePool: string
  readonly text: string
}

/** Why a pod is unschedulable, as Kerf last decided. */
export interface ReportedRefusal {
  readonly message: string
  /** The same, a reason each. */
  readonly refusals: readonly Refusal[]
  readonly at: number
}

/** A pod that reasons can be read with; anything else counts as not listed. */
const isPod = (object: unknown): object is Pod =>
  nameOf(object) !== '' && at(object, 'spec', 'containers') !== undefined

const podsByUid = (pods: readonly unknown[]): ReadonlyMap<string, Pod> =>
  new Map(pods.filter(isPod).map((pod) => [pod.metadata.uid ?? '', pod]))

const uidsOf = (decision: unknown): readonly string[] => {
  const one = textAt(decision, 'pod')
  return one === undefined ? listAt(decision, 'pods').map(String) : [one]
}

const POOL = 'nodepool/'

/** A controller of another version may report reasons that this page does not know. */
const readReasons = (reasons: readonly unknown[], pod: Pod): Omit<ReportedRefusal, 'at'> => {
  try {
    const read = reasons.map((reason) => readReason(reason as ReportedReason, pod))
    const known = read.filter((reason) => typeof sentenceOf(reason) === 'string')
    const refusals = known.map(({ code, subject, detail }) => ({
      code,
      nodePool: subject.startsWith(POOL) ? subject.slice(POOL.length) : '',
      text: sentenceOf({ code, subject: '', detail }),
    }))
    return { message: describeReasons(known), refusals }
  } catch {
    return { message: '', refusals: [] }
  }
}

/**
 * By uid, why pods of the list are unschedulable. Only the newest decision about a pod counts: one that was placed since is not
 * refused any more.
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

/** The objects of this user's lists that a blocker may name. */
export interface Readable {
  readonly pods: ReadonlyMap<string, Pod>
  readonly budgets: ReadonlyMap<string, string>
}

/** The maps are made when something is looked up: most of the time nothing is. */
export const readableOf = (pods: readonly unknown[], budgets: readonly unknown[]): Readable => {
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
          `${textAt(budget, 'metadata', 'namespace') ?? ''}/${nameOf(budget)}`,
        ]),
      )
      return budgetsFound
    },
  }
}

/** A reported blocker with the names that its reader may know; a damaged one is returned as it is. */
export const namedBlocker = (reported: unknown, readable: Readable): Blocker => {
  try {
    return readBlocker(reported as ReportedBlocker, readable)
  } catch {
    return reported as Blocker
  }
}
