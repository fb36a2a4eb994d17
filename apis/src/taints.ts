import type { Taint } from './kubernetes/node.ts'
import type { Toleration } from './kubernetes/pod.ts'

/** Taints with a meaning to Karpenter (`spec/core-api.md` 2.6). */
export const taints = {
  /** The kubelet registers with it; registration takes it off. */
  unregistered: { key: 'karpenter.sh/unregistered', effect: 'NoExecute' },
  /** On nodes that are about to go. Pods that tolerate it are neither evicted nor waited for. */
  disrupted: { key: 'karpenter.sh/disrupted', effect: 'NoSchedule' },
  unschedulable: { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' },
} as const satisfies Record<string, Taint>

/** Prefix of keys whose taints are ephemeral whatever their effect. */
const READINESS_PREFIX = 'readiness.k8s.io/'

/** Taints that come and go by themselves while a node starts. */
export const ephemeralTaints: readonly Taint[] = [
  { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/unreachable', effect: 'NoSchedule' },
  { key: 'node.cloudprovider.kubernetes.io/uninitialized', effect: 'NoSchedule' },
  taints.unregistered,
]

/** Same key and same effect: what counts as the same taint everywhere. The value is not compared. */
export const isSameTaint = (a: Taint, b: Taint): boolean => a.key === b.key && a.effect === b.effect

/** Ignored while a node initialises, and in the way of its being initialised. */
export const isEphemeralTaint = (taint: Taint): boolean =>
  taint.key.startsWith(READINESS_PREFIX) || ephemeralTaints.some((ephemeral) => isSameTaint(ephemeral, taint))

const INTEGER = /^(0|-?[1-9][0-9]*)$/

/** Lt and Gt compare whole numbers; anything else does not tolerate. */
const comparesNumbers = (taint: Taint, toleration: Toleration): boolean => {
  const actual = taint.value ?? ''
  const bound = toleration.value ?? ''
  if (!INTEGER.test(actual) || !INTEGER.test(bound)) return false
  return toleration.operator === 'Lt' ? BigInt(actual) < BigInt(bound) : BigInt(actual) > BigInt(bound)
}

/**
 * Whether one toleration covers a taint: effect and key equal or left out, and by operator: `Exists` any value, `Equal`
 * (the default) the same value, `Lt`/`Gt` a taint value below or above the toleration's.
 */
export const toleratesWith = (toleration: Toleration, taint: Taint): boolean => {
  if (toleration.effect !== undefined && toleration.effect !== '' && toleration.effect !== taint.effect) return false
  if (toleration.key !== undefined && toleration.key !== '' && toleration.key !== taint.key) return false
  switch (toleration.operator ?? '') {
    case '':
    case 'Equal':
      return (toleration.value ?? '') === (taint.value ?? '')
    case 'Exists':
      return true
    case 'Lt':
    case 'Gt':
      return comparesNumbers(taint, toleration)
  }
}

/** Whether any of the tolerations covers the taint. */
export const tolerates = (tolerations: readonly Toleration[] | undefined, taint: Taint): boolean =>
  tolerations?.some((toleration) => toleratesWith(toleration, taint)) ?? false
