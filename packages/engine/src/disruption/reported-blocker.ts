import type { Pod } from '@kerf/apis'
import { describeReasons } from '../reasons/describe-reasons.ts'
import { type ReportedReason, readReason, reportReason } from '../reasons/reported-reason.ts'
import { type Blocker, namesInBlocker } from './blocker.ts'

type Unplaced = Extract<Blocker, { readonly code: 'pods.unschedulable' }>

/** A blocker for readers without access to every namespace. It refers to pods and PodDisruptionBudgets by uid. */
export type ReportedBlocker =
  | Exclude<Blocker, Unplaced>
  | {
      readonly code: 'pods.unschedulable'
      readonly pods: readonly {
        readonly pod: string
        readonly reasons: readonly ReportedReason[]
        /** The node, if the pod fits only on a node that may never exist. */
        readonly waitsFor?: string
      }[]
    }

/** Replaces the uid of an object that does not exist any more, so that the report does not contain its name. */
export const UNKNOWN_UID = 'unknown'

/** Finds objects by `namespace/name` in the state of the controller. */
export interface KnownObjects {
  readonly pod: (name: string) => Pod | undefined
  /** The uid of a PodDisruptionBudget. */
  readonly budget: (name: string) => string | undefined
}

/** Returns the value with each name replaced, for a name or a list of names. */
const renamed = (value: unknown, rename: (name: string) => string): unknown => {
  if (typeof value === 'string') return rename(value)
  return Array.isArray(value) ? value.map((each) => rename(String(each))) : value
}

/** Returns the blocker with the names of its pods and budgets replaced. */
const withNames = <B extends Exclude<ReportedBlocker, { readonly code: 'pods.unschedulable' }>>(
  blocker: B,
  podName: (name: string) => string,
  budgetName: (name: string) => string,
): B => {
  const names = namesInBlocker(blocker)
  if (typeof names === 'string') return blocker
  const isPod = new Set(names.pods)
  const isBudget = new Set(names.budgets)
  const entries = Object.entries(blocker).map(([field, value]) => {
    if (isPod.has(field)) return [field, renamed(value, podName)]
    return [field, isBudget.has(field) ? renamed(value, budgetName) : value]
  })
  return Object.fromEntries(entries) as B
}

/** Returns the blocker without names of pods and budgets. The catalogue defines for each code which parameters contain names. */
export const reportBlocker = (blocker: Blocker, known: KnownObjects): ReportedBlocker => {
  const podUid = (name: string): string => known.pod(name)?.metadata.uid ?? UNKNOWN_UID
  const budgetUid = (name: string): string => known.budget(name) ?? UNKNOWN_UID
  if (blocker.code !== 'pods.unschedulable') return withNames(blocker, podUid, budgetUid)
  return {
    code: blocker.code,
    pods: blocker.pods.map(({ pod, reasons = [], waitsFor }) => ({
      pod: podUid(pod),
      reasons: reasons.map((reason) => reportReason(reason, known.pod(pod))),
      ...(waitsFor === undefined ? {} : { waitsFor }),
    })),
  }
}

/** The objects that a reader may read, by uid. */
export interface ReadableObjects {
  readonly pods: ReadonlyMap<string, Pod>
  /** `namespace/name` of PodDisruptionBudgets. */
  readonly budgets: ReadonlyMap<string, string>
}

const podKey = ({ metadata }: Pod): string => `${metadata.namespace ?? 'default'}/${metadata.name}`

/** Returns the blocker with the names of those objects that the reader may read. Other objects are shown by uid. */
export const readBlocker = (reported: ReportedBlocker, { pods, budgets }: ReadableObjects): Blocker => {
  const podName = (uid: string): string => {
    const pod = pods.get(uid)
    return pod === undefined ? `of uid ${uid}` : podKey(pod)
  }
  const budgetName = (uid: string): string => budgets.get(uid) ?? `of uid ${uid}`
  if (reported.code !== 'pods.unschedulable') return withNames(reported, podName, budgetName)
  return { code: reported.code, pods: reported.pods.map((each) => readUnplaced(each, pods.get(each.pod), podName)) }
}

type ReportedUnplaced = Extract<ReportedBlocker, { readonly code: 'pods.unschedulable' }>['pods'][number]

const readUnplaced = (
  { pod, reasons, waitsFor }: ReportedUnplaced,
  own: Pod | undefined,
  nameOfUid: (uid: string) => string,
): Unplaced['pods'][number] => {
  const read = reasons.map((reason) => readReason(reason, own))
  // Without the pod, the reasons lack its details. A short text replaces them.
  const why = waitsFor ?? (own === undefined ? 'no place' : describeReasons(read))
  return { pod: nameOfUid(pod), why, reasons: read, ...(waitsFor === undefined ? {} : { waitsFor }) }
}
