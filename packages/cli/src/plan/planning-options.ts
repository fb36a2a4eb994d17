import { type Command, InvalidArgumentError, Option } from 'commander'

/** Settings of a plan that a user may change. The defaults are those of `kerf run`. */
export interface PlanningOptions {
  /**
   * The time limit for making the plan cheaper, in milliseconds. The engine converts it to an amount of work. If it is 0, the first plan is
   * used.
   */
  readonly planBudget?: number
  /** Additional cost of each node, in US dollars per hour. */
  readonly nodeOverheadCost?: number
  /** How much more a plan with fewer nodes may cost, as a fraction. */
  readonly fewerNodesCostShare?: number
  readonly preferencePolicy?: 'Respect' | 'Ignore'
  readonly minValuesPolicy?: 'Strict' | 'BestEffort'
}

/** Parses the value of `--plan-budget`: a whole number of milliseconds, with or without the suffix `ms`. */
const budget = (text: string): number => {
  const value = /^(\d+)(ms)?$/.exec(text)?.[1]
  if (value === undefined)
    throw new InvalidArgumentError('The budget must be a whole number of milliseconds; 0 turns the improvement off.')
  return Number(value)
}

const dollars = (text: string): number => {
  const value = Number(text)
  if (!/^[\d.]+$/.test(text) || !Number.isFinite(value))
    throw new InvalidArgumentError('The overhead cost of a node must be a number of dollars an hour, such as 0.05.')
  return value
}

const percentage = (text: string): number => {
  const value = Number(/^(\d+(?:\.\d+)?)%$/.exec(text)?.[1] ?? Number.NaN)
  if (!(value <= 100)) throw new InvalidArgumentError('The share must be a percentage from 0% to 100%, such as 0.5%.')
  return value / 100
}

/** The `--node-overhead-cost` flag, which is the same in every command that compares costs. */
export const nodeOverheadOption = (): Option =>
  new Option(
    '--node-overhead-cost <dollars>',
    'dollars an hour that each node costs in addition to its instance, such as licences and agents (default: 0)',
  ).argParser(dollars)

/** The `--plan-expected-pods` option, which is the same in every command that plans for a live cluster. */
export const expectedPodsOption = (): Option =>
  new Option(
    '--plan-expected-pods <setting>',
    'on: in a live cluster, also plan the pods that ReplicaSets, Jobs and other owners still have to create (default: off)',
  ).choices(['off', 'on'])

/**
 * Adds `--node-overhead-cost`, `--fewer-nodes-cost-share`, `--plan-budget`, `--preference-policy` and `--min-values-policy`, which are the
 * same in every command that plans.
 */
export const withPlanningOptions = (command: Command): Command =>
  command
    .addOption(nodeOverheadOption())
    .option(
      '--fewer-nodes-cost-share <percentage>',
      'percentage of the cost of the plan that it may spend to have fewer nodes (default: 0.5%)',
      percentage,
    )
    .option('--plan-budget <ms>', 'time to spend on a cheaper plan; 0 uses the first plan', budget)
    .addOption(
      new Option(
        '--preference-policy <policy>',
        'Respect treats preferences as required first; Ignore does not consider them',
      )
        .choices(['Respect', 'Ignore'])
        .default('Respect'),
    )
    .addOption(
      new Option('--min-values-policy <policy>', 'what to do when minValues cannot be met')
        .choices(['Strict', 'BestEffort'])
        .default('Strict'),
    )
