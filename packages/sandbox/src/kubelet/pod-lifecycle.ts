import {
  type Condition,
  type Container,
  type ContainerStatus,
  controllerOwner,
  formatTime,
  isTerminal,
  type Milliseconds,
  type Pod,
  type PodStatus,
  parseTime,
} from '@kerf/apis'
import { podCondition } from '../objects/pod-state.ts'
import { ANNOTATION, type KubeletOptions, parseDurationOr } from './kubelet-options.ts'

/** The kubelet's next action for a pod: write a status, remove the object, or wait for a time or a change. */
export type PodStep =
  | { readonly kind: 'status'; readonly status: PodStatus }
  | { readonly kind: 'remove' }
  | { readonly kind: 'wait'; readonly until: Milliseconds }

const WAIT_FOR_CHANGE: PodStep = { kind: 'wait', until: Number.POSITIVE_INFINITY }

/** The state of other objects that the kubelet needs to handle a pod. */
export interface PodSurroundings {
  readonly now: Milliseconds
  /** When the pod was bound to this node. */
  readonly boundAt: Milliseconds
  readonly podIP: string
  readonly hostIP: string
  /** Whether all volumes are attached. */
  readonly volumesReady: boolean
}

const DEFAULT_GRACE_SECONDS = 30

const condition = (type: string, status: 'True' | 'False', at: Milliseconds, reason?: string): Condition => ({
  type,
  status,
  lastProbeTime: null,
  lastTransitionTime: formatTime(at),
  ...(reason === undefined ? {} : { reason }),
})

const podStartTime = (pod: Pod): Milliseconds | undefined => {
  const state = pod.status?.containerStatuses?.[0]?.state?.running
  if (typeof state !== 'object' || state === null || !('startedAt' in state)) return undefined
  return typeof state.startedAt === 'string' ? parseTime(state.startedAt) : undefined
}

const statusesOf = (
  containers: readonly Container[],
  of: (container: Container) => Pick<ContainerStatus, 'ready' | 'started' | 'state'>,
  uid: string,
  restarts: number,
): ContainerStatus[] =>
  containers.map((container) => ({
    name: container.name,
    image: container.image ?? '',
    imageID: container.image ?? '',
    containerID: `sandbox://${uid}/${container.name}`,
    restartCount: restarts,
    ...of(container),
  }))

const podRestarts = (pod: Pod): number => pod.status?.containerStatuses?.[0]?.restartCount ?? 0

const terminated = (exitCode: number, from: Milliseconds, to: Milliseconds): Readonly<Record<string, unknown>> => ({
  terminated: {
    exitCode,
    reason: exitCode === 0 ? 'Completed' : 'Error',
    startedAt: formatTime(from),
    finishedAt: formatTime(to),
  },
})

const running = (pod: Pod, around: PodSurroundings, ready: boolean, restarts: number): PodStatus => {
  const { now } = around
  const uid = pod.metadata.uid ?? ''
  const startedAt = formatTime(now)
  const readiness = ready ? 'True' : 'False'
  const reason = ready ? undefined : 'ContainersNotReady'
  const initialised = statusesOf(
    pod.spec.initContainers ?? [],
    (container) =>
      container.restartPolicy === 'Always'
        ? { ready: true, started: true, state: { running: { startedAt } } }
        : { ready: true, started: false, state: terminated(0, now, now) },
    uid,
    0,
  )
  return {
    phase: 'Running',
    podIP: around.podIP,
    podIPs: [{ ip: around.podIP }],
    hostIP: around.hostIP,
    startTime: pod.status?.startTime ?? formatTime(around.boundAt),
    conditions: [
      condition('PodReadyToStartContainers', 'True', now),
      condition('Initialized', 'True', now),
      condition('Ready', readiness, now, reason),
      condition('ContainersReady', readiness, now, reason),
    ],
    containerStatuses: statusesOf(
      pod.spec.containers,
      () => ({ ready, started: true, state: { running: { startedAt } } }),
      uid,
      restarts,
    ),
    ...(initialised.length > 0 ? { initContainerStatuses: initialised } : {}),
  }
}

