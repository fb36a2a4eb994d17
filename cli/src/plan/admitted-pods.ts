import type { DaemonSet, KubeObject, Pod } from '@kerf/apis'
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

/**
 * Returns a function that gives the template of a DaemonSet what admission gives its pods: the overhead, selector and tolerations of its RuntimeClass,
 * requests of LimitRanges, and defaults. Then a daemon that has no pod yet asks for what its pods will ask for. Returns `undefined` if the API
 * server has stored the DaemonSet and admission refuses its pods: such a DaemonSet runs nowhere.
 *
 * @throws ManifestError with file and line of a DaemonSet of files whose pods admission refuses
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
