import { formatTime, type Node, type Pod, type ResourceList } from '@kerf/apis'
import { isAlreadyExists, isConflict, isNotFound } from '@kerf/runtime'

/**
 * Ignores the error of a write that came too late, because another writer has changed, deleted or created the object. The next round writes
 * again.
 */
export const ignoreGone = (error: unknown): void => {
  if (!isNotFound(error) && !isConflict(error) && !isAlreadyExists(error)) throw error
}

/**
 * Returns the Ready condition that a running kubelet reports. In this file, `now` and `since` (when the node became ready) are in
 * milliseconds.
 */
export const readyCondition = (now: number, since = now) =>
  ({
    type: 'Ready',
    status: 'True',
    reason: 'KubeletReady',
    message: '',
    lastHeartbeatTime: formatTime(now),
    lastTransitionTime: formatTime(since),
  }) as const

/** Returns the status that a kubelet reports for a node of this size. */
export const readyNode = (
  amounts: { readonly capacity: ResourceList; readonly allocatable: ResourceList },
  now: number,
  since = now,
): NonNullable<Node['status']> => ({
  ...{ capacity: amounts.capacity, allocatable: amounts.allocatable },
  conditions: [readyCondition(now, since)],
})

/** Returns the status that a kubelet reports for a pod all of whose containers run. */
export const runningPod = ({ spec }: Pod, now: number): object => {
  const time = formatTime(now)
  const yes = (type: string) => ({ type, status: 'True', lastTransitionTime: time })
  return {
    phase: 'Running',
    startTime: time,
    conditions: ['PodScheduled', 'Initialized', 'ContainersReady', 'Ready'].map(yes),
    containerStatuses: spec.containers.map(({ name, image = '' }) => ({
      name,
      image,
      imageID: image,
      ready: true,
      restartCount: 0,
      state: { running: { startedAt: time } },
    })),
  }
}
