import { kinds, type Pod } from '@kerf/apis'
import type { KubeClient, Outcome } from '@kerf/runtime'
import { node, pod } from '@kerf/testing'
import { EvictionQueue } from '../../node/termination/eviction-queue.ts'
import { ClaimNodes } from '../../nodeclaim/claim-nodes.ts'
import { manualDeps } from './manual-deps.ts'

/** A pod on the node `n` with a grace period of 30 seconds. */
export const webPod = pod('web', { nodeName: 'n', spec: { terminationGracePeriodSeconds: 30 } })

/** Runs the eviction queue pass by pass. The API supports only the calls that the test defines. */
export const evictionPasses = (client: Partial<KubeClient> = {}) => {
  const { informers, clock, events, metrics, deps } = manualDeps({ client })
  const queue = new EvictionQueue(deps, new ClaimNodes(informers))
  const controller = queue.controller()
  const keys: string[] = []
  const unsubscribe = controller.subscribe?.((key) => keys.push(key))
  informers.put(kinds.Node, node('n'))
  const work = (name = 'web'): Promise<Outcome> => controller.reconcile(`default/${name}`, new AbortController().signal)
  const put = (...pods: readonly Pod[]): void => informers.put(kinds.Pod, ...pods)
  return { informers, clock, events, metrics, queue, controller, keys, unsubscribe, work, put }
}
