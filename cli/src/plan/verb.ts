import { InvalidArgumentError, Option } from 'commander'
import { instanceTypesOption, oldInstanceTypesOption } from '../cluster/instance-types.ts'
import { collect } from '../collect.ts'
import type { Verb } from '../verb.ts'
import { ignoreDraRequestsOption } from './device-option.ts'
import type { PlanOptions } from './run-plan.ts'

/** Work units of the improvement pass: a whole number, or `200ms`, which upstream's users expect of a budget. */
const budget = (text: string): number => {
  const value = /^(\d+)(ms)?$/.exec(text)?.[1]
  if (value === undefined)
    throw new InvalidArgumentError('The budget is a whole number of milliseconds, 0 turns the improvement pass off.')
  return Number(value)
}

/** `kerf plan`: what would be launched, from files or for a live cluster, without changing anything. */
export const plan: Verb = {
  name: 'plan',
  summary: 'what Kerf would launch for pending pods, from files or a live cluster; changes nothing',
  register(program) {
    program
      .command('plan')
      .description(`${plan.summary}.\n\nExit code 0: every pod is schedulable; 3: some are not.`)
      .option(
        '-f, --filename <file|dir>',
        'manifests of a cluster: YAML or JSON, gzipped too (repeatable); without it, the live cluster',
        collect,
        [],
      )
      .addOption(instanceTypesOption())
      .addOption(oldInstanceTypesOption())
      .addOption(
        new Option('-o, --output <format>', 'table for people, wide with every pod, or data')
          .choices(['table', 'wide', 'json', 'yaml'])
          .default('table'),
      )
      .option('--diff', 'compare with what runs today', false)
      .option('--explain-cost', 'the lower bound, and what each constraint costs', false)
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
      .addOption(ignoreDraRequestsOption())
      .option('--kubeconfig <file>', 'for a live cluster')
      .option('--context <name>', 'context of the kubeconfig')
      .action(async (options: PlanOptions) => {
        const { runPlan } = await import('./run-plan.ts')
        process.exitCode = await runPlan(options, { stdout: process.stdout, stderr: process.stderr, env: process.env })
      })
  },
}
