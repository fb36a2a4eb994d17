import { kinds } from '@kerf/apis'
import type { Clock, KubeClient } from '@kerf/runtime'
import { ignoreGone, readyCondition } from '../../../../tests/integration/kubelets/kubelet-status.ts'

const EVERY = 300

/** Simulates the parts of kubelets that a takeover needs: Nodes become ready, and deleted pods disappear. */
export const playKubelets = async (client: KubeClient, clock: Clock, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    for (const { metadata, status } of (await client.list(kinds.Node)).items) {
      if (status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true) continue
      const conditions = [readyCondition(clock.now())]
      await client
        .patch(
          kinds.Node,
          { name: metadata.name },
          { type: 'merge', body: { status: { conditions } } },
          { subresource: 'status' },
        )
        .catch(ignoreGone)
    }
    for (const { metadata } of (await client.list(kinds.Pod)).items) {
      if (metadata.deletionTimestamp === undefined) continue
      const { name = '', namespace = 'default' } = metadata
      await client.delete(kinds.Pod, { name, namespace }, { gracePeriodSeconds: 0 }).catch(ignoreGone)
    }
    await new Promise((resolve) => setTimeout(resolve, EVERY))
  }
}
