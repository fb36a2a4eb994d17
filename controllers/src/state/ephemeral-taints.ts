import type { Taint } from '@kerf/apis'
import { isSameTaint } from './tolerations.ts'

const KNOWN: readonly Taint[] = [
  { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/unreachable', effect: 'NoSchedule' },
  { key: 'node.cloudprovider.kubernetes.io/uninitialized', effect: 'NoSchedule' },
  { key: 'karpenter.sh/unregistered', effect: 'NoExecute' },
]

/** Node readiness gates set and remove taints under this prefix. */
const READINESS_PREFIX = 'readiness.k8s.io/'

/** Taints that every node carries while it comes up; they go by themselves (`spec/scheduling.md` 5.3). */
export const isEphemeralTaint = (taint: Taint): boolean =>
  taint.key.startsWith(READINESS_PREFIX) || KNOWN.some((known) => isSameTaint(known, taint))
