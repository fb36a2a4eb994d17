import { collect, UsageError } from '@kerf/provider-kit/command-line'
import { Option } from 'commander'
import { instanceTypesOption, regionOption } from '../cluster/instance-types.ts'
import { withFiles } from '../manifests/file-options.ts'
import { withPermissions } from '../permissions-option.ts'
import { standardStreams } from '../terminal/standard-streams.ts'
import type { Verb } from '../verb.ts'
import { ignoreDraRequestsOption } from './device-option.ts'
import { withPlanningOptions } from './planning-options.ts'
import type { ChangeOptions } from './run-change.ts'

/** `kerf plan`: previews what would be launched, for files or for a live cluster. Changes nothing. */
export const plan: Verb = {
  name: 'plan',
  summary: 'what Kerf would launch for pending pods, from files or a live cluster; changes nothing',
  register(program) {
    const command = withFiles(program.command('plan'))
    command
      .description(
        `${plan.summary}.\n\nOf Deployments, StatefulSets, Jobs and the like in files it plans the pods that are not there yet. What Helm or kustomize writes comes in with -f -. A cluster without NodePools is planned with NodePools that Kerf suggests and prints. CapacityBuffers count.\n\nExit code 0: every pod is schedulable; 2: the files cannot be used, or hold nothing to plan; 3: some pods are not schedulable; with --change, they would have no place after it.`,
      )
      .addOption(instanceTypesOption())
      .addOption(regionOption())
      .addOption(
        new Option(
          '-o, --output <format>',
          'table for people, wide with every pod, data, or with --change Markdown for a pull request',
        )
          .choices(['table', 'wide', 'json', 'yaml', 'markdown'])
          .default('table'),
      )
      .option(
        '--change <file|dir>',
        'what applying these objects would do: which nodes drift, where pods go, the cost before and after (repeatable)',
        collect,
        [],
      )
      .option('--diff', 'compare with what runs today', false)
      .option('--explain-cost', 'the lower bound, and what each constraint costs', false)
    withPermissions(command, async () => (await import('./plan-role.ts')).planRole('plan'))
    withPlanningOptions(command)
      .addOption(ignoreDraRequestsOption())
      .option('--kubeconfig <file>', 'for a live cluster')
      .option('--context <name>', 'context of the kubeconfig')
      .action(async ({ output, ...options }: ChangeOptions) => {
        const streams = standardStreams()
        if (options.change.length > 0) {
          const { runChange } = await import('./run-change.ts')
          process.exitCode = await runChange({ ...options, output }, streams)
          return
        }
        if (output === 'markdown') throw new UsageError('-o markdown is for --change; a plan is a table, json or yaml')
        const { runPlan } = await import('./run-plan.ts')
        process.exitCode = await runPlan({ ...options, output }, streams)
      })
  },
}
