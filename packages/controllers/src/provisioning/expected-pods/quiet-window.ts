import type { Milliseconds } from '@kerf/apis'
import type { ControllerSettings } from '../../deps.ts'
import type { ClusterState } from '../../state/cluster-state.ts'
import type { BatchWindow } from '../batcher.ts'
import type { ExpectedPods } from './expected-pods.ts'

/** The idle time of a window in which no further pods are expected. */
const QUIET_FOR: Milliseconds = 100

/**
 * Returns the batching window for plans with expected pods (`docs/spec/expected-pods.md#the-batching-window`). Its idle time is 100 ms if a
 * pod needs a place and all waiting pods belong to owners whose expected pods Kerf plans. The plan then already includes all pods of these
 * owners. The configured times remain upper limits.
 */
export const quietWindow = (
  { batchIdleDuration, batchMaxDuration }: Pick<ControllerSettings, 'batchIdleDuration' | 'batchMaxDuration'>,
  { pods, placements, others }: ClusterState,
  expected: ExpectedPods,
): BatchWindow => ({
  idle: () => {
    let isUrgent = expected.needsAnyPass
    for (const pod of pods.provisionable) {
      if (others.serves(pod)) continue
      if (!expected.isOwnerKnown(pod)) return batchIdleDuration
      isUrgent ||= placements.decidedTarget(pod) === undefined
    }
    return isUrgent ? Math.min(QUIET_FOR, batchIdleDuration) : batchIdleDuration
  },
  max: batchMaxDuration,
  lookEvery: QUIET_FOR,
})
