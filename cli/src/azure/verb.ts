import { type Command, Option } from 'commander'
import { collect } from '../collect.ts'
import type { Verb } from '../verb.ts'
import type { RolesOptions } from './run-roles.ts'

const streams = { stdout: process.stdout, env: process.env }

const registerRoles = (command: Command): void => {
  command
    .command('roles')
    .description(
      'The roles that the identity of the controller needs in the subscription, as commands of the Azure CLI, Bicep files or Terraform; with --check, what roles lack.\n\nExit code 3: the roles of --check lack an action.',
    )
    .option('--subscription <id>', 'subscription of the cluster (default: AZURE_SUBSCRIPTION_ID)')
    .option('--resource-group <name>', 'resource group of the cluster (default: ARM_RESOURCE_GROUP)')
    .option('--node-resource-group <name>', 'resource group of the nodes (default: AZURE_NODE_RESOURCE_GROUP)')
    .option('--principal-id <id>', 'object ID of the identity of the controller (default: a variable to fill in)')
    .option(
      '--vnet-subnet-id <id>',
      'subnet of nodes in a virtual network of your own (repeatable; default: VNET_SUBNET_ID)',
      collect,
      [],
    )
    .option('--node-osdisk-diskencryptionset-id <id>', 'disk encryption set of OS disks', '')
    .option('--node-identities', 'nodes get managed identities')
    .option('--sig-subscription-id <id>', 'images come from the shared galleries of this subscription', '')
    .addOption(
      new Option('--provision-mode <mode>', 'how nodes are made')
        .choices(['aksscriptless', 'aksmachineapi'])
        .default('aksscriptless'),
    )
    .option('--check <file>', 'name every action that these role definitions lack, and what does not work without it')
    .addOption(
      new Option('-o, --output <format>', 'default: az, for --check table').choices([
        'az',
        'bicep',
        'terraform',
        'table',
        'json',
      ]),
    )
    .action(async (options: RolesOptions) => {
      const { runRoles } = await import('./run-roles.ts')
      process.exitCode = await runRoles(options, streams)
    })
}

/** `kerf azure`: what an installation needs in the subscription, as text. It speaks to nobody. */
export const azure: Verb = {
  name: 'azure',
  summary: 'role assignments for Azure, printed for the Azure CLI, Bicep or Terraform, and what roles lack',
  register(program) {
    registerRoles(program.command('azure').description(azure.summary))
  },
}
