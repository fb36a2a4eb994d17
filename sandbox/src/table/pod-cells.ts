import { isObject, type JsonObject, numberAt, objectAt, objectsAt, stringAt } from '../store/json.ts'
import { ageOf } from './human-duration.ts'

const stateOf = (status: JsonObject, name: 'waiting' | 'terminated' | 'running'): JsonObject | undefined =>
  objectAt(objectAt(status, 'state'), name)

const endOf = (terminated: JsonObject): string => {
  const reason = stringAt(terminated, 'reason') ?? ''
  if (reason !== '') return reason
  const signal = numberAt(terminated, 'signal') ?? 0
  return signal === 0 ? `ExitCode:${numberAt(terminated, 'exitCode') ?? 0}` : `Signal:${signal}`
}

const isSidecar = (container: JsonObject | undefined): boolean => stringAt(container, 'restartPolicy') === 'Always'

/** READY, STATUS and RESTARTS of a pod, worked out from its containers as kubectl shows them. */
export const podSummary = (
  pod: unknown,
  now: number,
): { readonly ready: string; readonly status: string; readonly restarts: string } => {
  const spec = objectAt(pod, 'spec')
  const status = objectAt(pod, 'status')
  const initContainers = objectsAt(spec, 'initContainers')
  let total = objectsAt(spec, 'containers').length + initContainers.filter(isSidecar).length
  let ready = 0
  let restarts = 0
  let lastRestart = 0
  const seeRestart = (one: JsonObject): void => {
    const finished = Date.parse(stringAt(objectAt(objectAt(one, 'lastState'), 'terminated'), 'finishedAt') ?? '')
    if (!Number.isNaN(finished)) lastRestart = Math.max(lastRestart, finished)
  }
  let reason = stringAt(status, 'reason') ?? stringAt(status, 'phase') ?? 'Unknown'
  for (const condition of objectsAt(status, 'conditions')) {
    if (condition['type'] === 'PodScheduled' && condition['reason'] === 'SchedulingGated') reason = 'SchedulingGated'
  }
  let initialising = false
  for (const [i, one] of objectsAt(status, 'initContainerStatuses').entries()) {
    const container = initContainers.find((candidate) => candidate['name'] === one['name'])
    restarts += numberAt(one, 'restartCount') ?? 0
    seeRestart(one)
    const terminated = stateOf(one, 'terminated')
    const waiting = stringAt(stateOf(one, 'waiting'), 'reason') ?? ''
    if (terminated !== undefined && (numberAt(terminated, 'exitCode') ?? 0) === 0) continue
    if (isSidecar(container) && one['started'] === true) {
      if (one['ready'] === true) ready++
      continue
    }
    if (terminated !== undefined) reason = `Init:${endOf(terminated)}`
    else if (waiting !== '' && waiting !== 'PodInitializing') reason = `Init:${waiting}`
    else reason = `Init:${i}/${initContainers.length}`
    initialising = true
    break
  }
  const initialised = objectsAt(status, 'conditions').some(
    (condition) => condition['type'] === 'Initialized' && condition['status'] === 'True',
  )
  if (!initialising || initialised) {
    let running = false
    for (const one of objectsAt(status, 'containerStatuses').toReversed()) {
      restarts += numberAt(one, 'restartCount') ?? 0
      seeRestart(one)
      const waiting = stringAt(stateOf(one, 'waiting'), 'reason') ?? ''
      const terminated = stateOf(one, 'terminated')
      if (waiting !== '') reason = waiting
      else if (terminated !== undefined) reason = endOf(terminated)
      else if (one['ready'] === true && stateOf(one, 'running') !== undefined) {
        running = true
        ready++
      }
    }
    if (reason === 'Completed' && running) {
      const isReady = objectsAt(status, 'conditions').some(
        (condition) => condition['type'] === 'Ready' && condition['status'] === 'True',
      )
      reason = isReady ? 'Running' : 'NotReady'
    }
  }
  if (objectAt(pod, 'metadata')?.['deletionTimestamp'] !== undefined) {
    if (stringAt(status, 'reason') === 'NodeLost') reason = 'Unknown'
    else if (!['Succeeded', 'Failed'].includes(stringAt(status, 'phase') ?? '')) reason = 'Terminating'
  }
  if (total === 0) total = objectsAt(status, 'containerStatuses').length
  const since = restarts > 0 && lastRestart > 0 ? ` (${ageOf(new Date(lastRestart).toISOString(), now)} ago)` : ''
  return { ready: `${ready}/${total}`, status: reason, restarts: `${restarts}${since}` }
}

/** READINESS GATES: how many of the pod's own gates are open. */
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
