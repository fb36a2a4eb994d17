import { type KubeObject, type Milliseconds, tryParseDuration } from '@kerf/apis'
import type { ClusterAutoscaler } from '../../doctor/cluster-autoscaler.ts'
import { yamlDocuments } from '../../manifests/yaml-documents.ts'
import { YamlError } from '../../manifests/yaml-error.ts'
import { workloadName } from '../../workloads/workload.ts'
import { type Fate, fateOf } from '../groups/fate.ts'
import { isLoose, looseAt, textOf, textsOf } from '../groups/loose.ts'
import { flagRules } from './flag-fates.ts'

/** What of Cluster Autoscaler's command line a NodePool can say. */
export interface AutoscalerSettings {
  readonly unneededTime: Milliseconds
  readonly delayAfterAdd: Milliseconds
  /** 0 to 1. */
  readonly utilizationThreshold: number
  readonly isScaleDownEnabled: boolean
  readonly emptyAtOnce: number
  readonly drainedAtOnce: number
  readonly expanders: readonly string[]
  /** Patterns of group names by priority, the highest first. */
  readonly priorities: readonly { readonly priority: number; readonly patterns: readonly string[] }[]
  readonly startupTaints: readonly string[]
  readonly priorityCutoff: number
}

const MINUTES = 60_000

/** Those of a Cluster Autoscaler without flags (`docs/spec/coexistence.md#flags`). */
const defaultAutoscalerSettings: AutoscalerSettings = {
  unneededTime: 10 * MINUTES,
  delayAfterAdd: 10 * MINUTES,
  utilizationThreshold: 0.5,
  isScaleDownEnabled: true,
  emptyAtOnce: 10,
  drainedAtOnce: 1,
  expanders: ['least-waste'],
  priorities: [],
  startupTaints: [],
  priorityCutoff: -10,
}

const PRIORITY_CONFIG = 'cluster-autoscaler-priority-expander'

const prioritiesOf = (objects: readonly KubeObject[]): AutoscalerSettings['priorities'] => {
  const config = objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === PRIORITY_CONFIG)
  const text = textOf(looseAt(config, 'data', 'priorities'))
  if (text === undefined) return []
  try {
    const [document] = yamlDocuments(text)
    return Object.entries(isLoose(document?.value) ? document.value : {})
      .map(([priority, patterns]) => ({ priority: Number(priority), patterns: textsOf(patterns) }))
      .filter(({ priority }) => Number.isFinite(priority))
      .sort((a, b) => b.priority - a.priority)
  } catch (error) {
    if (error instanceof YamlError) return []
    throw error
  }
}

/** The settings of a live Cluster Autoscaler, and what becomes of each of its flags. */
export const readAutoscaler = (
  autoscaler: ClusterAutoscaler | undefined,
  objects: readonly KubeObject[],
): { readonly settings: AutoscalerSettings; readonly fates: readonly Fate[] } => {
  if (autoscaler === undefined) return { settings: defaultAutoscalerSettings, fates: [] }
  const { flags } = autoscaler
  const object = autoscaler.deployment === undefined ? 'Cluster Autoscaler' : workloadName(autoscaler.deployment)
  const fates: Fate[] = []
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
  const expanders = (flags.get('expander') ?? 'least-waste').split(',').map((each) => each.trim())
  const settings: AutoscalerSettings = {
    unneededTime: duration('scale-down-unneeded-time', unneededTime),
    delayAfterAdd: duration('scale-down-delay-after-add', delayAfterAdd),
    utilizationThreshold: number('scale-down-utilization-threshold', utilizationThreshold),
    isScaleDownEnabled: flags.get('scale-down-enabled') !== 'false',
    emptyAtOnce: number('max-scale-down-parallelism', number('max-empty-bulk-delete', emptyAtOnce)),
    drainedAtOnce: number('max-drain-parallelism', drainedAtOnce),
    expanders,
    priorities: expanders.includes('priority') ? prioritiesOf(objects) : [],
    startupTaints: ['startup-taint', 'ignore-taint'].flatMap((name) => flags.get(name) ?? []),
    priorityCutoff: number('expendable-pods-priority-cutoff', priorityCutoff),
  }
  for (const name of flags.keys()) {
    const rule = flagRules.get(name)
    const field = `--${name}=${flags.get(name)}`
    if (wrong.has(name))
      fates.push(fateOf(object, field, { because: 'its value cannot be read; the default is taken' }))
    else fates.push(fateOf(object, field, rule ?? { because: 'Kerf does not know this flag' }))
  }
  if (expanders.includes('priority') && settings.priorities.length === 0)
    fates.push(
      fateOf(object, `ConfigMap ${PRIORITY_CONFIG}`, {
        because: 'the expander asks for it and it is not among the objects, so no NodePool gets a weight',
      }),
    )
  return { settings, fates }
}

/** The weight of the pool for a group, 1 to 100; undefined without priorities. */
export const weightOf = (group: string, { priorities }: AutoscalerSettings): number | undefined => {
  const index = priorities.findIndex(({ patterns }) => patterns.some((pattern) => matches(pattern, group)))
  if (index === -1) return undefined
  // Weights have 1 to 100 and priorities any number: the order counts.
  return Math.max(1, 100 - index * 10)
}

const matches = (pattern: string, name: string): boolean => {
  try {
    return new RegExp(pattern).test(name)
  } catch {
    return false
  }
}
