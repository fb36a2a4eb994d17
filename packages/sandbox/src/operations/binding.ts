import { formatTime } from '@kerf/apis'
import { ApiError } from '@kerf/runtime'
import type { ApiState } from '../resources/api-state.ts'
import type { WriteRequest } from '../resources/request.ts'
import { cloneObject, ensureObject, objectAt, objectsAt } from '../store/json.ts'
import { statusErrors } from '../store/status-errors.ts'
import type { Writing } from './writing.ts'

/** Implements the binding subresource, which binds a pod to a node. Throws 409 if the pod already has a node or is being deleted. */
export const bindPod = (
  state: ApiState,
  writing: Writing,
  namespace: string,
  name: string,
  nodeName: string,
  request: WriteRequest,
): void => {
  const pods = state.registry.of({ group: '', version: 'v1', plural: 'pods' })
  if (nodeName === '')
    throw new ApiError({
      code: 422,
      reason: 'Invalid',
      message: 'Binding.core "" is invalid: target.name: Required value',
    })
  writing.update(
    pods,
    namespace,
    name,
    (before) => {
      const draft = cloneObject(before)
      const spec = ensureObject(draft, 'spec')
      if (before.metadata.deletionTimestamp !== undefined) {
        throw statusErrors.conflict(
          { ...pods, plural: 'pods/binding' },
          name,
          `pod ${name} is being deleted, cannot be assigned to a host`,
        )
      }
      if (typeof spec['nodeName'] === 'string' && spec['nodeName'] !== '') {
        throw statusErrors.conflict(
          { ...pods, plural: 'pods/binding' },
          name,
          `pod ${name} is already assigned to node "${spec['nodeName']}"`,
        )
      }
      if (objectsAt(spec, 'schedulingGates').length > 0) {
        throw statusErrors.conflict(
          { ...pods, plural: 'pods/binding' },
          name,
          `pod ${name} has non-empty .spec.schedulingGates`,
        )
      }
      spec['nodeName'] = nodeName
      const status = ensureObject(draft, 'status')
      const others = objectsAt(status, 'conditions').filter((condition) => condition['type'] !== 'PodScheduled')
      status['conditions'] = [
        ...others,
        {
          type: 'PodScheduled',
          status: 'True',
          lastProbeTime: null,
          lastTransitionTime: formatTime(state.clock.now()),
        },
      ]
      return draft
    },
    request,
    { subresource: 'binding' },
  )
}

/** Returns the node that a Binding object names. */
export const targetOfBinding = (binding: object): string => String(objectAt(binding, 'target')?.['name'] ?? '')
