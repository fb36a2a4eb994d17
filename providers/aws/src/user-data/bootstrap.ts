import { type capacityTypes, labelDomain, labels, type Taint, taints } from '@kerf/apis'
import type { AmiFamily } from '../node-class/ami-family.ts'
import type { EC2NodeClassSpec } from '../node-class/ec2-node-class.ts'
import type { SettledKubelet } from '../node-class/kubelet-fields.ts'

/** The facts of the cluster that a node needs to join it. */
export interface ClusterFacts {
  readonly name: string
  readonly endpoint: string
  /** The certificate authority in base64. */
  readonly caBundle?: string
  /** The service CIDR. Looked up only for AL2023. */
  readonly serviceCidr?: string
}

/** The inputs of an instance's user data (`providers/aws/docs/spec/aws.md#user-data`). */
export interface Bootstrap {
  readonly cluster: ClusterFacts
  /** The labels that the kubelet sets on the node: see `bootstrapLabels`. */
  readonly labels: Readonly<Record<string, string>>
  readonly taints: readonly Taint[]
  /** The node class's unmodified kubelet settings. AL2023 passes all of them on. */
  readonly kubelet: EC2NodeClassSpec['kubelet']
  readonly settled: SettledKubelet
  /** `spec.userData`. */
  readonly custom?: string
  readonly raid0: boolean
  /** The version of the Bottlerocket image, if known (see `bottlerocketVersion`). */
  readonly imageVersion?: string
}

/** The domains whose labels a kubelet is not allowed to set on its own node. */
const CLUSTER_DOMAINS = ['kubernetes.io', 'k8s.io', 'node-restriction.kubernetes.io']
const isOfCluster = (key: string): boolean => {
  const domain = labelDomain(key)
  return CLUSTER_DOMAINS.some((each) => domain === each || domain.endsWith(`.${each}`))
}

/** Returns the NodeClaim's labels and the chosen capacity type, without labels that a kubelet is not allowed to set. */
export const bootstrapLabels = (
  claimLabels: Readonly<Record<string, string>>,
  capacityType: (typeof capacityTypes)[keyof typeof capacityTypes],
  family: AmiFamily,
): Readonly<Record<string, string>> => {
  const all = {
    ...claimLabels,
    [labels.capacityType]: capacityType,
    ...(family === 'Custom' ? {} : { [labels.doNotSyncTaints]: 'true' }),
  }
  return Object.fromEntries(Object.entries(all).filter(([key]) => !isOfCluster(key)))
}

/** Returns the NodeClaim's taints, its startup taints, and the taint that keeps pods away until the node is registered. */
export const bootstrapTaints = (spec: {
  readonly taints?: readonly Taint[]
  readonly startupTaints?: readonly Taint[]
}): readonly Taint[] => {
  const all = [...(spec.taints ?? []), ...(spec.startupTaints ?? [])]
  const { key, effect } = taints.unregistered
  return all.some((taint) => taint.key === key && taint.effect === effect) ? all : [...all, { key, effect }]
}

/** Returns entries sorted by key, so that equal maps give equal text. */
export const sortedEntries = <T>(map: Readonly<Record<string, T>> | undefined): readonly (readonly [string, T])[] =>
  Object.entries(map ?? {}).toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))

const joined = (map: Readonly<Record<string, string>> | undefined, sign: '=' | '<'): string =>
  sortedEntries(map)
    .map(([key, value]) => `${key}${sign}${value}`)
    .join(',')

const taintText = ({ key, value, effect }: Taint): string =>
  value === undefined || value === '' ? `${key}:${effect}` : `${key}=${value}:${effect}`

export const labelFlag = (nodeLabels: Readonly<Record<string, string>>): string =>
  `--node-labels="${joined(nodeLabels, '=')}"`

/** Returns the kubelet's flags in upstream's order. Maps are sorted by key. */
export const kubeletFlags = ({ labels: nodeLabels, taints: nodeTaints, settled }: Bootstrap): readonly string[] => {
  const flags: string[] = []
  const add = (name: string, value: string | number | boolean | undefined): void => {
    if (value === undefined || value === '') return
    flags.push(typeof value === 'string' ? `--${name}="${value}"` : `--${name}=${value}`)
  }
  add('node-labels', joined(nodeLabels, '='))
  add('register-with-taints', nodeTaints.map(taintText).join(','))
  add('max-pods', settled.maxPods)
  add('pods-per-core', settled.podsPerCore)
  add('system-reserved', joined(settled.systemReserved, '='))
  add('kube-reserved', joined(settled.kubeReserved, '='))
  add('eviction-hard', joined(settled.evictionHard, '<'))
  add('eviction-soft', joined(settled.evictionSoft, '<'))
  add('eviction-soft-grace-period', joined(settled.evictionSoftGracePeriod, '='))
  add('eviction-max-pod-grace-period', settled.evictionMaxPodGracePeriod)
  add('image-gc-high-threshold', settled.imageGCHighThresholdPercent)
  add('image-gc-low-threshold', settled.imageGCLowThresholdPercent)
  add('cpu-cfs-quota', settled.cpuCFSQuota)
  return flags
}
