import { parse, YAMLParseError } from 'yaml'
import { ownValue, setOwnValue } from '../own-value.ts'
import { plainText } from '../plain-text.ts'
import { type FieldLedger, isRecord, type Json, recordOf } from './field-ledger.ts'

/** The environment variable of each old setting (`docs/spec/older-apis.md#older-settings`). */
const SETTINGS: Readonly<Record<string, string>> = {
  batchMaxDuration: 'BATCH_MAX_DURATION',
  batchIdleDuration: 'BATCH_IDLE_DURATION',
  'aws.clusterName': 'CLUSTER_NAME',
  'aws.clusterEndpoint': 'CLUSTER_ENDPOINT',
  'aws.clusterCABundle': 'CLUSTER_CA_BUNDLE',
  'aws.isolatedVPC': 'ISOLATED_VPC',
  'aws.vmMemoryOverheadPercent': 'VM_MEMORY_OVERHEAD_PERCENT',
  'aws.reservedENIs': 'RESERVED_ENIS',
  'aws.interruptionQueueName': 'INTERRUPTION_QUEUE',
  // The oldest guides set it. The SDK reads the region from this variable.
  'aws.region': 'AWS_REGION',
}
const PROFILES: ReadonlySet<string> = new Set(['aws.defaultInstanceProfile', 'aws.instanceProfile'])
const GONE: Readonly<Record<string, string>> = {
  'featureGates.driftEnabled': 'drift is always on',
  'aws.assumeRoleARN': 'v1 takes on no other role: give the controller the role itself',
  'aws.assumeRoleDuration': 'v1 takes on no other role',
  'aws.enablePodENI': 'set by the type and the requirements of pods',
  'aws.enableENILimitedPodDensity': 'use maxPods in spec.kubelet of the EC2NodeClass',
  'aws.tags': 'put them into spec.tags of each EC2NodeClass',
}

/** The settings in the old ConfigMaps. */
export interface OldSettings {
  /** By environment variable. */
  readonly env: Readonly<Record<string, string>>
  readonly defaultInstanceProfile?: string
}

interface Entry {
  readonly key: string
  readonly field: string
  readonly value: string
}

/** Parses the YAML text under `aws`. Returns the error if it is invalid. */
const innerOf = (text: unknown): Json | string => {
  try {
    const inner: unknown = parse(plainText(text))
    return isRecord(inner) ? inner : 'it is no YAML of names and values'
  } catch (error) {
    if (!(error instanceof YAMLParseError)) throw error
    return `it is not YAML: ${error.message.split('\n')[0]}`
  }
}

/** Returns the entries. `karpenter-global-settings` has dotted keys; `karpenter` from the oldest guides has a YAML text under `aws`. */
const entriesOf = (data: Json, ledger: FieldLedger): readonly Entry[] =>
  Object.entries(data).flatMap(([key, text]): readonly Entry[] => {
    if (key !== 'aws') return [{ key, field: `data.${key}`, value: plainText(text) }]
    const inner = innerOf(text)
    if (typeof inner === 'string') {
      ledger.say('data.aws', 'gone', undefined, inner)
      return []
    }
    ledger.say('data.aws', 'renamed', 'settings of the chart')
    return Object.entries(inner).map(([name, value]) => ({
      key: `aws.${name}`,
      field: `data.aws.${name}`,
      value: plainText(value),
    }))
  })

/** Converts `data` of one of the two ConfigMaps. */
export const convertSettings = (data: unknown, ledger: FieldLedger): OldSettings => {
  const env: Record<string, string> = {}
  let defaultInstanceProfile: string | undefined
  ledger.say('metadata', 'gone', undefined, 'settings are environment variables, set by the chart')
  for (const { key, field, value } of entriesOf(recordOf(data), ledger)) {
    const name = ownValue(SETTINGS, key)
    if (name !== undefined) {
      setOwnValue(env, name, value)
      ledger.say(field, 'renamed', name)
    } else if (PROFILES.has(key)) {
      defaultInstanceProfile = value
      ledger.say(field, 'changed', 'spec.instanceProfile', 'of each EC2NodeClass that names neither role nor profile')
    } else ledger.say(field, 'gone', undefined, ownValue(GONE, key) ?? 'v1 has no such setting')
  }
  return { env, ...(defaultInstanceProfile === undefined ? {} : { defaultInstanceProfile }) }
}
