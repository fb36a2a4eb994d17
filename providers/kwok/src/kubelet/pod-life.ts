import {
  type Condition,
  formatTime,
  isConditionTrue,
  kinds,
  type Node,
  type Pod,
  timeOf,
  tryParseDuration,
} from '@kerf/apis'
import type { ProviderContext } from '@kerf/provider-contract'
import {
  type Controller,
  done,
  isConflict,
  isNotFound,
  keyOf,
  type Milliseconds,
  type Outcome,
  refOf,
  retryAfter,
  source,
} from '@kerf/runtime'
import { POD_DELETE_DELAY_ANNOTATION, POD_STAGE_LABEL } from '../labels.ts'
import { addressOf } from './address.ts'
import { hasKubelet } from './node-heartbeat.ts'

const BY_NODE = 'kwok.spec.nodeName'

/**
 * Runs the pods that are bound to the provider's nodes: they start at once, those of Jobs complete at once, and deleted
 * ones stop after the delay that their annotation names, within their grace period.
 */
export const podLife = ({ client, informers, clock }: ProviderContext): Controller => {
  const nodes = informers.of(kinds.Node)
  const pods = informers.of(kinds.Pod)
  pods.index(BY_NODE, (pod) => (pod.spec.nodeName === undefined ? [] : [pod.spec.nodeName]))

  const stop = async (pod: Pod, signal: AbortSignal): Promise<Outcome> => {
    const wait = stopsAt(pod) - clock.now()
    if (wait > 0) return retryAfter(wait)
    // Stopped already; what keeps the object is somebody's finalizer.
    if (pod.metadata.deletionGracePeriodSeconds === 0) return done()
    const uid = pod.metadata.uid
    await client.delete(kinds.Pod, refOf(keyOf(pod)), {
      gracePeriodSeconds: 0,
      signal,
      ...(uid === undefined ? {} : { preconditions: { uid } }),
    })
    return done()
  }

  const report = async (pod: Pod, status: object, signal: AbortSignal): Promise<Outcome> => {
    const body = { metadata: { uid: pod.metadata.uid }, status }
    await client.patch(kinds.Pod, refOf(keyOf(pod)), { type: 'strategic', body }, { subresource: 'status', signal })
    return done()
  }

  const advance = async (pod: Pod, signal: AbortSignal): Promise<Outcome> => {
    if (pod.metadata.deletionTimestamp !== undefined) return await stop(pod, signal)
    const isReady = pod.metadata.labels?.[POD_STAGE_LABEL] !== 'unhealthy'
    switch (pod.status?.phase) {
      case undefined:
      case 'Pending':
      case 'Unknown':
        return await report(pod, runningStatus(pod, isReady, formatTime(clock.now())), signal)
      case 'Running':
        if (isOfJob(pod)) return await report(pod, completedStatus(pod, formatTime(clock.now())), signal)
        if (isConditionTrue(pod, 'Ready') === isReady) return done()
        return await report(pod, runningStatus(pod, isReady, formatTime(clock.now())), signal)
      case 'Succeeded':
      case 'Failed':
        return done()
    }
  }

  return {
    name: 'kwok.kubelet.pod',
    sources: [
      source(pods, ({ after }) => (after?.spec.nodeName === undefined ? [] : [keyOf(after)])),
      source(nodes, ({ before, after }) => {
        const name = after?.metadata.name
        const isNews = after !== undefined && runsPods(after) !== (before !== undefined && runsPods(before))
        return isNews && name !== undefined ? pods.by(BY_NODE, name).map(keyOf) : []
      }),
    ],
    concurrency: 100,
    reconcile: async (key, signal) => {
      const pod = pods.get(key)
      const node = pod?.spec.nodeName === undefined ? undefined : nodes.get(pod.spec.nodeName)
      if (pod === undefined || node === undefined || !runsPods(node)) return done()
      try {
        return await advance(pod, signal)
      } catch (error) {
        // Gone, or another pod by now: its own change comes around.
        if (isNotFound(error) || isConflict(error)) return done()
        throw error
      }
    },
  }
}

const runsPods = (node: Node): boolean => hasKubelet(node) && isConditionTrue(node, 'Ready')

const isOfJob = (pod: Pod): boolean => pod.metadata.ownerReferences?.some(({ kind }) => kind === 'Job') === true

/** The delay counts from the request; the end of the grace period comes first if it is earlier. */
const stopsAt = (pod: Pod): Milliseconds => {
  const killedAt = timeOf(pod.metadata.deletionTimestamp) ?? 0
  const requestedAt = killedAt - (pod.metadata.deletionGracePeriodSeconds ?? 0) * 1000
  const delay = tryParseDuration(pod.metadata.annotations?.[POD_DELETE_DELAY_ANNOTATION] ?? '0s') ?? 0
  return Math.min(killedAt, requestedAt + delay)
}

const condition = (type: string, isTrue: boolean, now: string, reason?: string): Condition => ({
  type,
  status: isTrue ? 'True' : 'False',
  lastTransitionTime: now,
  ...(reason === undefined ? {} : { reason }),
})

const runningStatus = (pod: Pod, isReady: boolean, now: string): object => {
  const ip = addressOf(`pod/${pod.metadata.uid ?? keyOf(pod)}`)
  return {
    phase: 'Running',
    startTime: pod.status?.startTime ?? now,
    podIP: ip,
    podIPs: [{ ip }],
    hostIP: addressOf(`node/${pod.spec.nodeName ?? ''}`),
    conditions: [
      condition('Initialized', true, now),
      condition('ContainersReady', isReady, now),
      condition('Ready', isReady, now),
    ],
    containerStatuses: pod.spec.containers.map(({ name, image = '' }) => ({
      name,
      image,
      imageID: '',
      ready: isReady,
      started: true,
      restartCount: 0,
      state: { running: { startedAt: pod.status?.startTime ?? now } },
    })),
  }
}

const completedStatus = (pod: Pod, now: string): object => ({
  phase: 'Succeeded',
  conditions: [
    condition('ContainersReady', false, now, 'PodCompleted'),
    condition('Ready', false, now, 'PodCompleted'),
  ],
  containerStatuses: pod.spec.containers.map(({ name, image = '' }) => ({
    name,
    image,
    imageID: '',
    ready: false,
    started: false,
    restartCount: 0,
    state: {
      terminated: { exitCode: 0, reason: 'Completed', startedAt: pod.status?.startTime ?? now, finishedAt: now },
    },
  })),
})
