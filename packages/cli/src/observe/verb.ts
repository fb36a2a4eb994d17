import { collect } from '@kerf/provider-kit/command-line'
import { Option } from 'commander'
import { instanceTypesOption, regionOption } from '../cluster/instance-types.ts'
import { validationOption } from '../manifests/validation-option.ts'
import { withPermissions } from '../permissions-option.ts'
import { standardStreams } from '../terminal/standard-streams.ts'
import type { Verb } from '../verb.ts'
import type { ObserveReportOptions } from './run-observe-report.ts'

/** `kerf observe report`: compares what Kerf would have done with what was done. */
export const observe: Verb = {
  name: 'observe',
  summary: 'what Kerf decided in observe mode, beside what the autoscaler that acts did; only reads',
  register(program) {
    const command = program.command('observe').description(`${observe.summary}.`).command('report')
    withPermissions(command, async () => (await import('./follow-cluster.ts')).observeRole())
      .description(
        'pod by pod, joined on their UIDs: where both wanted it, at what cost, and who decided sooner.\n\nFiles come from kubectl get pods,nodes,nodeclaims,nodepools,events,configmaps -A -o yaml; several, taken one after the other, add up. Pods that were deleted are known only to --for, which follows the cluster for so long.',
      )
      .option(
        '-f, --filename <file|dir>',
        'objects of a cluster: YAML or JSON, gzipped too, or - for the standard input (repeatable); without it, the live cluster',
        collect,
        [],
      )
      .option('-R, --recursive', 'read the subdirectories of -f too', false)
      .addOption(validationOption())
      .option('--for <duration>', 'follow the live cluster for so long, such as 30m; Ctrl-C ends it sooner')
      .addOption(instanceTypesOption())
      .addOption(regionOption())
      .addOption(
        new Option('-o, --output <format>', 'table for people, or data with every pod')
          .choices(['table', 'json'])
          .default('table'),
      )
      .option('--html <file>', 'write a page with every pod')
      .option('--kubeconfig <file>', 'for a live cluster')
      .option('--context <name>', 'context of the kubeconfig')
      .action(async (options: ObserveReportOptions) => {
        const { runObserveReport } = await import('./run-observe-report.ts')
        await runObserveReport(options, standardStreams())
      })
  },
}
