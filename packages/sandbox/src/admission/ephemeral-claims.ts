import { type JsonObject, objectAt, objectsAt, stringAt } from '../store/json.ts'
import { type FieldError, fieldErrors } from '../store/status-errors.ts'

const LONGEST = 253

/**
 * Returns an error if a claim name would be invalid. The claim of an ephemeral volume is named after pod and volume
 * (Kubernetes, "PersistentVolumeClaim naming").
 */
export const claimNameErrors = (pod: JsonObject): FieldError[] => {
  const podName = stringAt(objectAt(pod, 'metadata'), 'name') ?? ''
  if (podName === '') return []
  return objectsAt(objectAt(pod, 'spec'), 'volumes').flatMap((volume, i) => {
    const name = stringAt(volume, 'name') ?? ''
    const claim = `${podName}-${name}`
    return volume['ephemeral'] === undefined || claim.length <= LONGEST
      ? []
      : [
          fieldErrors.invalid(
            `spec.volumes[${i}].name`,
            name,
            `PVC name "${claim}": must be no more than ${LONGEST} characters`,
          ),
        ]
  })
}
