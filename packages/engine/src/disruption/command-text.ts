import type { UsdPerHour } from '@kerf/apis'
import type { DisruptionReason } from './disruption-reason.ts'

/** The kind of a command: the value of the label `decision`. */
export type Decision = 'delete' | 'replace' | 'no-op'

export interface CommandOutline {
  readonly nodes: readonly string[]
  readonly pools: readonly string[]
  readonly replacements: number
  /** Undefined if a price is unknown. */
  readonly savings: UsdPerHour | undefined
}

export const outlineDecision = ({ nodes, replacements }: Pick<CommandOutline, 'nodes' | 'replacements'>): Decision =>
  nodes.length === 0 ? 'no-op' : replacements > 0 ? 'replace' : 'delete'

export const dollars = (amount: UsdPerHour | undefined): string =>
  amount === undefined ? 'unknown' : `$${amount.toFixed(2)}`

const arrow = ({ replacements }: Pick<CommandOutline, 'replacements'>): string =>
  replacements === 0 ? '' : ` -> [${replacements} ${replacements === 1 ? 'replacement' : 'replacements'}]`

/**
 * Returns the text of a command that has not started, such as `replace: [n1] -> [2 replacements]`
 * (`docs/spec/disruption.md#command-text`).
 */
export const shortText = (command: Omit<CommandOutline, 'pools' | 'savings'>): string =>
  `${outlineDecision(command)}: [${command.nodes.join(', ')}]${arrow(command)}`

/** Returns the text of a started command, such as `Underutilized/<id>: delete: nodepools=[a,b]: [n1, n2] (savings: $0.12)`. */
export const fullText = (command: CommandOutline, reason: DisruptionReason, id: string): string =>
  `${reason}/${id}: ${outlineDecision(command)}: nodepools=[${command.pools.join(',')}]: [${command.nodes.join(', ')}]${arrow(command)} (savings: ${dollars(command.savings)})`

/** Returns the text for the event about one node of a command. It describes only what happens to that node. */
export const partText = (command: Omit<CommandOutline, 'pools' | 'savings'>, node: string): string =>
  command.nodes.length <= 1
    ? shortText(command)
    : `${outlineDecision(command)}: [${node}] (part of ${command.nodes.length}-node consolidation)`
