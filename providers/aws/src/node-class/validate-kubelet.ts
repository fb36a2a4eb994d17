import { ownValue, tryParseDuration, tryParseQuantity } from '@kerf/apis'
import type { AmiFamily } from './ami-family.ts'
import type { EC2NodeClassSpec } from './ec2-node-class.ts'
import { KubeletFieldError, type KubeletFields, passthroughFields, setKubeletFields } from './kubelet-fields.ts'

/** Finds values in `spec.kubelet` that the API server accepts and a kubelet rejects (`providers/aws/docs/spec/aws-node-class.md#kubelet`). */

const SIGNALS: ReadonlySet<string> = new Set([
  'memory.available',
  'nodefs.available',
  'nodefs.inodesFree',
  'imagefs.available',
  'imagefs.inodesFree',
  'pid.available',
])
const RESERVABLE: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage', 'pid'])

const isThreshold = (value: string): boolean => {
  if (!value.endsWith('%')) return (tryParseQuantity(value) ?? -1n) >= 0n
  const percent = Number(value.slice(0, -1))
  return value.length > 1 && percent >= 0 && percent <= 100
}
const isGracePeriod = (value: string): boolean => (tryParseDuration(value) ?? -1) >= 0

type Problems = string[]
type TextMap = Readonly<Record<string, string>>

const checkSignals = (
  problems: Problems,
  field: string,
  map: TextMap | undefined,
  isGood: (value: string) => boolean,
  wanted: string,
): void => {
  for (const [signal, value] of Object.entries(map ?? {})) {
    const at = `${field}[${JSON.stringify(signal)}]`
    if (!SIGNALS.has(signal)) problems.push(`${at}: unknown signal; signals: ${[...SIGNALS].join(', ')}`)
    else if (!isGood(value)) problems.push(`${at}: ${JSON.stringify(value)} is not ${wanted}`)
  }
}

const checkReserved = (problems: Problems, field: string, map: TextMap | undefined): void => {
  for (const [resource, value] of Object.entries(map ?? {})) {
    const at = `${field}[${JSON.stringify(resource)}]`
    if (!RESERVABLE.has(resource))
      problems.push(`${at}: cannot be reserved; reservable resources: ${[...RESERVABLE].join(', ')}`)
    else if (value.startsWith('-')) problems.push(`${at}: ${JSON.stringify(value)} is negative`)
  }
}

const checkNumbers = (problems: Problems, fields: KubeletFields): void => {
  for (const field of ['maxPods', 'podsPerCore', 'evictionMaxPodGracePeriod'] as const) {
    const value = fields[field]
    if (typeof value === 'number' && value < 0) problems.push(`${field}: ${value} is negative`)
  }
  for (const field of ['imageGCHighThresholdPercent', 'imageGCLowThresholdPercent'] as const) {
    const value = fields[field]
    if (value !== undefined && (value < 0 || value > 100)) problems.push(`${field}: ${value} is not between 0 and 100`)
  }
  const { imageGCHighThresholdPercent: high, imageGCLowThresholdPercent: low } = fields
  if (high !== undefined && low !== undefined && high <= low)
    problems.push(`imageGCHighThresholdPercent: ${high} is not above imageGCLowThresholdPercent, ${low}`)
}

const THRESHOLD = 'an amount or a percentage from 0% to 100%'

/** Returns the map of strings in a kubelet field that Kerf does not interpret elsewhere. @throws KubeletFieldError for any other value. */
const otherMap = (kubelet: NonNullable<EC2NodeClassSpec['kubelet']>, field: string): TextMap => {
  const value = ownValue(kubelet, field) ?? {}
  if (typeof value !== 'object' || Array.isArray(value)) throw new KubeletFieldError(field, 'a map of strings')
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]: readonly [string, unknown]) => {
      if (typeof entry === 'string') return [key, entry]
      throw new KubeletFieldError(`${field}[${JSON.stringify(key)}]`, 'a text, in quotes')
    }),
  )
}

/**
 * Returns all problems of the settings, each with its field. If a value has a wrong type, returns only that problem. Does not check
 * settings that Kerf passes through to the kubelet.
 */
export const kubeletProblems = (kubelet: EC2NodeClassSpec['kubelet']): readonly string[] => {
  const problems: Problems = []
  try {
    const fields = setKubeletFields(kubelet)
    const reclaim = otherMap(kubelet ?? {}, 'evictionMinimumReclaim')
    if (kubelet?.['registerWithTaints'] !== undefined)
      problems.push('registerWithTaints: the controller sets it; use the taints of the NodePool')
    checkSignals(problems, 'evictionHard', fields.evictionHard, isThreshold, THRESHOLD)
    checkSignals(problems, 'evictionSoft', fields.evictionSoft, isThreshold, THRESHOLD)
    checkSignals(problems, 'evictionMinimumReclaim', reclaim, isThreshold, THRESHOLD)
    const grace = fields.evictionSoftGracePeriod
    checkSignals(problems, 'evictionSoftGracePeriod', grace, isGracePeriod, 'a duration such as 1m30s')
    const [soft, graced] = [new Set(Object.keys(fields.evictionSoft ?? {})), new Set(Object.keys(grace ?? {}))]
    for (const signal of soft.difference(graced))
      problems.push(`evictionSoft[${JSON.stringify(signal)}]: has no evictionSoftGracePeriod`)
    for (const signal of graced.difference(soft))
      problems.push(`evictionSoftGracePeriod[${JSON.stringify(signal)}]: has no evictionSoft`)
    checkReserved(problems, 'kubeReserved', fields.kubeReserved)
    checkReserved(problems, 'systemReserved', fields.systemReserved)
    checkNumbers(problems, fields)
    return problems
  } catch (error) {
    if (error instanceof KubeletFieldError) return [error.message]
    throw error
  }
}

/**
 * Returns the settings that the family cannot pass to the kubelet. Empty for AL2023, which passes on all settings, and for Custom. Leaves
 * out fields that upstream 1.14 accepts and ignores: see `unusedKubeletFields`.
 */
export const unsupportedKubeletFields = (family: AmiFamily, kubelet: EC2NodeClassSpec['kubelet']): readonly string[] =>
  family === 'AL2023' || family === 'Custom'
    ? []
    : passthroughFields(kubelet).map((field) => `${field}: not supported by ${family}; AL2023 supports it`)

/** Returns the settings that the family ignores. They are not an error, because upstream 1.14 launches nodes of such node classes. */
export const unusedKubeletFields = (family: AmiFamily, kubelet: EC2NodeClassSpec['kubelet']): readonly string[] => {
  if (family === 'AL2023' || family === 'Custom') return []
  const { clusterDNS = [], podsPerCore } = setKubeletFields(kubelet)
  return [
    ...(family === 'Bottlerocket' && podsPerCore !== undefined
      ? ['spec.kubelet.podsPerCore has no effect, because Bottlerocket has no such setting; use maxPods']
      : []),
    ...(clusterDNS.length > 1
      ? [`${family} uses only the first address of spec.kubelet.clusterDNS; remove the other ${clusterDNS.length - 1}`]
      : []),
  ]
}
