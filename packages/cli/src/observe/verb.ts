import { collect } from '@kerf/provider-kit/command-line'
import { Option } from 'commander'
import { instanceTypesOption, regionOption } from '../cluster/instance-types.ts'
import { validationOption } from '../manifests/validation-option.ts'
import { withPermissions } from '../permissions-option.ts'
import { standardStreams } from '../terminal/standard-streams.ts'
import type { Verb } from '../verb.ts'
import type { ObserveReportOptions } from './run-observe-report.ts'

/** `kerf observe report`: compares what Kerf would have done with what the other autoscaler did. */
export const observe: Verb = {
  name: 'observe',
  summary: 'compare decisions of Kerf in observe mode with those of the active autoscaler (read-only)',
  register(program) {
    const command = program.command('observe').description(`${observe.summary}.`).command('report')
    withPermissions(command, async () => (await import('./follow-cluster.ts')).observeRole())
      .description(
        'compare each pod, matched by UID: where both autoscalers would run it, at what cost, and which one decided first.\n\nFiles come from kubectl get pods,nodes,nodeclaims,nodepools,events,configmaps -A -o yaml; files taken at different times are combined. Only --for, which watches the cluster for a time, sees pods that were deleted meanwhile.',
      )
      .option(
        '-f, --filename <file|dir>',
        'objects of a cluster: YAML or JSON, optionally gzipped, or - for standard input (repeatable); without -f, the live cluster',
        collect,
        [],
      )
      .option('-R, --recursive', 'also read the subdirectories of -f', false)
      .addOption(validationOption())
      .option('--for <duration>', 'watch the live cluster for this duration, such as 30m; Ctrl-C ends it earlier')
      .addOption(instanceTypesOption())
      .addOption(regionOption())
      .addOption(
        new Option('-o, --output <format>', 'output format; json lists every pod')
          .choices(['table', 'json'])
          .default('table'),
      )
      .option('--html <file>', 'write an HTML page with every pod')
      .option('--kubeconfig <file>', 'kubeconfig file of a live cluster')
      .option('--context <name>', 'context of the kubeconfig')
      .action(async (options: ObserveReportOptions) => {
        const { runObserveReport } = await import('./run-observe-report.ts')
        await runObserveReport(options, standardStreams())
      })
  },
}
