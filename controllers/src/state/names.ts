import type { Taint } from '@kerf/apis'

/** Labels, annotations and taints that cluster state reads (`spec/scheduling.md` 0). */

export const NODEPOOL = 'karpenter.sh/nodepool'
export const REGISTERED = 'karpenter.sh/registered'
export const INITIALIZED = 'karpenter.sh/initialized'
export const HOSTNAME = 'kubernetes.io/hostname'
export const INSTANCE_TYPE = 'node.kubernetes.io/instance-type'
export const DO_NOT_DISRUPT = 'karpenter.sh/do-not-disrupt'
export const disruptedTaint: Taint = { key: 'karpenter.sh/disrupted', effect: 'NoSchedule' }
