import { coreVocabulary, type Pod } from '@kerf/apis'
import * as whatIf from '../decision/indexed-snapshot.ts'
import * as decision from '../decision/schedule.ts'
import * as cost from '../explanation/explain-cost.ts'
import * as why from '../explanation/explain-pod.ts'
import type { ScheduleOptions } from '../schedule-options.ts'
import type { ClusterSnapshot } from '../snapshot.ts'

/** This file wraps the functions of the engine with the core vocabulary, for clusters whose provider adds no labels. */

type Options = Partial<ScheduleOptions>

const inCore = (options: Options = {}): ScheduleOptions => ({ vocabulary: coreVocabulary, ...options })

export const schedule = (snapshot: ClusterSnapshot, pods: readonly Pod[], options?: Options) =>
  decision.schedule(snapshot, pods, inCore(options))

export const scheduleInSteps = (snapshot: ClusterSnapshot, pods: readonly Pod[], options?: Options) =>
  decision.scheduleInSteps(snapshot, pods, inCore(options))

export const indexSnapshot = (
  snapshot: ClusterSnapshot,
  waiting: readonly Pod[],
  mayLeave: readonly (readonly Pod[])[],
  options?: Options,
) => whatIf.indexSnapshot(snapshot, waiting, mayLeave, inCore(options))

export const indexSnapshotInSteps = (
  snapshot: ClusterSnapshot,
  waiting: readonly Pod[],
  mayLeave: readonly (readonly Pod[])[],
  options?: Options,
) => whatIf.indexSnapshotInSteps(snapshot, waiting, mayLeave, inCore(options))

export const explainPod = (snapshot: ClusterSnapshot, pods: readonly Pod[], pod: Pod, options?: Options) =>
  why.explainPod(snapshot, pods, pod, inCore(options))

export const explainCost = (snapshot: ClusterSnapshot, pods: readonly Pod[], options?: Options) =>
  cost.explainCost(snapshot, pods, inCore(options))
