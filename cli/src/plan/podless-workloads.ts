import { type KubeObject, type LabelSelector, matchesLabelSelector } from '@kerf/apis'
import type { Manifest } from '../manifests/manifest.ts'

/** How many workloads a line names. */
const NAMED = 5
const KINDS: ReadonlySet<string> = new Set(['Deployment', 'StatefulSet', 'ReplicaSet', 'Job'])

interface Workload extends KubeObject {
  readonly spec?: { readonly replicas?: number; readonly selector?: LabelSelector }
}

const namespaceOf = ({ metadata }: KubeObject): string => metadata.namespace ?? 'default'

/** A workload that has replicas and no controller of its own that creates its pods. */
const wantsPods = (object: KubeObject): object is Workload =>
  KINDS.has(object.kind) &&
  !(object.metadata.ownerReferences ?? []).some(({ controller }) => controller === true) &&
  (object as Workload).spec?.replicas !== 0

const isOf = (pod: KubeObject, workload: Workload): boolean =>
  namespaceOf(pod) === namespaceOf(workload) &&
  (matchesLabelSelector(workload.spec?.selector, pod.metadata.labels) ||
    (pod.metadata.ownerReferences ?? []).some(
      ({ kind, name }) => kind === workload.kind && name === workload.metadata.name,
    ))

/**
 * A line about workloads of which the files hold no pod: nothing would be planned for them, and "No new node is needed"
 * would be taken for an answer. Those that a cluster has reported on have their pods, or are done.
 */
export const podlessWorkloads = (manifests: readonly Manifest[]): string | undefined => {
  const objects = manifests.map(({ object }) => object)
  const pods = objects.filter(({ kind }) => kind === 'Pod')
  const podless = objects
    .filter(wantsPods)
    .filter((workload) => !('status' in workload) && !pods.some((pod) => isOf(pod, workload)))
  if (podless.length === 0) return undefined
  const names = podless.slice(0, NAMED).map((object) => `${object.kind} ${namespaceOf(object)}/${object.metadata.name}`)
  const more = podless.length > NAMED ? ` and ${podless.length - NAMED} more` : ''
  return `only pods are planned, and the files hold none of ${names.join(', ')}${more}; to see their nodes: kerf up -f, or kerf simulate -f`
}
