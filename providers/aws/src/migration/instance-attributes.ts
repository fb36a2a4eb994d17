import { ownValue, plainText } from '@kerf/apis'
import type { FieldConversion, InstanceAttributes } from '@kerf/provider-contract'
import { asNumber, asText, asTexts, isLoose, isUnset, type Loose, looseAt } from '@kerf/provider-kit/documents'
import { type FieldRule, fieldConversion } from '@kerf/provider-kit/migration'
import { awsLabels } from '../label-names.ts'

type Requirement = InstanceAttributes['requirements'][number]

export interface ReadAttributes {
  readonly attributes: InstanceAttributes
  readonly conversions: readonly FieldConversion[]
}

const INSTANCE_TYPE = 'node.kubernetes.io/instance-type'

const valueRequirement = (
  key: string,
  values: readonly string[],
  operator: 'In' | 'NotIn' = 'In',
): readonly Requirement[] => (values.length === 0 ? [] : [{ key, operator, values: [...values] }])

/** Returns requirements for a range with `Min` and `Max`, both inclusive. */
const within = (key: string, range: unknown): readonly Requirement[] => {
  const min = asNumber(looseAt(range, 'Min'))
  const max = asNumber(looseAt(range, 'Max'))
  return [
    ...(min === undefined || min <= 0 ? [] : [{ key, operator: 'Gt' as const, values: [String(Math.ceil(min) - 1)] }]),
    ...(max === undefined ? [] : [{ key, operator: 'Lt' as const, values: [String(Math.floor(max) + 1)] }]),
  ]
}

/** Returns the instance types and the whole families (`m5.*`) in the patterns. Returns undefined if a pattern has another form. */
const namedTypes = (patterns: readonly string[]) => {
  const families = patterns.filter((each) => /^[a-z0-9-]+\.\*$/.test(each)).map((each) => each.slice(0, -2))
  const types = patterns.filter((each) => /^[a-z0-9-]+\.[a-z0-9-]+$/.test(each))
  return families.length + types.length === patterns.length ? { families, types } : undefined
}

/**
 * Returns requirements that allow the instance types in the patterns. Returns undefined if the patterns mix families and single types,
 * because a NodePool requires all of its requirements and cannot express "or".
 */
const allowed = (patterns: readonly string[]): readonly Requirement[] | undefined => {
  const named = namedTypes(patterns)
  if (named === undefined || (named.families.length > 0 && named.types.length > 0)) return undefined
  return [...valueRequirement(awsLabels.family, named.families), ...valueRequirement(INSTANCE_TYPE, named.types)]
}

const excluded = (patterns: readonly string[]): readonly Requirement[] | undefined => {
  const named = namedTypes(patterns)
  if (named === undefined) return undefined
  return [
    ...valueRequirement(awsLabels.family, named.families, 'NotIn'),
    ...valueRequirement(INSTANCE_TYPE, named.types, 'NotIn'),
  ]
}

const MANUFACTURERS: Readonly<Record<string, string>> = { 'amazon-web-services': 'aws', intel: 'intel', amd: 'amd' }

/** Returns the requirements of one attribute. Returns undefined if a NodePool cannot express it. */
type Reader = (value: unknown) => readonly Requirement[] | undefined

/** Readers for the fields of `InstanceRequirements` of Auto Scaling groups and launch templates. */
const requirementReaders: Readonly<Record<string, Reader>> = {
  VCpuCount: (value) => within(awsLabels.cpu, value),
  MemoryMiB: (value) => within(awsLabels.memory, value),
  CpuManufacturers: (value) => {
    const found = asTexts(value).map((each) => ownValue(MANUFACTURERS, each))
    return found.some((each) => each === undefined)
      ? undefined
      : valueRequirement(
          awsLabels.cpuManufacturer,
          found.filter((each) => each !== undefined),
        )
  },
  AllowedInstanceTypes: (value) => allowed(asTexts(value)),
  ExcludedInstanceTypes: (value) => excluded(asTexts(value)),
  AcceleratorCount: (value) =>
    asNumber(looseAt(value, 'Max')) === 0
      ? [{ key: awsLabels.gpuCount, operator: 'DoesNotExist' }]
      : within(awsLabels.gpuCount, value),
  NetworkBandwidthGbps: (value) =>
    isLoose(value)
      ? within(awsLabels.networkBandwidth, {
          Min: (asNumber(value['Min']) ?? 0) * 1000,
          ...(asNumber(value['Max']) === undefined ? {} : { Max: (asNumber(value['Max']) ?? 0) * 1000 }),
        })
      : undefined,
  BaselineEbsBandwidthMbps: (value) => within(awsLabels.ebsBandwidth, value),
  BurstablePerformance: (value) => {
    switch (value) {
      case 'required':
        return valueRequirement(awsLabels.category, ['t'])
      case 'excluded':
        return valueRequirement(awsLabels.category, ['t'], 'NotIn')
      default:
        return []
    }
  },
  BareMetal: (value) => (value === 'included' ? [] : undefined),
}

