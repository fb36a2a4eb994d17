import { collect, UsageError } from '@kerf/provider-kit/command-line'
import { Option } from 'commander'
import { instanceTypesOption, regionOption } from '../cluster/instance-types.ts'
import { validationOption } from '../manifests/validation-option.ts'
import { withPermissions } from '../permissions-option.ts'
import { nodeOverheadOption } from '../plan/planning-options.ts'
import { standardStreams } from '../terminal/standard-streams.ts'
import type { Verb } from '../verb.ts'
import type { ReportOptions } from './run-report.ts'

type Options = Omit<ReportOptions, 'paths'> & { readonly filename: readonly string[] }

/** `kerf report`: writes one page about the cost of any cluster and the causes of this cost. It installs nothing in the cluster. */
export const report: Verb = {
  name: 'report',
  summary: 'write a one-page report of what a cluster costs, what a new plan would cost, and why (read-only)',
  register(program) {
    withPermissions(program.command('report'), async () => (await import('./cluster-reader.ts')).reportRole())
      .argument('[file|dir...]', 'a cluster dump, or a recording of kerf record; the same as -f')
      .option(
        '-f, --filename <file|dir>',
        'a cluster dump or a recording, YAML or JSON, optionally gzipped, or - for standard input (repeatable); without -f, the live cluster',
        collect,
        [],
      )
      .description(
        `${report.summary}.\n\nWorks on clusters run by Karpenter, by Cluster Autoscaler or by hand. It needs permission to list objects; the report names what it could not read (--permissions prints a ClusterRole with all permissions).`,
      )
      .addOption(validationOption())
      .addOption(instanceTypesOption())
      .addOption(regionOption())
      .addOption(nodeOverheadOption())
      .option('--kubeconfig <file>', 'kubeconfig file of a live cluster')
      .option('--context <name>', 'context of the kubeconfig')
      .option('-n, --namespace <name>', 'include only the pods of this namespace')
      .addOption(
        new Option('-o, --output <format>', 'output format').choices(['html', 'markdown', 'json']).default('html'),
      )
      .action(async (named: readonly string[], { filename, ...options }: Options) => {
        const paths = [...named, ...filename]
        const { stdout, stderr, env } = standardStreams()
        if (paths.length > 0 && (options.kubeconfig ?? options.context ?? options.namespace) !== undefined)
          throw new UsageError('files were named, and --kubeconfig, --context and --namespace are for a live cluster')
        const { runReport } = await import('./run-report.ts')
        await runReport({ ...options, paths }, { stdout, stderr, env })
      })
  },
}
