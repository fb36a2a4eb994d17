import { tryParseDuration, tryParseQuantity } from '@kerf/apis'
import type { KubeletSettings } from './resolved-class.ts'

const shown = (value: string): string => JSON.stringify(value)

/** Returns the values that the CRD accepts but the kubelet refuses, one sentence each. `path` is the path of the field in the class. */
export const kubeletProblems = (path: string, kubelet: KubeletSettings): readonly string[] => {
  const amounts = (['systemReserved', 'kubeReserved', 'evictionHard', 'evictionSoft'] as const).flatMap((field) =>
    Object.entries(kubelet[field] ?? {}).flatMap(([key, value]) => {
      const isPercentage = field.startsWith('eviction') && /^\d+(\.\d+)?%$/.test(value)
      return isPercentage || tryParseQuantity(value) !== undefined
        ? []
        : [`${path}.${field}[${shown(key)}]: ${shown(value)} must be a quantity, for example "100Mi"`]
    }),
  )
  const periods = Object.entries(kubelet.evictionSoftGracePeriod ?? {}).flatMap(([key, value]) =>
    tryParseDuration(value) === undefined
      ? [`${path}.evictionSoftGracePeriod[${shown(key)}]: ${shown(value)} must be a duration, for example "1m30s"`]
      : [],
  )
  const soft = kubelet.evictionSoft ?? {}
  const grace = kubelet.evictionSoftGracePeriod ?? {}
  const unmatched = [
    ...Object.keys(soft).flatMap((key) =>
      Object.hasOwn(grace, key)
        ? []
        : [`${path}.evictionSoft: ${shown(key)} needs an entry in evictionSoftGracePeriod`],
    ),
    ...Object.keys(grace).flatMap((key) =>
      Object.hasOwn(soft, key) ? [] : [`${path}.evictionSoftGracePeriod: ${shown(key)} needs an entry in evictionSoft`],
    ),
  ]
  const { imageGCHighThresholdPercent: high, imageGCLowThresholdPercent: low } = kubelet
  const percents =
    high !== undefined && low !== undefined && high <= low
      ? [`${path}.imageGCHighThresholdPercent must be greater than imageGCLowThresholdPercent`]
      : []
  return [...amounts, ...periods, ...unmatched, ...percents]
}