const AMOUNT = /^(\d+(?:\.\d+)?)\s*([mgt]?)i?b?$/i
const MIB: Readonly<Record<string, number>> = { '': 1024, m: 1, g: 1024, t: 1024 * 1024 }

/** Readers for the fields of eksctl's `instanceSelector`. A memory size without a unit is in GiB. */
const selectorReaders: Readonly<Record<string, Reader>> = {
  vCPUs: (value) => valueRequirement(awsLabels.cpu, [plainText(value)]),
  memory: (value) => {
    const [, amount, unit = ''] = AMOUNT.exec(plainText(value).trim()) ?? []
    return amount === undefined
      ? undefined
      : valueRequirement(awsLabels.memory, [
          String(Math.round(Number(amount) * (ownValue(MIB, unit.toLowerCase()) ?? 1024))),
        ])
  },
  gpus: (value) =>
    asNumber(value) === 0
      ? [{ key: awsLabels.gpuCount, operator: 'DoesNotExist' }]
      : valueRequirement(awsLabels.gpuCount, [plainText(value)]),
  cpuArchitecture: (value) => {
    const arch = asText(value)
    if (arch === 'x86_64' || arch === 'amd64') return valueRequirement('kubernetes.io/arch', ['amd64'])
    return arch === 'arm64' ? valueRequirement('kubernetes.io/arch', ['arm64']) : undefined
  },
}

const shown = (name: string, value: unknown): string => `${name} ${JSON.stringify(value)}`

const readBy = (
  readers: Readonly<Record<string, Reader>>,
  source: Loose,
  object: string,
  prefix: string,
): ReadAttributes => {
  const requirements: Requirement[] = []
  const conversions: FieldConversion[] = []
  const set = Object.entries(source).filter(([, value]) => !isUnset(value))
  for (const [name, value] of set) {
    const found = ownValue(readers, name)?.(value)
    requirements.push(...(found ?? []))
    const keys = [...new Set((found ?? []).map(({ key }) => key))]
    const rule: FieldRule =
      found === undefined
        ? { because: 'a NodePool cannot require it, or only with other labels: see the instance types that remain' }
        : keys.length === 0
          ? { because: 'it leaves out no instance type' }
          : { to: `NodePool requirement ${keys.join(', ')}` }
    conversions.push(fieldConversion(object, `${prefix}.${name}`, rule))
  }
  return {
    conversions,
    attributes: { requirements, text: set.map(([name, value]) => shown(name, value)).join(', ') },
  }
}

/**
 * Combines alternative choices into one. If there is more than one choice, the result has a description but no requirements, because a
 * NodePool cannot express alternatives.
 */
export const alternatives = (choices: readonly InstanceAttributes[]): InstanceAttributes => {
  const [first] = choices
  if (choices.length === 1 && first !== undefined) return first
  return { requirements: [], text: choices.map(({ text }) => text).join(', or ') }
}

/** Converts `InstanceRequirements` to requirements of a NodePool. The result also states how each field was converted. */
export const readInstanceRequirements = (source: Loose, object: string, prefix: string): ReadAttributes =>
  readBy(requirementReaders, source, object, prefix)

/** Converts eksctl's `instanceSelector` to requirements of a NodePool. The result also states how each field was converted. */
export const readInstanceSelector = (source: Loose, object: string): ReadAttributes =>
  readBy(selectorReaders, source, object, 'instanceSelector')
