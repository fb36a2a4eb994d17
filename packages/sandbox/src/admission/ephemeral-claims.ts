import { type JsonObject, objectAt, objectsAt, stringAt } from '../store/json.ts'
import { type FieldError, fieldErrors } from '../store/status-errors.ts'

const LONGEST = 253

/**
 * Returns an error for each ephemeral volume whose claim name would be invalid. The claim is named after the pod and the volume
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
