import { formatTime } from '@kerf/apis'
import { table } from '@kerf/provider-kit/terminal'
import { perHour } from '../terminal/money.ts'
import type { ComparedDisruption, Comparison } from './compare-decisions.ts'
import { decisionGroups, medianLater, summaryLines } from './report-words.ts'

/**
 * Returns the nodes as text, for example `a (12 s after), b (not taken)`: how many seconds after Kerf's decision the active autoscaler
 * removed the node, or that it did not remove it.
 */
export const nodesWords = ({ nodes, at }: ComparedDisruption): string =>
  nodes
    .map(({ name, actingAt }) =>
      actingAt === undefined ? `${name} (not taken)` : `${name} (${((actingAt - at) / 1_000).toFixed(0)} s after)`,
    )
    .join(', ')

/** Returns the saving of a disruption as text. */
export const savingWords = ({ savings }: ComparedDisruption): string =>
  savings === undefined ? 'unknown' : perHour(savings)

/** Returns the report as text: the figures, then the pods grouped by decision, then the disruptions. */
export const comparisonTable = (comparison: Comparison, width: number): string => {
  const groups = decisionGroups(comparison)
  const lines = [...summaryLines(comparison)]
  if (groups.length > 0) {
    lines.push(
      '',
      ...table(
        groups,
        [
          { title: 'PODS', value: ({ pods }) => String(pods.length), align: 'right' },
          { title: 'KERF', value: ({ kerf }) => kerf },
          { title: 'THE OTHER', value: ({ acting }) => acting },
          { title: 'KERF WAS', value: ({ pods }) => medianLater(pods) },
        ],
        width,
      ),
    )
  }
  if (comparison.disruptions.length > 0) {
    lines.push(
      '',
      ...table(
        comparison.disruptions,
        [
          { title: 'AT', value: ({ at }) => formatTime(at) },
          { title: 'REASON', value: ({ reason }) => reason },
          { title: 'SAVES', value: savingWords },
          { title: 'NODES', value: nodesWords },
        ],
        width,
      ),
    )
  }
  return `${lines.join('\n')}\n`
}
