import { type Milliseconds, plainText } from '@kerf/apis'
import { parse } from 'yaml'

/** The parsed status of a Cluster Autoscaler (`docs/spec/coexistence.md#status`). */
export interface ClusterAutoscalerStatus {
  readonly writtenAt?: Milliseconds
  readonly health?: string
  readonly groups: readonly { readonly name: string; readonly min: number; readonly max: number }[]
}

/** The ConfigMap to which Cluster Autoscaler writes its status by default. A flag of Cluster Autoscaler changes the name. */
export const statusConfigMap = { namespace: 'kube-system', name: 'cluster-autoscaler-status' } as const

/**
 * Kerf ignores a status that is older than this. Cluster Autoscaler writes its status in every loop, so an old status means that it has
 * stopped.
 */
const STATUS_LIFETIME: Milliseconds = 180_000

export const isFresh = ({ writtenAt }: ClusterAutoscalerStatus, now: Milliseconds): boolean =>
  writtenAt !== undefined && now - writtenAt <= STATUS_LIFETIME

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Parses a time in the format that Go prints, for example `2026-08-22 09:00:00.1 +0000 UTC`. */
const goTime = (text: unknown): Milliseconds | undefined => {
  const [, day, time, zone] = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?) ([+-]\d{4})/.exec(plainText(text)) ?? []
  if (day === undefined || time === undefined || zone === undefined) return undefined
  const [clock = '', fraction = ''] = time.split('.')
  const at = Date.parse(`${day}T${clock}.${fraction.slice(0, 3).padEnd(3, '0')}${zone.slice(0, 3)}:${zone.slice(3)}`)
  return Number.isNaN(at) ? undefined : at
}

/** Parses the plain-text status of releases before 1.30. Returns undefined if the text has a different format. */
const statusInProse = (text: string): ClusterAutoscalerStatus | undefined => {
  const [, time] = /^Cluster-autoscaler status at (.+):\s*$/m.exec(text) ?? []
  if (time === undefined) return undefined
  const [wide = '', ...groups] = text.split(/^\s*Name:/m)
  const [, health] = /^Cluster-wide:\s*^\s*Health:\s*(\w+)/m.exec(wide) ?? []
  const writtenAt = goTime(time)
  return {
    ...(writtenAt === undefined ? {} : { writtenAt }),
    ...(health === undefined ? {} : { health }),
    groups: groups.flatMap((part) => {
      const [, name] = /^\s*(\S+)/.exec(part) ?? []
      const [, min = '0', max = '0'] = /minSize=(\d+), maxSize=(\d+)/.exec(part) ?? []
      return name === undefined ? [] : [{ name, min: Number(min), max: Number(max) }]
    }),
  }
}

/** Parses the status, which is YAML, or plain text in releases before 1.30. Returns undefined if the text has a different format. */
export const parseAutoscalerStatus = (text: string | undefined): ClusterAutoscalerStatus | undefined => {
  if (text === undefined) return undefined
  const prose = statusInProse(text)
  if (prose !== undefined) return prose
  let document: unknown
  try {
    document = parse(text, { logLevel: 'silent' })
  } catch {
    return undefined
  }
  if (!isRecord(document) || document['autoscalerStatus'] === undefined) return undefined
  const wide = isRecord(document['clusterWide']) ? document['clusterWide']['health'] : undefined
  const writtenAt = goTime(document['time'])
  const groups = Array.isArray(document['nodeGroups']) ? document['nodeGroups'] : []
  return {
    ...(writtenAt === undefined ? {} : { writtenAt }),
    ...(isRecord(wide) && typeof wide['status'] === 'string' ? { health: wide['status'] } : {}),
    groups: groups.filter(isRecord).flatMap(({ name, health }) => {
      if (typeof name !== 'string') return []
      const { minSize, maxSize } = isRecord(health) ? health : {}
      return [{ name, min: typeof minSize === 'number' ? minSize : 0, max: typeof maxSize === 'number' ? maxSize : 0 }]
    }),
  }
}
