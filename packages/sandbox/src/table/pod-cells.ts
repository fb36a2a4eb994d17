import { parseTime } from '@kerf/apis'
import { isObject, type JsonObject, numberAt, objectAt, objectsAt, stringAt } from '../store/json.ts'
import { humanAge } from './human-duration.ts'

const stateOf = (status: JsonObject, name: 'waiting' | 'terminated' | 'running'): JsonObject | undefined =>
  objectAt(objectAt(status, 'state'), name)

const endOf = (terminated: JsonObject): string => {
  const reason = stringAt(terminated, 'reason') ?? ''
  if (reason !== '') return reason
  const signal = numberAt(terminated, 'signal') ?? 0
  return signal === 0 ? `ExitCode:${numberAt(terminated, 'exitCode') ?? 0}` : `Signal:${signal}`
}

const isSidecar = (container: JsonObject | undefined): boolean => stringAt(container, 'restartPolicy') === 'Always'

interface Containers {
  ready: number
  restarts: number
  /** The time of the last restart, in milliseconds since the epoch. */
  lastRestart: number
}

const countRestarts = (containers: Containers, one: JsonObject): void => {
  containers.restarts += numberAt(one, 'restartCount') ?? 0
  const finished = parseTime(stringAt(objectAt(objectAt(one, 'lastState'), 'terminated'), 'finishedAt'))
  if (finished !== undefined) containers.lastRestart = Math.max(containers.lastRestart, finished)
}

const waitingReason = (one: JsonObject): string => stringAt(stateOf(one, 'waiting'), 'reason') ?? ''

const hasCondition = (status: JsonObject | undefined, type: string): boolean =>
  objectsAt(status, 'conditions').some((condition) => condition['type'] === type && condition['status'] === 'True')

/**
 * Counts init containers up to the first one that has not finished. Returns the pod status that results from that container, or `undefined`
 * if all have finished.
 */
const countInitContainers = (
  containers: Containers,
  initContainers: readonly JsonObject[],
  status: JsonObject | undefined,
): string | undefined => {
  for (const [i, one] of objectsAt(status, 'initContainerStatuses').entries()) {
    const container = initContainers.find((candidate) => candidate['name'] === one['name'])
    countRestarts(containers, one)
    const terminated = stateOf(one, 'terminated')
    const waiting = waitingReason(one)
    if (terminated !== undefined && (numberAt(terminated, 'exitCode') ?? 0) === 0) continue
    if (isSidecar(container) && one['started'] === true) {
      if (one['ready'] === true) containers.ready++
      continue
    }
    if (terminated !== undefined) return `Init:${endOf(terminated)}`
    return waiting !== '' && waiting !== 'PodInitializing' ? `Init:${waiting}` : `Init:${i}/${initContainers.length}`
  }
  return undefined
}

/** Counts the containers. Returns the pod's status: the given status, unless a container changes it. */
const countContainers = (containers: Containers, status: JsonObject | undefined, before: string): string => {
  let reason = before
  let running = false
  for (const one of objectsAt(status, 'containerStatuses').toReversed()) {
    countRestarts(containers, one)
    const waiting = waitingReason(one)
    const terminated = stateOf(one, 'terminated')
    if (waiting !== '') reason = waiting
    else if (terminated !== undefined) reason = endOf(terminated)
    else if (one['ready'] === true && stateOf(one, 'running') !== undefined) {
      running = true
      containers.ready++
    }
  }
  if (reason !== 'Completed' || !running) return reason
  return hasCondition(status, 'Ready') ? 'Running' : 'NotReady'
}

/** Returns the columns READY, STATUS and RESTARTS of a pod, computed from its containers as kubectl does. */
export const podSummary = (
  pod: unknown,
  now: number,
): { readonly ready: string; readonly status: string; readonly restarts: string } => {
  const spec = objectAt(pod, 'spec')
  const status = objectAt(pod, 'status')
  const initContainers = objectsAt(spec, 'initContainers')
  const containers: Containers = { ready: 0, restarts: 0, lastRestart: 0 }
  let reason = stringAt(status, 'reason') ?? stringAt(status, 'phase') ?? 'Unknown'
  for (const condition of objectsAt(status, 'conditions')) {
    if (condition['type'] === 'PodScheduled' && condition['reason'] === 'SchedulingGated') reason = 'SchedulingGated'
  }
  const initialising = countInitContainers(containers, initContainers, status)
  reason = initialising ?? reason
  if (initialising === undefined || hasCondition(status, 'Initialized'))
    reason = countContainers(containers, status, reason)
  if (objectAt(pod, 'metadata')?.['deletionTimestamp'] !== undefined) {
    if (stringAt(status, 'reason') === 'NodeLost') reason = 'Unknown'
    else if (!['Succeeded', 'Failed'].includes(stringAt(status, 'phase') ?? '')) reason = 'Terminating'
  }
  const { ready, restarts, lastRestart } = containers
  const listed = objectsAt(spec, 'containers').length + initContainers.filter(isSidecar).length
  const total = listed === 0 ? objectsAt(status, 'containerStatuses').length : listed
  const since = restarts > 0 && lastRestart > 0 ? ` (${humanAge(new Date(lastRestart).toISOString(), now)} ago)` : ''
  return { ready: `${ready}/${total}`, status: reason, restarts: `${restarts}${since}` }
}

/** Returns the column READINESS GATES: how many of the pod's readiness gates are satisfied. */
export const readinessGates = (pod: unknown): string => {
  const gates = objectsAt(objectAt(pod, 'spec'), 'readinessGates')
  if (gates.length === 0) return '<none>'
  const conditions = objectsAt(objectAt(pod, 'status'), 'conditions')
  const open = gates.filter((gate) =>
    conditions.some(
      (condition) =>
        isObject(condition) && condition['type'] === gate['conditionType'] && condition['status'] === 'True',
    ),
  )
  return `${open.length}/${gates.length}`
}
