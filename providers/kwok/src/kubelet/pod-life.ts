import {
  type Condition,
  formatTime,
  isConditionTrue,
  kinds,
  type Milliseconds,
  type Node,
  type Pod,
  parseTime,
  tryParseDuration,
} from '@kerf/apis'
import type { ProviderContext } from '@kerf/provider-contract'
import {
  type Controller,
  done,
  informerKey,
  isConflict,
  isNotFound,
  type Outcome,
  parseKey,
  retryAfter,
  source,
} from '@kerf/runtime'
import { POD_DELETE_DELAY_ANNOTATION, POD_STAGE_LABEL } from '../labels.ts'
import { nodeAddress } from './address.ts'
import { hasKubelet, type NodeChoice } from './node-heartbeat.ts'

const BY_NODE = 'kwok.spec.nodeName'

/**
 * Simulates the pods on the provider's nodes. Pods start immediately, and pods of Jobs also complete immediately. A deleted pod stops after
 * the delay in its annotation, but no later than the end of its grace period.
 */
export class PodLife {
  readonly #client
  readonly #clock
  readonly #nodes
  readonly #pods
  readonly #isSimulated

  constructor({ client, informers, clock }: ProviderContext, isSimulated?: NodeChoice) {
    this.#isSimulated = isSimulated
    this.#client = client
    this.#clock = clock
    this.#nodes = informers.of(kinds.Node)
    this.#pods = informers.of(kinds.Pod)
    this.#pods.index(BY_NODE, (pod) => (pod.spec.nodeName === undefined ? [] : [pod.spec.nodeName]))
  }

  controller(): Controller {
    return {
      name: 'kwok.kubelet.pod',
      sources: [
        source(this.#pods, ({ after }) => (after?.spec.nodeName === undefined ? [] : [informerKey(after)])),
        source(this.#nodes, ({ before, after }) => {
          const name = after?.metadata.name
          const isNews =
            after !== undefined && this.#runsPods(after) !== (before !== undefined && this.#runsPods(before))
          return isNews && name !== undefined ? this.#pods.by(BY_NODE, name).map(informerKey) : []
        }),
      ],
      concurrency: 100,
      reconcile: (key, signal) => this.#reconcile(key, signal),
    }
  }

  #runsPods(node: Node): boolean {
    return hasKubelet(node, this.#isSimulated) && isConditionTrue(node, 'Ready')
  }

  async #reconcile(key: string, signal: AbortSignal): Promise<Outcome> {
    const pod = this.#pods.get(key)
    const node = pod?.spec.nodeName === undefined ? undefined : this.#nodes.get(pod.spec.nodeName)
    if (pod === undefined || node === undefined || !this.#runsPods(node)) return done()
    try {
      return await this.#advance(pod, signal)
    } catch (error) {
      // The pod is gone or has been replaced. The change triggers another reconciliation.
      if (isNotFound(error) || isConflict(error)) return done()
      throw error
    }
  }

  async #advance(pod: Pod, signal: AbortSignal): Promise<Outcome> {
    if (pod.metadata.deletionTimestamp !== undefined) return await this.#stop(pod, signal)
    const isReady = pod.metadata.labels?.[POD_STAGE_LABEL] !== 'unhealthy'
    switch (pod.status?.phase) {
      case undefined:
      case 'Pending':
      case 'Unknown':
        return await this.#report(pod, runningStatus(pod, isReady, formatTime(this.#clock.now())), signal)
      case 'Running':
        if (isOfJob(pod)) return await this.#report(pod, completedStatus(pod, formatTime(this.#clock.now())), signal)
        if (isConditionTrue(pod, 'Ready') === isReady) return done()
        return await this.#report(pod, runningStatus(pod, isReady, formatTime(this.#clock.now())), signal)
      case 'Succeeded':
      case 'Failed':
        return done()
    }
  }

  async #stop(pod: Pod, signal: AbortSignal): Promise<Outcome> {
    const wait = stopsAt(pod) - this.#clock.now()
    if (wait > 0) return retryAfter(wait)
    // The pod has stopped, but a finalizer still protects the object.
    if (pod.metadata.deletionGracePeriodSeconds === 0) return done()
    const uid = pod.metadata.uid
    await this.#client.delete(kinds.Pod, parseKey(informerKey(pod)), {
      gracePeriodSeconds: 0,
      signal,
      ...(uid === undefined ? {} : { preconditions: { uid } }),
    })
    return done()
  }

  async #report(pod: Pod, status: object, signal: AbortSignal): Promise<Outcome> {
    const body = { metadata: { uid: pod.metadata.uid }, status }
    await this.#client.patch(
      kinds.Pod,
      parseKey(informerKey(pod)),
      { type: 'strategic', body },
      { subresource: 'status', signal },
    )
    return done()
  }
}

const isOfJob = (pod: Pod): boolean => pod.metadata.ownerReferences?.some(({ kind }) => kind === 'Job') === true

/**
 * Returns when the pod stops: after the delay, which starts at the deletion request, or at the end of the grace period if that is earlier.
 */
const stopsAt = (pod: Pod): Milliseconds => {
  const killedAt = parseTime(pod.metadata.deletionTimestamp) ?? 0
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
  const ip = nodeAddress(`pod/${pod.metadata.uid ?? informerKey(pod)}`)
  return {
    phase: 'Running',
    startTime: pod.status?.startTime ?? now,
    podIP: ip,
    podIPs: [{ ip }],
    hostIP: nodeAddress(`node/${pod.spec.nodeName ?? ''}`),
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
