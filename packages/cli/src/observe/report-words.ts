import type { Milliseconds } from '@kerf/apis'
import { counted } from '../terminal/amounts.ts'
import { perHour } from '../terminal/money.ts'
import type { Bought, Choice, ComparedPod, Comparison } from './compare-decisions.ts'

/**
 * Pods for which Kerf made the same decision, and for which the active autoscaler also made the same decision. Each group is one row of the
 * report.
 */
export interface DecisionGroup {
  readonly kerf: string
  readonly acting: string
  readonly pods: readonly ComparedPod[]
}

const where = ({ node, isNew, instanceType, zone, capacityType, price }: Choice): string => {
  const offering =
    instanceType === undefined
      ? ''
      : ` ${instanceType} ${zone} ${capacityType} ${perHour(price)}`.replaceAll(' undefined', '')
  return `${isNew ? 'new' : `on ${node ?? 'a node'},`}${offering}`.replace(/,$/, '')
}

/** Returns the chosen node and its price as text. */
export const choiceWords = (choice: Choice | undefined): string => (choice === undefined ? 'nothing' : where(choice))

/** Returns the groups of pods, the largest first. */
export const decisionGroups = ({ pods }: Comparison): readonly DecisionGroup[] =>
  [...Map.groupBy(pods, ({ kerf, acting }) => `${choiceWords(kerf)}\n${choiceWords(acting)}`)]
    .map(([key, members]): DecisionGroup => {
      const [kerf = '', acting = ''] = key.split('\n')
      return { kerf, acting, pods: members }
    })
    .sort((a, b) => b.pods.length - a.pods.length)

const sorted = (pods: readonly ComparedPod[]): readonly number[] =>
  pods.flatMap(({ secondsLater }) => secondsLater ?? []).sort((a, b) => a - b)

const at = (values: readonly number[], share: number): number =>
  values[Math.min(values.length - 1, Math.floor(share * values.length))] ?? 0

const amount = (seconds: number): string => `${Math.abs(seconds).toFixed(1)} s`

/** Returns a time difference as text: `1.0 s sooner` if Kerf decided earlier, `0.4 s later` if it decided later. */
export const laterWords = (seconds: number): string => `${amount(seconds)} ${seconds <= 0 ? 'sooner' : 'later'}`

/**
 * Returns, as text, the median time by which Kerf decided later than the active autoscaler about the pods of a group. Returns an empty text
 * if only one of them decided.
 */
export const medianLater = (pods: readonly ComparedPod[]): string => {
  const values = sorted(pods)
  return values.length === 0 ? '' : laterWords(at(values, 0.5))
}

const boughtWords = ({ nodes, cost, unpriced }: Bought): string =>
  `${counted(nodes, 'node')} at ${perHour(cost)}${unpriced === 0 ? '' : ` and ${unpriced} of unknown price`}`

const minutes = (span: Milliseconds): string => `${(span / 60_000).toFixed(1)} minutes`

/** Returns the figures of a comparison, one per line. */
export const summaryLines = (comparison: Comparison): readonly string[] => {
  const { pods, kerf, acting, places, undecided, disruptions, removedByOthers, from, until } = comparison
  if (from === undefined || until === undefined)
    return ['Kerf has not decided anything yet. Check that it runs with OBSERVE=true and that there was a pending pod.']
  const both = pods.filter((pod) => pod.kerf !== undefined && pod.acting !== undefined)
  const isSame = (...fields: readonly (keyof Choice)[]): number =>
    both.filter((pod) =>
      fields.every((field) => pod.kerf?.[field] !== undefined && pod.kerf[field] === pod.acting?.[field]),
    ).length
  const offering = isSame('instanceType', 'zone', 'capacityType')
  const type = isSame('instanceType')
  const seconds = sorted(pods)
  const wanted = disruptions.flatMap(({ nodes }) => nodes)
  const gone = wanted.filter(({ actingAt }) => actingAt !== undefined).length
  return [
    `${counted(pods.length, 'pod')} in ${minutes(until - from)}: both decided for ${both.length}, only Kerf for ${pods.filter((pod) => pod.acting === undefined).length}, only the other for ${pods.filter((pod) => pod.kerf === undefined).length}; ${undecided} more went to existing nodes`,
    `Where: the same instance type, zone and capacity type for ${offering}, the same instance type for ${type - offering} more, a different one for ${both.length - type}`,
    `Cost: Kerf would have launched ${boughtWords(kerf)} for ${counted(places.launched, 'pod')}; it would have used existing nodes for ${places.onOlder}, and nodes that the other had already launched for ${places.onTheOthers}. The other launched ${boughtWords(acting)}`,
    ...(seconds.length === 0
      ? []
      : [
          `Time: Kerf decided earlier for ${seconds.filter((each) => each < 0).length} of ${seconds.length}; median ${laterWords(at(seconds, 0.5))}, 10th percentile ${laterWords(at(seconds, 0.1))}, 90th percentile ${laterWords(at(seconds, 0.9))}`,
        ]),
    `Disruption: Kerf would have removed ${counted(wanted.length, 'node')} in ${counted(disruptions.length, 'decision')}; the other removed ${gone} of them, and ${removedByOthers} other nodes`,
  ]
}
