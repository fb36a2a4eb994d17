import type { VerbTools } from '@kerf/provider-contract'
import { collect } from '@kerf/provider-kit/command-line'
import { type Command, Option } from 'commander'
import type { VerifyOptions } from '../diagnostics/verify/run-verify.ts'
import type { CloudFormationOptions } from './run-cloudformation.ts'
import type { ClusterOptions } from './run-cluster.ts'
import type { AwsInstanceTypesOptions } from './run-instance-types.ts'
import type { PolicyOptions } from './run-policy.ts'
import type { PricesOptions } from './run-prices.ts'

const withTarget = (command: Command): Command =>
  command
    .option('--region <region>', 'region of the cluster (default: AWS_REGION)')
    .option('--account <number>', 'number of the account')
    .option('--node-role-name <name>', 'role of the nodes (default: KarpenterNodeRole-CLUSTER)')

const withNamespace = (command: Command): Command =>
  command.option('--namespace <name>', 'where the controller is installed', 'kube-system')

const withHome = (command: Command): Command =>
  withNamespace(withTarget(command.requiredOption('--cluster-name <name>', 'name of the cluster')))
    .option('--fargate', 'the controller and DNS run on Fargate, instead of a managed node group of two m5.large')
    .option('--kubernetes-version <version>', "version of the cluster (default: EKS's newest)")

const registerPolicy = (command: Command, tools: VerbTools): void => {
  withTarget(command.command('policy').option('--cluster-name <name>', 'name of the cluster'))
    .description(
      "The controller's IAM policies by name, or those of single capabilities; with --check, what a policy lacks.\n\nExit code 3: the policy of --check lacks an action.",
    )
    .option('--capability <name>', 'one document with only what this needs (repeatable)', collect, [])
    .option('--check <file>', 'name every action that this policy lacks, and what does not work without it')
    .addOption(new Option('-o, --output <format>', 'default: json, for --check table').choices(['json', 'table']))
    .action(async (options: PolicyOptions) => {
      const { runPolicy } = await import('./run-policy.ts')
      tools.setExitCode(await runPolicy(options, tools.streams))
    })
}

const registerCloudFormation = (command: Command, tools: VerbTools): void => {
  withNamespace(command.command('cloudformation').requiredOption('--cluster-name <name>', 'name of the cluster'))
    .description(
      "A CloudFormation template: role of the nodes, the controller's role and policies, interruption queue and event rules.",
    )
    .option('--node-role-name <name>', 'role of the nodes (default: KarpenterNodeRole-CLUSTER)')
    .addOption(
      new Option('--identity <kind>', "how the controller's pods get their role")
        .choices(['pod-identity', 'irsa', 'none'])
        .default('pod-identity'),
    )
    .option('--oidc-issuer <url>', "for irsa: the cluster's OpenID Connect issuer")
    .option(
      '--into-cluster',
      'for an existing cluster: also the access entry of the nodes and the Pod Identity association',
    )
    .addOption(new Option('-o, --output <format>', 'format').choices(['yaml', 'json']).default('yaml'))
    .action(async (options: CloudFormationOptions) => {
      const { runCloudFormation } = await import('./run-cloudformation.ts')
      runCloudFormation(options, tools.streams)
    })
}

const registerClusters = (command: Command, tools: VerbTools): void => {
  withHome(command.command('eksctl'))
    .description('A ClusterConfig for eksctl, for use after the stack of kerf aws cloudformation.')
    .action(async (options: ClusterOptions) => {
      const { runEksctl } = await import('./run-cluster.ts')
      runEksctl(options, tools.streams)
    })
  withHome(command.command('terraform'))
    .description(
      'A Terraform module in JSON syntax, for a file main.tf.json: cluster, nodes of the controller, roles, access entry, queue and rules.',
    )
    .action(async (options: ClusterOptions) => {
      const { runTerraform } = await import('./run-cluster.ts')
      runTerraform(options, tools.streams)
    })
}

