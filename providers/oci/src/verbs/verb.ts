import type { VerbTools } from '@kerf/provider-contract'
import { type Command, Option } from 'commander'
import type { RolesOptions } from './run-roles.ts'

/** Returns `kerf oci`. Its command calls no cloud. */
export const ociVerb =
  (tools: VerbTools) =>
  (command: Command): void => {
    command
      .command('roles')
      .description(
        'Prints the statements of the IAM policies that the controller and the nodes need, generated from the calls that Kerf makes. Calls no cloud.',
      )
      .option('--compartment-id <ocid>', 'compartment of the instances and networks')
      .option('--cluster-id <ocid>', 'cluster of OKE in which the controller runs')
      .option('--namespace <name>', 'namespace of the controller', 'karpenter')
      .option('--service-account <name>', 'ServiceAccount of the controller', 'karpenter')
      .option('--node-group <name>', 'dynamic group of the nodes', 'kerf-nodes')
      .addOption(new Option('-o, --output <format>', 'format').choices(['text', 'json']).default('text'))
      .action(async (options: RolesOptions) => {
        const { runRoles } = await import('./run-roles.ts')
        runRoles(options, tools.streams)
      })
  }
