import { collect, UsageError } from '@kerf/provider-kit/command-line'
import { InvalidArgumentError, Option } from 'commander'
import { instanceTypesOption, regionOption } from '../cluster/instance-types.ts'
import { validationOption } from '../manifests/validation-option.ts'
import { withPermissions } from '../permissions-option.ts'
import { standardStreams } from '../terminal/standard-streams.ts'
import type { Verb } from '../verb.ts'
import type { ApplyOptions } from './apply/run-apply.ts'
import type { StatusOptions } from './apply/run-status.ts'
import { readDocumentsText } from './groups/source-texts.ts'
import type { RehearseOptions } from './rehearse/run-rehearse.ts'
import type { MigrateOptions } from './run-migrate.ts'
import type { MigrateCasOptions } from './run-migrate-cas.ts'

const wholeNumber = (value: string): number => {
  if (!/^\d{1,9}$/.test(value)) throw new InvalidArgumentError('It is a whole number.')
  return Number(value)
}

const phaseNumber = (value: string): number => {
  if (!/^\d$/.test(value)) throw new InvalidArgumentError('It is a number from 0 to 8.')
  return Number(value)
}

/** The command `kerf migrate`: converts Karpenter's old API to v1, and migrates from Cluster Autoscaler to NodePools. */
export const migrate: Verb = {
  name: 'migrate',
  summary:
    "from Karpenter's old objects (v1alpha5, v1beta1) to v1, and from Cluster Autoscaler to NodePools, with a report of every field",
  register(program) {
    const command = program.command('migrate').description(migrate.summary)
    command
      .command('manifests')
      .argument('[file|dir...]', 'manifests: YAML or JSON; the same as -f')
      .option('-f, --filename <file|dir>', 'manifests, YAML or JSON; - is the standard input (repeatable)', collect, [])
      .description(
        'Writes v1 objects, and workloads with the new labels and annotations, to standard output, and a report of every field to standard error.\n\nExit code 3: some fields need your decision.',
      )
      .addOption(
        new Option('-o, --output <format>', 'v1 YAML, or objects and report as data')
          .choices(['yaml', 'json'])
          .default('yaml'),
      )
      .addOption(
        new Option(
          '--kubernetes <version>',
          'the version of the cluster, like 1.33: templates that name no family become AL2023 where AL2 has no images',
        ).argParser((value) => {
          if (!/^v?1\.\d+/.test(value)) throw new InvalidArgumentError('It is a version like 1.33.')
          return value
        }),
      )
      .addOption(validationOption())
      .action(async (named: readonly string[], options: MigrateOptions & { readonly filename: readonly string[] }) => {
        const paths = [...named, ...options.filename]
        if (paths.length === 0) throw new UsageError('give the manifests: -f FILE, -f DIRECTORY or -f - (repeatable)')
        const { runMigrate } = await import('./run-migrate.ts')
        process.exitCode = await runMigrate(paths, options, standardStreams())
      })
    withPermissions(command.command('cas'), async () =>
      (await import('../doctor/read-cluster.ts')).auditRole('migrate'),
    )
      .description(
        `Reads the node groups of Cluster Autoscaler, its flags and the workloads, and writes NodePools, node classes, patches and a plan in phases into a directory. Applies nothing.\n\nReads ${readDocumentsText}.\n\nExit code 3: some things need your decision.`,
      )
      .option(
        '-f, --filename <file|dir>',
        'exports and objects, YAML or JSON; - is the standard input (repeatable); without it, the live cluster',
        collect,
        [],
      )
      .option('-R, --recursive', 'read the subdirectories of -f too', false)
      .requiredOption('-o, --output-dir <dir>', 'where to write: an empty or new directory')
      .addOption(
        new Option('--variant <variant>', 'a NodePool for each group, or one for groups that pods cannot tell apart')
          .choices(['faithful', 'merged'])
          .default('faithful'),
      )
      .option(
        '--keep <group>',
        'a node group that stays, such as the one on which the controllers run (repeatable); default: the group on which they run now',
        (group: string, before: readonly string[] | undefined) => [...(before ?? []), group],
      )
      .option('--no-keep', 'keep no node group')
      .option('--cluster-name <name>', 'for the tags by which subnets and security groups are found')
      .option('--node-role <name>', 'the IAM role of the nodes, where no export says it')
      .addOption(instanceTypesOption())
      .addOption(regionOption())
      .option('--kubeconfig <file>', 'for a live cluster')
      .option('--context <name>', 'context of the kubeconfig')
      .action(async (options: MigrateCasOptions) => {
        const { runMigrateCas } = await import('./run-migrate-cas.ts')
        const streams = standardStreams()
        process.exitCode = await runMigrateCas(options, streams)
      })
    command
      .command('rehearse')
      .argument('<dir>', 'a directory that kerf migrate cas wrote')
      .description(
        'Runs the plan in a simulation of the cluster, with a model of Cluster Autoscaler next to Kerf: cost, waiting pods, evictions and conflicts of each phase. With a recording of kerf record, it also shows what that time would have cost before the migration and after each phase. Touches no cluster.\n\nExit code 3: a phase fails, a pod is left without a node, or a PodDisruptionBudget is violated.',
      )
      .addOption(
        new Option('--seed <number>', 'seed of the random numbers; the same seed gives the same rehearsal')
          .argParser(wholeNumber)
          .default(1),
      )
      .addOption(
        new Option('-o, --output <format>', 'table, page, or data').choices(['table', 'html', 'json']).default('table'),
      )
      .option(
        '--trace <file>',
        'a recording of kerf record, for example of last week; it is played before the migration and after each phase',
      )
      .option('--for <duration>', 'how much of the recording; without it, all')
      .addOption(instanceTypesOption())
      .addOption(regionOption())
      .action(async (folder: string, options: RehearseOptions) => {
        const { runRehearse } = await import('./rehearse/run-rehearse.ts')
        const streams = standardStreams()
        process.exitCode = await runRehearse(folder, options, streams)
      })
    command
      .command('apply')
      .argument('<dir>', 'a directory that kerf migrate cas wrote')
      .description(
        'Shows one phase of the plan. With --dry-run=false, asks for confirmation and applies the phase. Before each step, the previous state is stored in the ConfigMap kube-system/kerf-migration, so that the same command continues after a crash, and --undo restores everything.',
      )
      .addOption(new Option('--phase <number>', 'which phase').argParser(phaseNumber).makeOptionMandatory())
      .addOption(
        new Option('--dry-run <boolean>', 'show the phase without applying it')
          .argParser((value) => value !== 'false')
          .default(true),
      )
      .option('--undo', 'restore what the phase changed, the last step first', false)
      .option('--yes', 'do not ask for confirmation, not even whether the manual steps are done', false)
      .option('--kubeconfig <file>', 'for a live cluster')
      .option('--context <name>', 'context of the kubeconfig')
      .action(async (folder: string, options: ApplyOptions) => {
        const { runApply } = await import('./apply/run-apply.ts')
        const streams = standardStreams()
        await runApply(folder, options, streams, new AbortController().signal)
      })
    command
      .command('status')
      .argument('<dir>', 'a directory that kerf migrate cas wrote')
      .description('Shows the progress of the migration, and how many nodes each side has. Read-only.')
      .addOption(new Option('-o, --output <format>', 'table or data').choices(['table', 'json']).default('table'))
      .option('--kubeconfig <file>', 'for a live cluster')
      .option('--context <name>', 'context of the kubeconfig')
      .action(async (folder: string, options: StatusOptions) => {
        const { runMigrationStatus } = await import('./apply/run-status.ts')
        const streams = standardStreams()
        await runMigrationStatus(folder, options, streams)
      })
  },
}
