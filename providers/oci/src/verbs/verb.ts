import type { VerbTools } from '@kerf/provider-contract'
import { addVerifyFlags, verifyAction } from '@kerf/provider-kit/command-line'
import { type Command, Option } from 'commander'
import type { VerifyOptions } from '../diagnostics/verify/run-verify.ts'
import type { RolesOptions } from './run-roles.ts'

const registerRoles = (command: Command, tools: VerbTools): void => {
  command
    .command('roles')
    .description(
      'The statements of the IAM policies that the controller and the nodes need, generated from the calls that Kerf makes; with --check, what the statements of a file lack. Calls no cloud.\n\nExit code 3: the statements of --check lack something.',
    )
    .option('--compartment-id <ocid>', 'compartment of the instances and networks')
    .option('--cluster-id <ocid>', 'cluster of OKE in which the controller runs')
    .option('--namespace <name>', 'namespace of the controller', 'kube-system')
    .option('--service-account <name>', 'ServiceAccount of the controller', 'karpenter')
    .option('--node-group <name>', 'dynamic group of the nodes', 'kerf-nodes')
    .option('--check <file>', 'list what these policy statements lack, and what does not work without it')
    .addOption(new Option('-o, --output <format>', 'format').choices(['text', 'json']).default('text'))
    .action(async (options: RolesOptions) => {
      const { runRoles } = await import('./run-roles.ts')
      tools.setExitCode(await runRoles(options, tools.streams))
    })
}

const registerVerify = (command: Command, tools: VerbTools): void => {
  const verify = command
    .command('verify')
    .description(
      'Checks that the tenancy and the cluster have what Kerf needs: credentials, permissions to read, shapes, subnets, prices, and what the node classes of both kinds select. Read-only. Uses the credentials that kerf run would have here. The settings are those of kerf run.\n\nExit code 1: Oracle Cloud refused the first call; 3: another check failed.',
    )
    .option(
      '--compartment-id <ocid>',
      'compartment of the instances (default: CLUSTER_COMPARTMENT_ID or COMPARTMENT_ID)',
    )
    .option('--region <id>', 'region of the cluster (default: OCI_REGION)')
  addVerifyFlags(verify).action(
    verifyAction(tools, async (options: VerifyOptions, process) => {
      const [{ runVerify }, { verifyConnection }] = await Promise.all([
        import('../diagnostics/verify/run-verify.ts'),
        import('../diagnostics/verify/verify-connection.ts'),
      ])
      return runVerify(options, tools.streams, {
        ...process,
        connect: (settings) => verifyConnection(settings, process),
      })
    }),
  )
}

/** Returns the verb `kerf oci`, which prints the resources that an installation needs in the tenancy. Only `verify` calls Oracle Cloud. */
export const ociVerb =
  (tools: VerbTools) =>
  (command: Command): void => {
    registerRoles(command, tools)
    registerVerify(command, tools)
  }
