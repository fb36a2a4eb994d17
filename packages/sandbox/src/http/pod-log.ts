import type { KubeObject } from '@kerf/apis'
import { objectAt, objectsAt, stringAt } from '../store/json.ts'
import { statusErrors } from '../store/status-errors.ts'

/**
 * Returns the log of a simulated container: when and where it started, and how it ended. Throws 400 in the same cases
 * as the real server.
 */
export const podLog = (pod: KubeObject, container: string | undefined, tailLines: number | undefined): string => {
  const name = pod.metadata.name
  const names = [
    ...objectsAt(objectAt(pod, 'spec'), 'initContainers'),
    ...objectsAt(objectAt(pod, 'spec'), 'containers'),
  ].map((one) => String(one['name']))
  const chosen = container ?? stringAt(objectsAt(objectAt(pod, 'spec'), 'containers')[0], 'name') ?? ''
  if (!names.includes(chosen)) throw statusErrors.badRequest(`container ${chosen} is not valid for pod ${name}`)
  const statuses = [
    ...objectsAt(objectAt(pod, 'status'), 'initContainerStatuses'),
    ...objectsAt(objectAt(pod, 'status'), 'containerStatuses'),
  ]
  const state = objectAt(
    statuses.find((one) => one['name'] === chosen),
    'state',
  )
  const running = objectAt(state, 'running')
  const terminated = objectAt(state, 'terminated')
  const node = stringAt(objectAt(pod, 'spec'), 'nodeName') ?? ''
  if (running === undefined && terminated === undefined) {
    const why = node === '' ? 'pod is not scheduled to a node yet' : 'ContainerCreating'
    throw statusErrors.badRequest(`container "${chosen}" in pod "${name}" is waiting to start: ${why}`)
  }
  const started = stringAt(running ?? terminated, 'startedAt') ?? ''
  const lines = [
    `${started} simulated container ${chosen} started on node ${node}`,
    `${started} nothing runs here: the sandbox only plays the kubelet's part`,
  ]
  if (terminated !== undefined)
    lines.push(
      `${stringAt(terminated, 'finishedAt') ?? ''} ended with exit code ${String(terminated['exitCode'] ?? 0)}`,
    )
  return lines
    .slice(tailLines === undefined || tailLines < 0 ? 0 : Math.max(0, lines.length - tailLines))
    .map((line) => `${line}\n`)
    .join('')
}
