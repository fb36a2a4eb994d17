import { type Milliseconds, tryParseDuration } from '@kerf/apis'
import type { FieldConversion } from '@kerf/provider-contract'
import { fieldConversion, words } from '@kerf/provider-kit/migration'
import type { ClusterAutoscaler } from '../../doctor/cluster-autoscaler.ts'
import { workloadName } from '../../workloads/workload.ts'
import type { ProviderSource } from '../groups/provider-sources.ts'
import { flagRule } from './flag-rules.ts'
import { isNodesValue } from './named-groups.ts'

/** The flags of Cluster Autoscaler that have an equivalent in a NodePool. */
export interface AutoscalerSettings {
  readonly unneededTime: Milliseconds
  readonly delayAfterAdd: Milliseconds
  /** Fraction from 0 to 1. */
  readonly utilizationThreshold: number
  readonly isScaleDownEnabled: boolean
  readonly emptyAtOnce: number
  readonly drainedAtOnce: number
  readonly startupTaints: readonly string[]
  readonly priorityCutoff: number
}

const MINUTES = 60_000

/** The defaults of Cluster Autoscaler (`docs/spec/coexistence.md#flags`). */
const defaultAutoscalerSettings: AutoscalerSettings = {
  unneededTime: 10 * MINUTES,
  delayAfterAdd: 10 * MINUTES,
  utilizationThreshold: 0.5,
  isScaleDownEnabled: true,
  emptyAtOnce: 10,
  drainedAtOnce: 1,
  startupTaints: [],
  priorityCutoff: -10,
}

/** Flags for which every occurrence adds a value. For all other flags, the last value applies. */
const REPEATABLE: ReadonlySet<string> = new Set(
  words(`
  nodes node-group-auto-discovery ignore-taint startup-taint startup-taint-prefix status-taint balancing-ignore-
  label balancing-label gpu-total`),
)

/** Returns the name of Cluster Autoscaler for the report. */
export const autoscalerName = ({ deployment }: ClusterAutoscaler): string =>
  deployment === undefined ? 'Cluster Autoscaler' : workloadName(deployment)

/** Returns the settings of a live Cluster Autoscaler, and what the migration does with each of its flags. */
export const readAutoscaler = (
  autoscaler: ClusterAutoscaler | undefined,
  sources: readonly ProviderSource[],
): { readonly settings: AutoscalerSettings; readonly conversions: readonly FieldConversion[] } => {
  if (autoscaler === undefined) return { settings: defaultAutoscalerSettings, conversions: [] }
  const { flags, flagList } = autoscaler
  const owner = autoscalerName(autoscaler)
  const conversions: FieldConversion[] = []
  const wrong = new Set<string>()
  const duration = (name: string, otherwise: Milliseconds): Milliseconds => {
    const text = flags.get(name)
    const found = text === undefined ? otherwise : tryParseDuration(text)
    if (found === undefined) wrong.add(name)
    return found ?? otherwise
  }
  const number = (name: string, otherwise: number): number => {
    const text = flags.get(name)
    const found = text === undefined ? otherwise : Number(text)
    if (Number.isNaN(found)) wrong.add(name)
    return Number.isNaN(found) ? otherwise : found
  }
  const { unneededTime, delayAfterAdd, utilizationThreshold, emptyAtOnce, drainedAtOnce, priorityCutoff } =
    defaultAutoscalerSettings
  const settings: AutoscalerSettings = {
    unneededTime: duration('scale-down-unneeded-time', unneededTime),
    delayAfterAdd: duration('scale-down-delay-after-add', delayAfterAdd),
    utilizationThreshold: number('scale-down-utilization-threshold', utilizationThreshold),
    isScaleDownEnabled: flags.get('scale-down-enabled') !== 'false',
    emptyAtOnce: number('max-scale-down-parallelism', number('max-empty-bulk-delete', emptyAtOnce)),
    drainedAtOnce: number('max-drain-parallelism', drainedAtOnce),
    startupTaints: flagList.flatMap(({ name, value }) =>
      name === 'startup-taint' || name === 'ignore-taint' ? [value] : [],
    ),
    priorityCutoff: number('expendable-pods-priority-cutoff', priorityCutoff),
  }
  for (const [index, { name, value, source }] of flagList.entries()) {
    const { object, field } = source ?? { object: owner, field: `--${name}=${value}` }
    const isReplaced = !REPEATABLE.has(name) && flagList.some((later, at) => at > index && later.name === name)
    if (isReplaced)
      conversions.push(fieldConversion(object, field, { because: 'a later occurrence of the same flag overrides it' }))
    else if (wrong.has(name) || (name === 'nodes' && !isNodesValue(value)))
      conversions.push(fieldConversion(object, field, { because: 'its value cannot be read, so the default applies' }))
    else
      conversions.push(
        fieldConversion(object, field, flagRule(name, sources) ?? { because: 'Kerf does not know this flag' }),
      )
  }
  return { settings, conversions }
}
