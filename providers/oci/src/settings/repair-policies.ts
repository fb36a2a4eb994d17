import type { RepairPolicy } from '@kerf/provider-contract'
import { readinessPolicies } from '@kerf/provider-kit'
import { SettingValueError } from '@kerf/runtime'

/** The policies without the setting: a node is repaired after it has not been ready for half an hour. */
export const defaultRepairPolicies: readonly RepairPolicy[] = readinessPolicies(30 * 60_000)

const EXAMPLE = '[{"ConditionType": "Ready", "ConditionStatus": "False", "TolerationDuration": 600000000000}]'
const STATUSES: readonly RepairPolicy['conditionStatus'][] = ['True', 'False', 'Unknown']
const NANOSECONDS_PER_MILLISECOND = 1_000_000

const fields = (entry: unknown): Readonly<Record<string, unknown>> =>
  typeof entry === 'object' && entry !== null ? { ...entry } : {}

const repairPolicy = (entry: unknown, index: number): RepairPolicy => {
  const { ConditionType: type, ConditionStatus: status, TolerationDuration: duration } = fields(entry)
  const at = `entry ${index}`
  if (typeof type !== 'string' || type === '')
    throw new SettingValueError(`${at}: ConditionType must be the type of a node condition, for example Ready`)
  const conditionStatus = STATUSES.find((each) => each === status)
  if (conditionStatus === undefined)
    throw new SettingValueError(`${at}: ConditionStatus must be one of ${STATUSES.join(', ')}`)
  const nanoseconds = typeof duration === 'string' && /^\d+$/.test(duration) ? Number(duration) : duration
  if (typeof nanoseconds !== 'number' || !Number.isInteger(nanoseconds) || nanoseconds < 0)
    throw new SettingValueError(`${at}: TolerationDuration must be a whole number of nanoseconds`)
  return { conditionType: type, conditionStatus, toleration: Math.ceil(nanoseconds / NANOSECONDS_PER_MILLISECOND) }
}

/**
 * Parses a JSON list of repair policies in the format of oracle/karpenter-provider-oci. A duration is a number of nanoseconds, which may be
 * quoted, as in the help text of Oracle's provider. An empty text means the default policies, and an empty list means no policies.
 */
export const repairPolicies = (text: string): readonly RepairPolicy[] => {
  if (text.trim() === '') return defaultRepairPolicies
  let entries: unknown
  try {
    entries = JSON.parse(text)
  } catch {
    throw new SettingValueError(`it is not JSON, for example ${EXAMPLE}`)
  }
  if (!Array.isArray(entries)) throw new SettingValueError(`it is not a list, for example ${EXAMPLE}`)
  return entries.map(repairPolicy)
}
