import { InvalidArgumentError, Option } from 'commander'
import { UsageError } from '../cli-error.ts'
import { collect } from '../collect.ts'
import type { Verb } from '../verb.ts'
import type { MigrateOptions } from './run-migrate.ts'

/** `kerf migrate`: from Karpenter's old API to v1. Applies nothing. */
export const migrate: Verb = {
  name: 'migrate',
  summary: "Karpenter's old objects (v1alpha5, v1beta1) rewritten as v1, with a report of every field",
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
      .action(async (named: readonly string[], options: MigrateOptions & { readonly filename: readonly string[] }) => {
        const paths = [...named, ...options.filename]
        if (paths.length === 0) throw new UsageError('give the manifests: -f FILE, -f DIRECTORY or -f - (repeatable)')
        const { runMigrate } = await import('./run-migrate.ts')
        process.exitCode = await runMigrate(paths, options, { stdout: process.stdout, stderr: process.stderr })
      })
  },
}
