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

/** The command `kerf doctor`: a read-only audit of a cluster with Kerf, Cluster Autoscaler or both. */
export const doctor: Verb = {
  name: 'doctor',
  summary: 'audit a live cluster or files for problems, including conflicts with Cluster Autoscaler (read-only)',
  register(program) {
    withPermissions(program.command('doctor'), async () => (await import('./read-cluster.ts')).auditRole('doctor'))
      .description(
        `${doctor.summary}.\n\nFiles come from kubectl get … -o yaml. A check that cannot read what it needs is skipped, and the output says why. Nothing is written, not even an event.\n\nExit code 3: a finding has the severity of --fail-on, or a higher one.`,
      )
      .option(
        '-f, --filename <file|dir>',
        'objects of a cluster: YAML or JSON, optionally gzipped, or - for standard input (repeatable); without -f, the live cluster',
        collect,
        [],
      )
      .option('-R, --recursive', 'also read the subdirectories of -f', false)
      .addOption(validationOption())
      .option(
        '--cloud <file|dir>',
        `JSON output of ${cloudUsage}, for the checks of the account (repeatable)`,
        collect,
        [],
      )
      .addOption(instanceTypesOption())
      .addOption(regionOption())
      .addOption(
        new Option('-o, --output <format>', 'output format; sarif is for code scanning of code hosts')
          .choices(['table', 'json', 'markdown', 'sarif'])
          .default('table'),
      )
      .addOption(
        new Option('--fail-on <severity>', 'lowest severity of a finding that causes exit code 3')
          .choices(failLevels)
          .default('warning'),
      )
      .option('--ignore <id>', 'skip a check (repeatable)', collect, [])
      .option('--html <file>', 'write an HTML page with the findings and the scopes of both autoscalers')
      .option('--explain <id>', 'explain a check and exit')
      .option('--kubeconfig <file>', 'kubeconfig file of a live cluster')
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
