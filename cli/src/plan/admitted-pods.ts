import type { KubeObject, Pod } from '@kerf/apis'
import { PodAdmission, PodRefused } from '@kerf/sandbox/pod-admission'
import type { Manifest } from '../manifests/manifest.ts'
import { ManifestError } from '../manifests/manifest-error.ts'

/**
 * Returns a function that makes a pod of files what the API server would store, by the sandbox's own admission with the RuntimeClasses,
 * PriorityClasses and LimitRanges of the manifests. A pod that a server has stored stays as it is. `source` is the object that the pod is
 * of, for the message.
 *
 * @throws ManifestError with file and line of a pod that admission refuses
 */
export const admitting = (manifests: readonly Manifest[]): ((pod: Pod, source: KubeObject) => Pod) => {
  const admission = new PodAdmission(manifests.map(({ object }) => object))
  return (pod, source) => {
    try {
      return admission.admit(pod)
    } catch (error) {
      if (!(error instanceof PodRefused)) throw error
      const { file, line } = manifests.find(({ object }) => object === source) ?? {}
      const place = file === undefined ? '' : `${file}:${line}: `
      throw new ManifestError(`${place}${pod.kind} ${pod.metadata.name}: ${error.message}`, { cause: error })
    }
  }
}
