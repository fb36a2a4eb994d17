import { type KubeObject, karpenterKinds, kinds, type ResourceKind } from '@kerf/apis'
import type { CoreEvent } from '../../core-event.ts'
import { eventObject } from '../../event-object.ts'
import type { SetAsideObject } from './isolation.ts'

/** The maximum length of an error text in an Event. Most error texts are shorter. */
const LONGEST_ERROR = 300

const byName = new Map<string, ResourceKind>(
  [...Object.values(kinds), ...Object.values(karpenterKinds)].map((kind) => [kind.kind, kind]),
)

const isKubeObject = (object: object): object is KubeObject =>
  typeof Reflect.get(object, 'metadata') === 'object' && Reflect.get(object, 'metadata') !== null

/** Returns the Event about an object that was set aside. Undefined if the object has no name or does not exist in the API server. */
export const setAsideEvent = ({ kind, object, stage, error }: SetAsideObject): CoreEvent | undefined => {
  const resource = byName.get(kind)
  try {
    if (resource === undefined || !isKubeObject(object) || object.metadata.name === '') return undefined
    const why = (error instanceof Error ? error.message : String(error)).slice(0, LONGEST_ERROR)
    return {
      object: eventObject(resource, object),
      type: 'Warning',
      reason: 'ObjectSetAside',
      message: `The object cannot be read (${stage}) and is ignored: ${why}`,
      dedupeValues: [object.metadata.uid ?? '', stage],
    }
  } catch {
    return undefined
  }
}
