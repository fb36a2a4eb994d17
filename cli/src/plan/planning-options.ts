import { type Command, InvalidArgumentError, Option } from 'commander'

/** What a person may change of a decision; each with the default of `kerf run`. */
export interface PlanningOptions {
  /** Milliseconds for making the plan cheaper; 0 takes the first plan. */
  readonly planBudget?: number
  readonly preferencePolicy?: 'Respect' | 'Ignore'
  readonly minValuesPolicy?: 'Strict' | 'BestEffort'
}

/** Work units of the improvement pass: a whole number, or `200ms`, which upstream's users expect of a budget. */
const budget = (text: string): number => {
  const value = /^(\d+)(ms)?$/.exec(text)?.[1]
  if (value === undefined)
    throw new InvalidArgumentError('The budget is a whole number of milliseconds, 0 turns the improvement pass off.')
  return Number(value)
}

/** `--plan-budget`, `--preference-policy` and `--min-values-policy`, the same in every verb that plans. */
export const withPlanningOptions = (command: Command): Command =>
  command
    .option('--plan-budget <ms>', 'time for making the plan cheaper; 0 takes the first plan', budget)
    .addOption(
      new Option('--preference-policy <policy>', 'treat preferences as required first, or ignore them')
        .choices(['Respect', 'Ignore'])
        .default('Respect'),
    )
    .addOption(
      new Option('--min-values-policy <policy>', 'what to do when minValues cannot be met')
        .choices(['Strict', 'BestEffort'])
        .default('Strict'),
    )
