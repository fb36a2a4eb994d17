import type { DaemonSet, KubeObject, Pod } from '@kerf/apis'
import { PodAdmission, PodRefused } from '@kerf/sandbox/pod-admission'
import type { Manifest } from '../manifests/manifest.ts'
import { ManifestError } from '../manifests/manifest-error.ts'

/**
 * Returns a function that converts a pod from a file into the pod that the API server would store. It applies the sandbox's admission
 * with the RuntimeClasses, PriorityClasses and LimitRanges in the manifests. Pods that a server has already stored are returned
 * unchanged. Error messages contain the name of `source`, which is the pod or its owner.
 * @throws ManifestError with file and line if admission refuses the pod
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

/**
 * Returns a function that applies pod admission to the template of a DaemonSet: the overhead, node selector and tolerations of its
 * RuntimeClass, the requests of LimitRanges, and defaults. So plans reserve the right amount for a DaemonSet that has no pods yet. If the
 * API server has stored the DaemonSet but admission refuses its pods, the function returns `undefined`, because this DaemonSet runs on no
 * node.
 * @throws ManifestError with file and line if admission refuses the pods of a DaemonSet in a file
 */
export const admittingDaemons = (manifests: readonly Manifest[]): ((daemonSet: DaemonSet) => DaemonSet | undefined) => {
  const admit = admitting(manifests)
  return (daemonSet) => {
    const { metadata, spec } = daemonSet
    const { name, namespace = 'default' } = metadata
    const pod: Pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { ...spec.template.metadata, name, namespace },
      spec: spec.template.spec,
    }
    try {
      const admitted = admit(pod, daemonSet).spec
      return { ...daemonSet, spec: { ...spec, template: { ...spec.template, spec: admitted } } }
    } catch (error) {
      if (error instanceof ManifestError && metadata.uid !== undefined) return undefined
      throw error
    }
  }
}
