import { formatDuration, formatQuantity, ownValue, toMilli, toWhole, tryParseDuration } from '@kerf/apis'
import { parse, stringify } from 'yaml'
import type { NodePlan } from './node-plan.ts'

type Fields = Readonly<Record<string, unknown>>

const MIB = 1024 ** 2
/** The duration of a spot instance's graceful shutdown, and the part of it that is reserved for critical pods. */
const SPOT = { shutdownGracePeriod: '30s', shutdownGracePeriodCriticalPods: '15s' }

const fieldsIn = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}

/** Returns the reserved resources of the instance type in GKE's format. */
const reservedTexts = ({ kubeReserved }: NodePlan): Readonly<Record<string, string>> => {
  const cpu = ownValue(kubeReserved, 'cpu')
  const memory = ownValue(kubeReserved, 'memory')
  const disk = ownValue(kubeReserved, 'ephemeral-storage')
  return {
    ...(cpu === undefined ? {} : { cpu: `${toMilli(cpu)}m` }),
    ...(memory === undefined ? {} : { memory: `${Math.trunc(toWhole(memory) / MIB)}Mi` }),
    ...(disk === undefined ? {} : { 'ephemeral-storage': formatQuantity(disk, 'BinarySI') }),
  }
}

/** Returns the soft eviction grace periods of the node class in Go's duration format. */
const gracePeriods = ({ kubelet: { evictionSoftGracePeriod = {} } }: NodePlan): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(evictionSoftGracePeriod).map(([signal, text]) => [
      signal,
      formatDuration(tryParseDuration(text) ?? 0),
    ]),
  )

const MERGED = ['systemReserved', 'kubeReserved', 'evictionHard', 'evictionSoft', 'evictionSoftGracePeriod'] as const

/**
 * Returns the metadata item `kubelet-config`: the source's configuration, overridden by the instance type's reserved resources and then by
 * the node class. For spot instances, it also enables a graceful shutdown. Merges maps by key. Keeps unknown fields.
 */
export const kubeletConfig = (source: string, plan: NodePlan): string => {
  const { kubelet, isSpot } = plan
  const base = fieldsIn(source.trim() === '' ? {} : parse(source))
  const maps = Object.fromEntries(
    MERGED.flatMap((field) => {
      const reserved = field === 'kubeReserved' ? reservedTexts(plan) : {}
      const own = { ...reserved, ...(field === 'evictionSoftGracePeriod' ? gracePeriods(plan) : kubelet[field]) }
      return Object.keys(own).length === 0 ? [] : [[field, { ...fieldsIn(ownValue(base, field)), ...own }] as const]
    }),
  )
  const gates = isSpot
    ? { featureGates: { ...fieldsIn(ownValue(base, 'featureGates')), GracefulNodeShutdown: true } }
    : {}
  return stringify({ ...base, ...kubelet, ...maps, ...(isSpot ? SPOT : {}), ...gates }, { lineWidth: 0 })
}
