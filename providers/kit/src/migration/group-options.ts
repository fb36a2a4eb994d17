import { type Milliseconds, ownValue, tryParseDuration } from '@kerf/apis'
import type { FieldRule } from './field-conversion.ts'

/** The options of a node group that have an equivalent in a NodePool. */
export interface GroupOptions {
  readonly unneededTime?: Milliseconds
  /** A fraction from 0 to 1. */
  readonly utilizationThreshold?: number
}

const NO_THRESHOLD =
  'consolidation has no threshold: Kerf removes a node if its pods fit elsewhere at lower cost. 0 becomes WhenEmpty'

/** Parses a number like Go's strconv.ParseFloat, but without hexadecimal forms. */
const numberIn = (text: string): number | undefined =>
  /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text) ? Number(text) : undefined

const isBoolean = (text: string): boolean => /^(1|t|T|TRUE|true|True|0|f|F|FALSE|false|False)$/.test(text)

interface OptionRule {
  readonly rule: FieldRule
  readonly isValue: (text: string) => boolean
  /** The required form of the value, for messages. */
  readonly form: string
}

const duration = (rule: FieldRule): OptionRule => ({
  rule,
  isValue: (text) => tryParseDuration(text) !== undefined,
  form: 'a duration such as 10m0s',
})
const number = (rule: FieldRule): OptionRule => ({
  rule,
  isValue: (text) => numberIn(text) !== undefined,
  form: 'a number such as 0.5',
})

/** The options that Cluster Autoscaler reads from the tags of a node group (`docs/spec/coexistence.md#tags-of-node-groups`). */
const rules: Readonly<Record<string, OptionRule>> = {
  scaledownunneededtime: duration({
    to: 'NodePool spec.disruption.consolidateAfter',
    because: 'for each node by itself, and not less than --scale-down-delay-after-add',
  }),
  scaledownunreadytime: duration({
    because: 'node repair replaces unhealthy nodes after its own timeouts (feature gate NodeRepair)',
  }),
  maxnodeprovisiontime: duration({ because: 'a node has 15 minutes to register' }),
  scaledownutilizationthreshold: number({
    to: 'NodePool spec.disruption.consolidationPolicy',
    because: NO_THRESHOLD,
  }),
  scaledowngpuutilizationthreshold: number({
    because: 'consolidation has no threshold: Kerf removes a node if its pods fit elsewhere at lower cost',
  }),
  ignoredaemonsetsutilization: {
    rule: { because: 'consolidation compares costs, not utilization' },
    isValue: isBoolean,
    form: 'true or false',
  },
  zeroormaxnodescaling: {
    rule: { because: 'a NodePool has the nodes that its pods need' },
    isValue: isBoolean,
    form: 'true or false',
  },
}

/** Returns what happens to an option of a node group. `name` is the option's name in tags. */
export const optionRule = (name: string, value: string): FieldRule => {
  const found = ownValue(rules, name)
  if (found === undefined) return { because: 'Cluster Autoscaler knows no option of this name' }
  return found.isValue(value)
    ? found.rule
    : { because: `its value ${JSON.stringify(value)} is not ${found.form}: Cluster Autoscaler ignores it too` }
}

/** Returns the options of a node group. Omits values that cannot be parsed. */
export const groupOptions = (options: Readonly<Record<string, string>>): GroupOptions => {
  const unneededTime = tryParseDuration(ownValue(options, 'scaledownunneededtime') ?? '')
  const utilizationThreshold = numberIn(ownValue(options, 'scaledownutilizationthreshold') ?? '')
  return {
    ...(unneededTime === undefined ? {} : { unneededTime }),
    ...(utilizationThreshold === undefined ? {} : { utilizationThreshold }),
  }
}
