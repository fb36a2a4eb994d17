import type { Pod } from '@kerf/apis'
import { describeReasons } from '../reasons/describe-reasons.ts'
import { type ReportedReason, readReason, reportReason } from '../reasons/reported-reason.ts'
import type { Blocker } from './blocker.ts'

type Code = Blocker['code']
type Of<C extends Code> = Extract<Blocker, { readonly code: C }>
type NamesPods =
  | 'node.nominated'
  | 'pod.do-not-disrupt'
  | 'pdb.blocks'
  | 'pdb.several'
  | 'pods.unschedulable'
  | 'pods.leaving'

/** A blocker for readers without access to every namespace. It refers to pods and PodDisruptionBudgets by uid. */
export type ReportedBlocker =
  | Exclude<Blocker, { readonly code: NamesPods }>
  | Of<'node.nominated'>
  | Of<'pod.do-not-disrupt'>
  | Of<'pdb.blocks'>
  | Of<'pdb.several'>
  | Of<'pods.leaving'>
  | {
      readonly code: 'pods.unschedulable'
      readonly pods: readonly {
        readonly pod: string
        readonly reasons: readonly ReportedReason[]
        /** A node that may never exist, if it is the only one that the pod fits on. */
        readonly waitsFor?: string
      }[]
    }

/** Stands for an object that does not exist any more, so that its name is not reported. */
export const UNKNOWN_UID = 'unknown'

/** Finds objects by `namespace/name` in the state of the controller. */
export interface KnownObjects {
  readonly pod: (name: string) => Pod | undefined
  /** The uid of a PodDisruptionBudget. */
  readonly budget: (name: string) => string | undefined
}

/** Returns the blocker without names of pods and budgets. Each code must be listed here explicitly. */
export const reportBlocker = (blocker: Blocker, known: KnownObjects): ReportedBlocker => {
  const podUid = (name: string): string => known.pod(name)?.metadata.uid ?? UNKNOWN_UID
  const budgetUid = (name: string): string => known.budget(name) ?? UNKNOWN_UID
  switch (blocker.code) {
    case 'node.nominated':
      return blocker.pod === undefined ? blocker : { ...blocker, pod: podUid(blocker.pod) }
    case 'pod.do-not-disrupt':
      return { ...blocker, pod: podUid(blocker.pod) }
    case 'pdb.blocks':
      return { ...blocker, pod: podUid(blocker.pod), budget: budgetUid(blocker.budget) }
    case 'pdb.several':
      return { ...blocker, pod: podUid(blocker.pod), budgets: blocker.budgets.map(budgetUid) }
    case 'pods.leaving':
      return { ...blocker, pods: blocker.pods.map(podUid) }
    case 'pods.unschedulable':
      return {
        code: blocker.code,
        pods: blocker.pods.map(({ pod, reasons = [], waitsFor }) => ({
          pod: podUid(pod),
          reasons: reasons.map((reason) => reportReason(reason, known.pod(pod))),
          ...(waitsFor === undefined ? {} : { waitsFor }),
        })),
      }
    // These concern Nodes, NodeClaims, NodePools and instance types, which have no namespace.
    case 'command.queued':
    case 'node.unmanaged':
    case 'claim.no-node':
    case 'node.uninitialized':
    case 'node.unreadable':
    case 'node.deleting':
    case 'node.do-not-disrupt':
    case 'node.no-pool-label':
    case 'pool.not-found':
    case 'pool.paused':
    case 'pool.static':
    case 'pool.dynamic':
    case 'node.not-drifted':
    case 'node.not-empty':
    case 'node.empty':
    case 'node.not-consolidatable':
    case 'node.buffer-pods':
    case 'pool.consolidation-off':
    case 'pool.only-when-empty':
    case 'type.unknown':
    case 'price.unknown':
    case 'label.missing':
    case 'budget.exhausted':
    case 'pools.none':
    case 'replacements.too-many':
    case 'replacements.uncertain':
    case 'price.not-cheaper':
    case 'min-values.unmet':
    case 'spot.disabled':
    case 'spot.too-few-types':
    case 'moves.undone':
    case 'score.too-low':
    case 'deadline.unreadable':
    case 'volumes.attached':
    case 'instance.ending':
    case 'finalizers.foreign':
      return blocker
  }
}

/** The objects that a reader may read, by uid. */
export interface ReadableObjects {
  readonly pods: ReadonlyMap<string, Pod>
  /** `namespace/name` of PodDisruptionBudgets. */
  readonly budgets: ReadonlyMap<string, string>
}

const nameOf = ({ metadata }: Pod): string => `${metadata.namespace ?? 'default'}/${metadata.name}`

/** Returns the blocker with the names of the objects that its reader may read. Other objects keep their uid. */
export const readBlocker = (reported: ReportedBlocker, { pods, budgets }: ReadableObjects): Blocker => {
  const podName = (uid: string): string => {
    const pod = pods.get(uid)
    return pod === undefined ? `of uid ${uid}` : nameOf(pod)
  }
  const budgetName = (uid: string): string => budgets.get(uid) ?? `of uid ${uid}`
  switch (reported.code) {
    case 'node.nominated':
      return reported.pod === undefined ? reported : { ...reported, pod: podName(reported.pod) }
    case 'pod.do-not-disrupt':
      return { ...reported, pod: podName(reported.pod) }
    case 'pdb.blocks':
      return { ...reported, pod: podName(reported.pod), budget: budgetName(reported.budget) }
    case 'pdb.several':
      return { ...reported, pod: podName(reported.pod), budgets: reported.budgets.map(budgetName) }
    case 'pods.leaving':
      return { ...reported, pods: reported.pods.map(podName) }
    case 'pods.unschedulable':
      return { code: reported.code, pods: reported.pods.map((each) => readUnplaced(each, pods.get(each.pod), podName)) }
    default:
      return reported
  }
}

type ReportedUnplaced = Extract<ReportedBlocker, { readonly code: 'pods.unschedulable' }>['pods'][number]

const readUnplaced = (
  { pod, reasons, waitsFor }: ReportedUnplaced,
  own: Pod | undefined,
  nameOfUid: (uid: string) => string,
): Of<'pods.unschedulable'>['pods'][number] => {
  const read = reasons.map((reason) => readReason(reason, own))
  // Without the pod the sentence would be incomplete, so it is left out.
  const why = waitsFor ?? (own === undefined ? 'no place' : describeReasons(read))
  return { pod: nameOfUid(pod), why, reasons: read, ...(waitsFor === undefined ? {} : { waitsFor }) }
}