const registerPrices = (command: Command, tools: VerbTools): void => {
  withNamespace(command.command('prices'))
    .description(
      'What instances cost by type and zone, where each price comes from and how old it is. Prices that the controller last saw are read from its cluster.',
    )
    .option('--region <region>', 'region (default: AWS_REGION)')
    .option('--type <name>', 'only these types; * stands for any text (repeatable)', collect, [])
    .option('--zone <name>', 'only spot prices of these zones (repeatable)', collect, [])
    .option('--live', 'ask AWS now, with your credentials')
    .option('--aws-price-file <file>', 'prices for where AWS cannot be asked, as kerf run takes them')
    .option('--kubeconfig <file>', 'cluster of the controller')
    .option('--context <name>', 'context of the kubeconfig')
    .addOption(new Option('-o, --output <format>', 'format').choices(['table', 'json']).default('table'))
    .action(async (options: PricesOptions) => {
      const [{ runPrices }, { priceReaders }] = await Promise.all([
        import('./run-prices.ts'),
        import('./price-readers.ts'),
      ])
      const { kubeconfig, context } = options
      await runPrices(options, tools.streams, await priceReaders({ kubeconfig, context }, tools))
    })
}

const registerVerify = (command: Command, tools: VerbTools): void => {
  command
    .command('verify')
    .description(
      'Launches two instances in your account, breaks and deletes them, looks whether anything is left, and writes a transcript of every call without account ids, names and addresses. Says first what it will do and cost, and asks.\n\nExit code 1: something is left, or the run was broken off; 3: a check failed, or --against-fake found that the fake is wrong.',
    )
    .option('--region <region>', 'region (default: AWS_REGION)')
    .option('--node-role-name <name>', 'role that the instances get')
    .option(
      '--subnet-id <id>',
      'subnet to launch into (repeatable; default: the default ones of the region)',
      collect,
      [],
    )
    .option('--security-group-id <id>', "group of the instances (repeatable; default: the VPC's default)", collect, [])
    .option('--kubernetes-version <version>', 'version of the image of Amazon Linux', '1.34')
    .option('--transcript <file>', 'where the calls are written (default: kerf-aws-verify-RUN.jsonl)')
    .option('--yes', 'do not ask')
    .option('--clean-up <run>', 'only remove what an earlier run has left')
    .option('--against-fake <file>', "compare a transcript with the fake of Kerf's tests; AWS is not asked")
    .action(async (options: VerifyOptions) => {
      const [{ runVerify }, { verifyWorld }] = await Promise.all([
        import('../diagnostics/verify/run-verify.ts'),
        import('../diagnostics/verify/verify-world.ts'),
      ])
      const stop = tools.stopSignals()
      try {
        tools.setExitCode(await runVerify(options, tools.streams, await verifyWorld(tools, stop.signal)))
      } finally {
        stop.dispose()
      }
    })
}

const registerInstanceTypes = (command: Command, tools: VerbTools): void => {
  command
    .command('instance-types')
    .description(
      'The instance types of a region, their zones and their prices, as a file for --instance-types of plan, explain, simulate, report and up. Asks AWS now, with your credentials (ec2:DescribeInstanceTypes, ec2:DescribeInstanceTypeOfferings, ec2:DescribeSpotPriceHistory, pricing:GetProducts), and changes nothing.',
    )
    .option('--region <region>', 'region (default: AWS_REGION)')
    .action(async (options: AwsInstanceTypesOptions) => {
      const [{ runAwsInstanceTypes }, { priceReaders }] = await Promise.all([
        import('./run-instance-types.ts'),
        import('./price-readers.ts'),
      ])
      await runAwsInstanceTypes(options, tools.streams, await priceReaders({}, tools))
    })
}

/**
 * Returns what adds `kerf aws`. It prints what an installation needs in the account, and prices of instances. Only `prices --live`,
 * `instance-types` and `verify` call AWS.
 */
export const awsVerb =
  (tools: VerbTools) =>
  (command: Command): void => {
    for (const register of [
      registerPolicy,
      registerCloudFormation,
      registerClusters,
      registerPrices,
      registerInstanceTypes,
      registerVerify,
    ])
      register(command, tools)
  }
