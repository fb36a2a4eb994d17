import { listAt, objectLabel, objectName, textAt } from './read.ts'

/**
 * Returns the workload of a pod, for example `Deployment/payments`, or the pod itself if it has no owner. If the
 * owner is a ReplicaSet whose name ends with the pod template hash, returns its Deployment.
 */
export const podWorkload = (pod: unknown): string => {
  const [owner] = listAt(pod, 'metadata', 'ownerReferences')
  if (owner === undefined) return `Pod/${objectName(pod)}`
  const [kind, name] = [textAt(owner, 'kind') ?? '', textAt(owner, 'name') ?? '']
  const hash = objectLabel(pod, 'pod-template-hash')
  return hash !== undefined && kind === 'ReplicaSet' && name.endsWith(`-${hash}`)
    ? `Deployment/${name.slice(0, -hash.length - 1)}`
    : `${kind}/${name}`
}
