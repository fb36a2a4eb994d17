import { isSameTaint, type Taint, taints } from '@kerf/apis'
import type { KubeletSettings } from '../node-class/resolved-class.ts'
import type { NodePlan } from './node-plan.ts'

type Texts = Readonly<Record<string, string>>

/** Returns the entries of a map in a fixed order, so that the same class always results in the same user data. */
const joined = (map: Texts, separator: string): string =>
  Object.entries(map)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}${separator}${value}`)
    .join(',')

const argument = (name: string, value: string | number | boolean | undefined): readonly string[] =>
  value === undefined || value === '' ? [] : [`--${name}=${value}`]

const quoted = (name: string, value: string, quote = '"'): readonly string[] =>
  value === '' ? [] : [`--${name}=${quote}${value}${quote}`]

/** Adds the taint that keeps pods away until Kerf has registered the node. zoom/karpenter-oci does not set it. */
const withUnregistered = (own: readonly Taint[]): readonly Taint[] =>
  own.some((taint) => isSameTaint(taint, taints.unregistered)) ? own : [...own, taints.unregistered]

const nodeTaints = ({ claim: { spec } }: NodePlan): readonly Taint[] =>
  withUnregistered([...(spec.taints ?? []), ...(spec.startupTaints ?? [])])

const taintText = ({ key, value = '', effect }: Taint): string =>
  value === '' ? `${key}:${effect}` : `${key}=${value}:${effect}`

/** Formats a taint for the install script of Oracle's images, which accepts only taints with a value. */
const taintWithValue = ({ key, value = '', effect }: Taint): string =>
  `${key}=${value === '' ? 'present' : value}:${effect}`

/** Returns the kubelet's arguments for an OciNodeClass, in the order of zoom/karpenter-oci. */
export const communityKubeletArgs = (plan: NodePlan): readonly string[] => {
  const { kubelet } = plan.nodeClass
  return [
    ...quoted('node-labels', joined(plan.labels, '=')),
    ...quoted('register-with-taints', nodeTaints(plan).map(taintText).join(',')),
    ...argument('max-pods', plan.maxPods),
    ...argument('pods-per-core', kubelet.podsPerCore),
    ...quoted('system-reserved', joined(kubelet.systemReserved ?? {}, '=')),
    ...quoted('kube-reserved', joined(kubelet.kubeReserved ?? {}, '=')),
    ...quoted('eviction-hard', joined(kubelet.evictionHard ?? {}, '<')),
    ...quoted('eviction-soft', joined(kubelet.evictionSoft ?? {}, '<')),
    ...quoted('eviction-soft-grace-period', joined(kubelet.evictionSoftGracePeriod ?? {}, '=')),
    ...endArgs(kubelet),
    ...argument('cpu-cfs-quota', kubelet.cpuCFSQuota),
  ]
}

/** Returns the kubelet's arguments for an OCINodeClass, in the order of oracle/karpenter-provider-oci. */
export const oracleKubeletArgs = (plan: NodePlan): readonly string[] => {
  const { kubelet } = plan.nodeClass
  return [
    ...argument('max-pods', kubelet.maxPods === undefined ? undefined : plan.maxPods),
    ...argument('pods-per-core', kubelet.podsPerCore),
    // A shell started by the install script would treat an unquoted `<` as a redirection.
    ...quoted('eviction-hard', joined(kubelet.evictionHard ?? {}, '<'), "'"),
    ...quoted('eviction-soft', joined(kubelet.evictionSoft ?? {}, '<'), "'"),
    ...argument('system-reserved', joined(kubelet.systemReserved ?? {}, '=')),
    ...argument('kube-reserved', joined(kubelet.kubeReserved ?? {}, '=')),
    ...quoted('eviction-soft-grace-period', joined(kubelet.evictionSoftGracePeriod ?? {}, '='), "'"),
    ...endArgs(kubelet),
    ...argument('node-labels', joined(kubelet.nodeLabels, '=')),
    ...(kubelet.extraArgs === undefined ? [] : [kubelet.extraArgs]),
    ...argument('register-with-taints', nodeTaints(plan).map(taintWithValue).join(',')),
  ]
}

const endArgs = (kubelet: KubeletSettings): readonly string[] => [
  ...argument('eviction-max-pod-grace-period', kubelet.evictionMaxPodGracePeriod),
  ...argument('image-gc-high-threshold', kubelet.imageGCHighThresholdPercent),
  ...argument('image-gc-low-threshold', kubelet.imageGCLowThresholdPercent),
]
