import { collect } from '@kerf/provider-kit/command-line'
import { Option } from 'commander'
import { instanceTypesOption, regionOption } from '../cluster/instance-types.ts'
import { validationOption } from '../manifests/validation-option.ts'
import { withPermissions } from '../permissions-option.ts'
import { standardStreams } from '../terminal/standard-streams.ts'
import type { Verb } from '../verb.ts'
import { cloudUsage } from './cloud-export.ts'
import { failLevels } from './finding.ts'
import type { DoctorOptions } from './run-doctor.ts'

type Options = DoctorOptions & { readonly explain?: string }

/** The verb `kerf doctor`: a read-only audit of a cluster with one or two autoscalers. */
export const doctor: Verb = {
  name: 'doctor',
  summary: 'a read-only audit of a live cluster or of files: what goes wrong beside Cluster Autoscaler, and what would',
  register(program) {
    withPermissions(program.command('doctor'), async () => (await import('./read-cluster.ts')).auditRole('doctor'))
      .description(
        `${doctor.summary}.\n\nFiles come from kubectl get … -o yaml. What cannot be decided from what may be read is skipped, with the reason. Nothing is written, not even an event.\n\nExit code 3: something was found of the severity of --fail-on, or worse.`,
      )
      .option(
        '-f, --filename <file|dir>',
        'objects of a cluster: YAML or JSON, gzipped too, or - for the standard input (repeatable); without it, the live cluster',
        collect,
        [],
      )
      .option('-R, --recursive', 'read the subdirectories of -f too', false)
      .addOption(validationOption())
      .option(
        '--cloud <file|dir>',
        `what ${cloudUsage} printed, as JSON, for the checks of the account (repeatable)`,
        collect,
        [],
      )
      .addOption(instanceTypesOption())
      .addOption(regionOption())
      .addOption(
        new Option('-o, --output <format>', 'table for people, Markdown, or data; sarif is what code hosts read')
          .choices(['table', 'json', 'markdown', 'sarif'])
          .default('table'),
      )
      .addOption(
        new Option('--fail-on <severity>', 'the least severity of findings that gives exit code 3')
          .choices(failLevels)
          .default('warning'),
      )
      .option('--ignore <id>', 'leave a check out (repeatable)', collect, [])
      .option('--html <file>', 'write a page with the findings and the scopes of both autoscalers')
      .option('--explain <id>', 'what a check is about, and nothing else')
      .option('--kubeconfig <file>', 'for a live cluster')
      .option('--context <name>', 'context of the kubeconfig')
      .action(async ({ explain, ...options }: Options) => {
        const { explainCheck, runDoctor } = await import('./run-doctor.ts')
        if (explain !== undefined) {
          process.stdout.write(await explainCheck(explain))
          return
        }
        const streams = standardStreams()
        process.exitCode = await runDoctor(options, streams)
      })
  },
}
