import type { Pod } from '@kerf/apis'
import { decideApart } from '../isolation/decide-apart.ts'
import { findCulprits } from '../isolation/find-culprits.ts'
import { noteFault } from '../isolation/noted-faults.ts'
import type { SetAside } from '../isolation/set-aside.ts'
import type { ScheduleOptions } from '../schedule-options.ts'
import type { ClusterSnapshot } from '../snapshot.ts'
import { type IndexedSnapshot, indexSnapshot, indexSnapshotInSteps } from './indexed-snapshot.ts'

/** The index of a snapshot without its unreadable objects. */
export interface IndexedApart {
  readonly index: IndexedSnapshot
  readonly setAside: readonly SetAside[]
  /**
   * The lists of `mayLeave` that contain an unreadable pod. If a what-if removed the node of one of these lists, the plan would not place
   * the unreadable pod.
   */
  readonly unreadable: ReadonlySet<readonly Pod[]>
}

/** Does the same as `indexSnapshot`, but leaves out the objects that make `indexSnapshot` throw (`docs/spec/isolation.md`). */
export const indexApart = (
  snapshot: ClusterSnapshot,
  waiting: readonly Pod[],
  mayLeave: readonly (readonly Pod[])[],
  options: ScheduleOptions,
): IndexedApart => {
  const apart = decideApart(snapshot, waiting, (reduced, sound) => indexSnapshotInSteps(reduced, sound, [], options))
  const index = (lists: readonly (readonly Pod[])[]): IndexedSnapshot =>
    indexSnapshot(apart.snapshot, apart.pods, lists, options)
  const { errors } = findCulprits(mayLeave, (lists) => void index(lists))
  for (const error of errors.values()) noteFault(error)
  return {
    index: index(mayLeave.filter((list) => !errors.has(list))),
    setAside: apart.setAside,
    unreadable: new Set(errors.keys()),
  }
}
