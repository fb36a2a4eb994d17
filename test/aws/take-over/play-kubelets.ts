import { formatTime, kinds } from '@kerf/apis'
import { type Clock, isConflict, isNotFound, type KubeClient } from '@kerf/runtime'

const EVERY = 300

const unlessChanged = (error: unknown): void => {
  if (!isNotFound(error) && !isConflict(error)) throw error
}

/** What kubelets do that a take-over needs, where none are: nodes get ready, and pods that must go are gone. */
export const playKubelets = async (client: KubeClient, clock: Clock, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    for (const { metadata, status } of (await client.list(kinds.Node)).items) {
      if (status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true) continue
      const now = formatTime(clock.now())
      const ready = { type: 'Ready', status: 'True', reason: 'KubeletReady', message: '' }
      const conditions = [{ ...ready, lastHeartbeatTime: now, lastTransitionTime: now }]
      await client
        .patch(
          kinds.Node,
          { name: metadata.name ?? '' },
          { type: 'merge', body: { status: { conditions } } },
          { subresource: 'status' },
        )
        .catch(unlessChanged)
    }
    for (const { metadata } of (await client.list(kinds.Pod)).items) {
      if (metadata.deletionTimestamp === undefined) continue
      const { name = '', namespace = 'default' } = metadata
      await client.delete(kinds.Pod, { name, namespace }, { gracePeriodSeconds: 0 }).catch(unlessChanged)
    }
    await new Promise((resolve) => setTimeout(resolve, EVERY))
  }
}
