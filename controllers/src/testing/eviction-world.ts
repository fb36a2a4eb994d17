import { kinds, type Pod } from '@kerf/apis'
import {
  type KubeClient,
  type Outcome,
  PrometheusMetrics,
  RecordingEventRecorder,
  SeededRandom,
  silentLogger,
  VirtualClock,
} from '@kerf/runtime'
import { node, pod } from '@kerf/testing'
import { defaultControllerSettings } from '../deps.ts'
import { ClaimNodes } from '../node-claims/claim-nodes.ts'
import { EvictionQueue } from '../termination/eviction-queue.ts'
import { ManualInformers } from './manual-informers.ts'
import { refusingClient, stateWorld } from './state-world.ts'

/** A pod on the node `n`, with half a minute to stop. */
export const webPod = pod('web', { nodeName: 'n', spec: { terminationGracePeriodSeconds: 30 } })

/** An eviction queue over informers that a test fills by hand; the API answers the calls that `answers` names. */
export const evictionWorld = (answers: Partial<KubeClient> = {}) => {
  const informers = new ManualInformers()
  const clock = new VirtualClock()
  const events = new RecordingEventRecorder()
  const metrics = new PrometheusMetrics()
  const links = new ClaimNodes(informers)
  const queue = new EvictionQueue(
    {
      client: refusingClient(answers),
      informers,
      clock,
      events,
      metrics,
      random: new SeededRandom(1),
      log: silentLogger,
      provider: stateWorld().deps.provider,
      settings: defaultControllerSettings,
    },
    links,
  )
  const controller = queue.controller()
  const keys: string[] = []
  const unsubscribe = controller.subscribe?.((key) => keys.push(key))
  informers.put(kinds.Node, node('n'))
  const work = (name = 'web'): Promise<Outcome> => controller.reconcile(`default/${name}`, new AbortController().signal)
  const put = (...pods: readonly Pod[]): void => informers.put(kinds.Pod, ...pods)
  return { informers, clock, events, metrics, queue, controller, keys, unsubscribe, work, put }
}
