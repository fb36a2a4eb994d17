import { collect, UsageError } from '@kerf/provider-kit/command-line'
import { Option } from 'commander'
import { instanceTypesOption, regionOption } from '../cluster/instance-types.ts'
import { withFiles } from '../manifests/file-options.ts'
import { withPermissions } from '../permissions-option.ts'
import { standardStreams } from '../terminal/standard-streams.ts'
import type { Verb } from '../verb.ts'
import { ignoreDraRequestsOption } from './device-option.ts'
import { expectedPodsOption, withPlanningOptions } from './planning-options.ts'
import type { ChangeOptions } from './run-change.ts'
import { parseAt } from './sleeping-snapshot.ts'

/** `kerf plan`: previews which nodes Kerf would launch, for files or for a live cluster. Changes nothing. */
export const plan: Verb = {
  name: 'plan',
  summary: 'show which nodes Kerf would launch for pending pods, from files or a live cluster (read-only)',
  register(program) {
    const command = withFiles(program.command('plan'))
    command
      .description(
        `${plan.summary}.\n\nFor workloads in files (Deployments, StatefulSets, Jobs and so on), it plans the missing pods. Pipe the output of Helm or kustomize into -f -. If the cluster has no NodePools, Kerf suggests, uses and prints some. CapacityBuffers count too.\n\nExit code 0: every pod is schedulable; 2: the files cannot be used, or contain nothing to plan; 3: some pods are not schedulable (with --change: after the change).`,
      )
      .addOption(instanceTypesOption())
      .addOption(regionOption())
      .addOption(
        new Option('-o, --output <format>', 'output format; wide lists every pod, markdown is for --change')
          .choices(['table', 'wide', 'json', 'yaml', 'markdown'])
          .default('table'),
      )
      .option(
        '--change <file|dir>',
        'preview applying these objects: which nodes drift, where pods go, the cost before and after (repeatable)',
        collect,
        [],
      )
      .addOption(
        new Option(
          '--at <time>',
          'plan for another time, for example 2026-12-24T20:00Z: it decides which NodePools sleep',
        ).argParser(parseAt),
      )
      .option('--diff', 'compare the plan with the running nodes', false)
      .option('--explain-cost', 'show the lower bound of the cost and what each constraint costs', false)
    withPermissions(command, async () => (await import('./plan-role.ts')).planRole('plan'))
    withPlanningOptions(command)
      .addOption(expectedPodsOption())
      .addOption(ignoreDraRequestsOption())
      .option('--kubeconfig <file>', 'kubeconfig file of a live cluster')
      .option('--context <name>', 'context of the kubeconfig')
      .action(async ({ output, ...options }: ChangeOptions) => {
        const streams = standardStreams()
        if (options.change.length > 0) {
          const { runChange } = await import('./run-change.ts')
          process.exitCode = await runChange({ ...options, output }, streams)
          return
        }
        if (output === 'markdown')
          throw new UsageError('-o markdown needs --change; without it, use table, json or yaml')
        const { runPlan } = await import('./run-plan.ts')
        process.exitCode = await runPlan({ ...options, output }, streams)
      })
  },
}
