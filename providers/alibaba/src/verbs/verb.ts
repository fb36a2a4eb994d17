import type { VerbTools } from '@kerf/provider-contract'
import { addVerifyFlags, verifyAction } from '@kerf/provider-kit/command-line'
import { type Command, Option } from 'commander'
import type { VerifyOptions } from '../diagnostics/verify/run-verify.ts'
import type { RolesOptions } from './run-roles.ts'

const registerRoles = (command: Command, tools: VerbTools): void => {
  command
    .command('roles')
    .description(
      'The RAM role of the controller and its policy, generated from the calls that the code makes, as commands of the Alibaba Cloud CLI, as Terraform or as JSON; with --check, the actions that a policy lacks.\n\nExit code 3: the policy of --check lacks an action.',
    )
    .option('--cluster-id <id>', 'ID of the ACK cluster (default: CLUSTER_ID)')
    .option('--account <id>', 'ID of the Alibaba Cloud account')
    .option('--region <id>', 'region of the cluster (default: REGION_ID)')
    .option('--oidc-issuer <url>', 'issuer of the tokens of service accounts (default: that of ACK in the region)')
    .option('--namespace <name>', 'namespace of the controller', 'kube-system')
    .option('--service-account <name>', 'service account of the controller', 'karpenter')
    .option('--role-name <name>', 'name of the role and of the policy (default: karpenter-CLUSTER_ID)')
    .option('--check <file>', 'list every action that this policy lacks, and what does not work without it')
    .addOption(
      new Option('-o, --output <format>', 'default: aliyun, for --check table').choices([
        'aliyun',
        'terraform',
        'json',
        'table',
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
      'Checks that the account and the cluster have what Kerf needs: credentials, permissions to read, stock, prices, the ACK cluster, its images and script, and what the ECSNodeClasses select. Read-only. Uses the credentials that kerf run would have here. The settings are those of kerf run.\n\nExit code 1: Alibaba Cloud rejected the credentials; 3: another check failed.',
    )
    .option('--cluster-id <id>', 'ID of the ACK cluster (default: CLUSTER_ID)')
    .option('--region <id>', 'region of the cluster (default: REGION_ID)')
  addVerifyFlags(verify).action(
    verifyAction(tools, async (options: VerifyOptions, process) => {
      const [{ runVerify }, { connectAlibaba }] = await Promise.all([
        import('../diagnostics/verify/run-verify.ts'),
        import('../api/connect-alibaba.ts'),
      ])
      return runVerify(options, tools.streams, { ...process, connect: (settings) => connectAlibaba(settings, process) })
    }),
  )
}

/**
 * Returns the verb `kerf alibaba`, which prints the resources that an installation needs in the account. Only `verify` calls Alibaba Cloud.
 */
export const alibabaVerb =
  (tools: VerbTools) =>
  (command: Command): void => {
    registerRoles(command, tools)
    registerVerify(command, tools)
  }
