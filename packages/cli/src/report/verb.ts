import { UsageError } from '@kerf/provider-kit/command-line'
import { Option } from 'commander'
import { instanceTypesOption, regionOption } from '../cluster/instance-types.ts'
import { validationOption } from '../manifests/validation-option.ts'
import { withPermissions } from '../permissions-option.ts'
import { nodeOverheadOption } from '../plan/planning-options.ts'
import { standardStreams } from '../terminal/standard-streams.ts'
import type { Verb } from '../verb.ts'
import type { ReportOptions } from './run-report.ts'

type Options = Omit<ReportOptions, 'paths'>

/** `kerf report`: one page about the cost of any cluster and its causes. Nothing is installed in the cluster. */
export const report: Verb = {
  name: 'report',
  summary: 'one page on what a cluster costs, what it would cost planned now, and why; only reads',
  register(program) {
    withPermissions(program.command('report'), async () => (await import('./cluster-reader.ts')).reportRole())
      .argument(
        '[path...]',
        'files and directories of a dump, or a recording of kerf record (default: the live cluster)',
      )
      .description(
        `${report.summary}.\n\nWorks on clusters run by Karpenter, by Cluster Autoscaler or by hand. It needs the permission to list; with less it says what it could not see (--permissions prints a ClusterRole with all of it).`,
      )
      .addOption(validationOption())
      .addOption(instanceTypesOption())
      .addOption(regionOption())
      .addOption(nodeOverheadOption())
      .option('--kubeconfig <file>', 'for a live cluster')
      .option('--context <name>', 'context of the kubeconfig')
      .option('-n, --namespace <name>', 'look at the pods of this namespace only')
      .addOption(
        new Option('-o, --output <format>', 'one page for people, Markdown, or data')
          .choices(['html', 'markdown', 'json'])
          .default('html'),
      )
      .action(async (paths: readonly string[], options: Options) => {
        const { stdout, stderr, env } = standardStreams()
        if (paths.length > 0 && (options.kubeconfig ?? options.context ?? options.namespace) !== undefined)
          throw new UsageError('files were named, and --kubeconfig, --context and --namespace are for a live cluster')
        const { runReport } = await import('./run-report.ts')
        await runReport({ ...options, paths }, { stdout, stderr, env })
      })
  },
}
