import type { VerbTools } from '@kerf/provider-contract'
import { addVerifyFlags, collect, verifyAction } from '@kerf/provider-kit/command-line'
import { type Command, Option } from 'commander'
import type { AzureVerifyOptions } from '../diagnostics/run-verify.ts'
import type { RolesOptions } from './run-roles.ts'

const registerRoles = (command: Command, tools: VerbTools): void => {
  command
    .command('roles')
    .description(
      'The roles that the controller identity needs in the subscription, as commands of the Azure CLI, Bicep files or Terraform; with --check, the actions that roles lack.\n\nExit code 3: the roles of --check lack an action.',
    )
    .option('--subscription <id>', 'subscription of the cluster (default: AZURE_SUBSCRIPTION_ID)')
    .option('--resource-group <name>', 'resource group of the cluster (default: ARM_RESOURCE_GROUP)')
    .option('--node-resource-group <name>', 'resource group of the nodes (default: AZURE_NODE_RESOURCE_GROUP)')
    .option('--principal-id <id>', 'object ID of the controller identity (default: a variable to fill in)')
    .option(
      '--vnet-subnet-id <id>',
      'subnet of the nodes in your own virtual network, repeatable (default: VNET_SUBNET_ID)',
      collect,
      [],
    )
    .option('--node-osdisk-diskencryptionset-id <id>', 'disk encryption set of OS disks', '')
    .option('--node-identities', 'the nodes have managed identities')
    .option('--sig-subscription-id <id>', 'images come from the shared galleries of this subscription', '')
    .addOption(
      new Option('--provision-mode <mode>', 'how nodes are created')
        .choices(['aksscriptless', 'aksmachineapi'])
        .default('aksscriptless'),
    )
    .option('--check <file>', 'list every action that these role definitions lack, and what does not work without it')
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
      tools.setExitCode(await runRoles(options, tools.streams))
    })
}

const registerVerify = (command: Command, tools: VerbTools): void => {
  const verify = command
    .command('verify')
    .description(
      'Checks that the subscription and the cluster have what Kerf needs: identity, roles, resource group of the nodes, subnet, quotas, images, version, maintenance window. Read-only. Uses the identity that kerf run would have here: that of the controller in its pod, otherwise the account of the Azure CLI. The settings are those of kerf run.\n\nExit code 1: Azure rejected the credentials; 3: another check failed.',
    )
    .option('--subscription <id>', 'subscription of the cluster (default: AZURE_SUBSCRIPTION_ID)')
    .option('--location <name>', 'location of the cluster (default: LOCATION)')
    .option('--node-resource-group <name>', 'resource group of the nodes (default: AZURE_NODE_RESOURCE_GROUP)')
    .option('--vnet-subnet-id <id>', 'subnet of the nodes (default: VNET_SUBNET_ID)')
    .option(
      '--node-osdisk-diskencryptionset-id <id>',
      'disk encryption set of OS disks (default: NODE_OSDISK_DISKENCRYPTIONSET_ID)',
    )
    .option('--namespace <name>', 'namespace of the controller', 'kube-system')
  addVerifyFlags(verify).action(
    verifyAction(tools, async (options: AzureVerifyOptions, process) => {
      const [{ runAzureVerify }, { connectAzure }, { silentLogger }] = await Promise.all([
        import('../diagnostics/run-verify.ts'),
        import('../api/connect-azure.ts'),
        import('@kerf/runtime'),
      ])
      return runAzureVerify(options, tools.streams, {
        ...process,
        connect: (settings) => connectAzure(settings, { ...process, log: silentLogger }),
      })
    }),
  )
}

/**
 * Returns the command `kerf azure`, which prints the resources that an installation needs in the subscription. Only `verify` calls Azure.
 */
export const azureVerb =
  (tools: VerbTools) =>
  (command: Command): void => {
    registerRoles(command, tools)
    registerVerify(command, tools)
  }