const becameReady = (pod: Pod, now: Milliseconds): PodStatus => ({
  conditions: [condition('Ready', 'True', now), condition('ContainersReady', 'True', now)],
  containerStatuses: (pod.status?.containerStatuses ?? []).map((status) => ({ ...status, ready: true })),
})

const ended = (pod: Pod, exitCode: number, from: Milliseconds, now: Milliseconds): PodStatus => {
  const reason = exitCode === 0 ? 'PodCompleted' : 'PodFailed'
  return {
    phase: exitCode === 0 ? 'Succeeded' : 'Failed',
    conditions: [condition('Ready', 'False', now, reason), condition('ContainersReady', 'False', now, reason)],
    containerStatuses: statusesOf(
      pod.spec.containers,
      () => ({ ready: false, started: false, state: terminated(exitCode, from, now) }),
      pod.metadata.uid ?? '',
      podRestarts(pod),
    ),
  }
}

/** Returns when the containers of a deleted pod have stopped: after their stop time, but at most after the grace period. */
const stoppedAt = (pod: Pod, options: KubeletOptions): Milliseconds => {
  const grace = (pod.metadata.deletionGracePeriodSeconds ?? DEFAULT_GRACE_SECONDS) * 1000
  const deadline = parseTime(pod.metadata.deletionTimestamp) ?? 0
  const stop = parseDurationOr(pod.metadata.annotations?.[ANNOTATION.stopAfter], options.podStopDelay)
  return deadline - grace + Math.min(grace, stop)
}

const runFor = (pod: Pod, options: KubeletOptions): Milliseconds => {
  const job = controllerOwner(pod)?.kind === 'Job'
  return parseDurationOr(
    pod.metadata.annotations?.[ANNOTATION.runFor],
    job ? options.jobDuration : Number.POSITIVE_INFINITY,
  )
}

/**
 * Returns the kubelet's next step for a pod on its node. The caller must call this function again after every change and after every wait.
 */
export const podStep = (pod: Pod, around: PodSurroundings, options: KubeletOptions): PodStep => {
  const { now } = around
  const waitOr = (until: Milliseconds, step: () => PodStep): PodStep => (now < until ? { kind: 'wait', until } : step())
  if (pod.metadata.deletionTimestamp !== undefined) {
    const stopped = pod.metadata.deletionGracePeriodSeconds === 0
    // The containers have stopped, but other finalizers still protect the object.
    if (stopped && (pod.metadata.finalizers ?? []).length > 0) return WAIT_FOR_CHANGE
    const started = pod.status?.phase === 'Running'
    return started ? waitOr(stoppedAt(pod, options), () => ({ kind: 'remove' })) : { kind: 'remove' }
  }
  if (isTerminal(pod)) return WAIT_FOR_CHANGE
  const annotations = pod.metadata.annotations ?? {}
  const readyAfter = parseDurationOr(annotations[ANNOTATION.readyAfter], 0)
  if (pod.status?.phase !== 'Running') {
    if (!around.volumesReady) return WAIT_FOR_CHANGE
    const startAfter = parseDurationOr(annotations[ANNOTATION.startAfter], options.podStartDelay)
    return waitOr(around.boundAt + startAfter, () => ({
      kind: 'status',
      status: running(pod, around, readyAfter <= 0, 0),
    }))
  }
  const startedAt = podStartTime(pod) ?? around.boundAt
  const endsAt = startedAt + runFor(pod, options)
  if (now >= endsAt) {
    const exitCode = Number(annotations[ANNOTATION.exitCode] ?? '0') || 0
    const policy = pod.spec.restartPolicy ?? 'Always'
    const restarts = policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0)
    return {
      kind: 'status',
      status: restarts
        ? running(pod, around, readyAfter <= 0, podRestarts(pod) + 1)
        : ended(pod, exitCode, startedAt, now),
    }
  }
  // While a node is lost, the node lifecycle controller makes its pods unready. Afterwards, the kubelet makes them ready again.
  const ready = podCondition(pod, 'Ready')?.status === 'True'
  if (ready || readyAfter === Number.POSITIVE_INFINITY) return { kind: 'wait', until: endsAt }
  const readyAt = startedAt + readyAfter
  return now < readyAt
    ? { kind: 'wait', until: Math.min(readyAt, endsAt) }
    : { kind: 'status', status: becameReady(pod, now) }
}
