import type { DaemonSet, Node, NodeSelectorTerm, Pod, PodTemplateSpec, Toleration } from '@kerf/apis'
import { matchesNodeAffinity } from '../../objects/node-affinity.ts'
import { untolerated } from '../../objects/taints.ts'

/** The tolerations that all daemon pods get automatically, because agents should also run on nodes with problems. */
const AUTOMATIC: readonly Toleration[] = [
  { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/disk-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/pid-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: 'NoSchedule' },
]
const NETWORK: Toleration = {
  key: 'node.kubernetes.io/network-unavailable',
  operator: 'Exists',
  effect: 'NoSchedule',
}

const equal = (a: Toleration, b: Toleration): boolean => a.key === b.key && a.effect === b.effect

const templateTolerations = (template: PodTemplateSpec): Toleration[] => {
  const own = template.spec.tolerations ?? []
  const automatic = template.spec.hostNetwork === true ? [...AUTOMATIC, NETWORK] : AUTOMATIC
  return [
    ...own.filter((toleration) => !automatic.some((one) => equal(one, toleration) && toleration.operator === 'Exists')),
    ...automatic,
  ]
}

/** Returns the template with the automatic tolerations. */
const tolerant = (template: PodTemplateSpec): PodTemplateSpec => ({
  ...template,
  spec: { ...template.spec, tolerations: templateTolerations(template) },
})

/** Returns the template with a node affinity that allows only the node with this name. The scheduler still checks the node's resources. */
export const pinnedTemplate = (template: PodTemplateSpec, nodeName: string): PodTemplateSpec => {
  const field = { key: 'metadata.name', operator: 'In', values: [nodeName] } as const
  const affinity = template.spec.affinity
  const given = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? []
  const nodeSelectorTerms: NodeSelectorTerm[] =
    given.length === 0
      ? [{ matchFields: [field] }]
      : given.map((term) => ({
          ...term,
          matchFields: [...(term.matchFields ?? []).filter((one) => one.key !== field.key), field],
        }))
  const nodeAffinity = {
    ...affinity?.nodeAffinity,
    requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms },
  }
  const pinned = tolerant(template)
  return { ...pinned, spec: { ...pinned.spec, affinity: { ...affinity, nodeAffinity } } }
}

/** Returns the node that a daemon pod was created for, whether or not the pod is bound. */
export const targetNodeName = (pod: Pod): string | undefined => {
  if (pod.spec.nodeName) return pod.spec.nodeName
  const terms = pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms
  return terms?.[0]?.matchFields?.find((field) => field.key === 'metadata.name')?.values?.[0]
}

/** Returns whether the node should run a daemon pod, and whether an existing daemon pod may stay there. */
export const verdict = (set: DaemonSet, node: Node): { readonly run: boolean; readonly stay: boolean } => {
  const spec = tolerant(set.spec.template).spec
  if (spec.nodeName && spec.nodeName !== node.metadata.name) return { run: false, stay: false }
  if (!matchesNodeAffinity(spec, node)) return { run: false, stay: false }
  const taints = node.spec?.taints
  if (untolerated(taints, spec.tolerations, ['NoSchedule', 'NoExecute']) === undefined) return { run: true, stay: true }
  return { run: false, stay: untolerated(taints, spec.tolerations, ['NoExecute']) === undefined }
}
