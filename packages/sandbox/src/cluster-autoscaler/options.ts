import { type Milliseconds, ownValue, tryParseDuration } from '@kerf/apis'

/** The Cluster Autoscaler flags that the model supports, with their defaults (`docs/spec/coexistence.md#flags`). */
export interface AutoscalerOptions {
  readonly scanInterval: Milliseconds
  readonly expanders: readonly string[]
  /** Patterns of group names by priority, for the expander `priority`. */
  readonly priorities: readonly { readonly priority: number; readonly patterns: readonly string[] }[]
  readonly scaleDownEnabled: boolean
  readonly unneededTime: Milliseconds
  readonly delayAfterAdd: Milliseconds
  readonly delayAfterDelete: Milliseconds
  readonly utilizationThreshold: number
  readonly ignoreDaemonSetsUtilization: boolean
  readonly maxScaleDownParallelism: number
  readonly maxDrainParallelism: number
  readonly maxNodesTotal: number
  readonly newPodScaleUpDelay: Milliseconds
  readonly priorityCutoff: number
  readonly unremovableRecheck: Milliseconds
  readonly skipSystemPods: boolean
  readonly skipLocalStorage: boolean
  readonly okUnready: number
  /** The maximum percentage of unready nodes. */
  readonly maxUnready: number
  readonly cordonBeforeTerminating: boolean
  readonly maxGracefulTermination: Milliseconds
  /** Time between tainting a node and the first step of its removal. */
  readonly deleteDelay: Milliseconds
}

const defaultAutoscalerOptions: AutoscalerOptions = {
  scanInterval: 10_000,
  expanders: ['least-waste'],
  priorities: [],
  scaleDownEnabled: true,
  unneededTime: 600_000,
  delayAfterAdd: 600_000,
  delayAfterDelete: 0,
  utilizationThreshold: 0.5,
  ignoreDaemonSetsUtilization: false,
  maxScaleDownParallelism: 10,
  maxDrainParallelism: 1,
  maxNodesTotal: 0,
  newPodScaleUpDelay: 0,
  priorityCutoff: -10,
  unremovableRecheck: 300_000,
  skipSystemPods: true,
  skipLocalStorage: true,
  okUnready: 3,
  maxUnready: 45,
  cordonBeforeTerminating: true,
  maxGracefulTermination: 600_000,
  deleteDelay: 5_000,
}

/** Returns the options for a command line. Flags that are unsupported or cannot be parsed get their defaults. */
export const autoscalerOptions = (
  flags: Readonly<Record<string, string>>,
  priorities: AutoscalerOptions['priorities'] = [],
): AutoscalerOptions => {
  const standard = defaultAutoscalerOptions
  const duration = (name: string, otherwise: Milliseconds): Milliseconds =>
    tryParseDuration(ownValue(flags, name) ?? '') ?? otherwise
  const number = (name: string, otherwise: number): number => {
    const found = Number(ownValue(flags, name) ?? Number.NaN)
    return Number.isNaN(found) ? otherwise : found
  }
  const flag = (name: string, otherwise: boolean): boolean =>
    ownValue(flags, name) === undefined ? otherwise : ownValue(flags, name) !== 'false'
  return {
    scanInterval: duration('scan-interval', standard.scanInterval),
    expanders: (flags['expander'] ?? 'least-waste').split(','),
    priorities,
    scaleDownEnabled: flag('scale-down-enabled', true),
    unneededTime: duration('scale-down-unneeded-time', standard.unneededTime),
    delayAfterAdd: duration('scale-down-delay-after-add', standard.delayAfterAdd),
    delayAfterDelete: duration('scale-down-delay-after-delete', standard.delayAfterDelete),
    utilizationThreshold: number('scale-down-utilization-threshold', standard.utilizationThreshold),
    ignoreDaemonSetsUtilization: flag('ignore-daemonsets-utilization', false),
    maxScaleDownParallelism: number(
      'max-scale-down-parallelism',
      number('max-empty-bulk-delete', standard.maxScaleDownParallelism),
    ),
    maxDrainParallelism: number('max-drain-parallelism', standard.maxDrainParallelism),
    maxNodesTotal: number('max-nodes-total', 0),
    newPodScaleUpDelay: duration('new-pod-scale-up-delay', 0),
    priorityCutoff: number('expendable-pods-priority-cutoff', standard.priorityCutoff),
    unremovableRecheck: duration('unremovable-node-recheck-timeout', standard.unremovableRecheck),
    skipSystemPods: flag('skip-nodes-with-system-pods', true),
    skipLocalStorage: flag('skip-nodes-with-local-storage', true),
    okUnready: number('ok-total-unready-count', standard.okUnready),
    maxUnready: number('max-total-unready-percentage', standard.maxUnready),
    cordonBeforeTerminating: flag('cordon-node-before-terminating', true),
    maxGracefulTermination: number('max-graceful-termination-sec', 600) * 1000,
    deleteDelay: duration('node-delete-delay-after-taint', standard.deleteDelay),
  }
}
