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
    .option('--account <number>', 'ID of the AWS account')
    .option('--node-role-name <name>', 'IAM role of the nodes (default: KarpenterNodeRole-CLUSTER)')

const withNamespace = (command: Command): Command =>
  command.option('--namespace <name>', 'namespace of the controller', 'kube-system')

const withHome = (command: Command): Command =>
  withNamespace(withTarget(command.requiredOption('--cluster-name <name>', 'name of the cluster')))
    .option('--fargate', 'run the controller and DNS on Fargate instead of a managed node group of two m5.large')
    .option('--kubernetes-version <version>', 'Kubernetes version of the cluster (default: the newest of EKS)')

const registerPolicy = (command: Command, tools: VerbTools): void => {
  withTarget(command.command('policy').option('--cluster-name <name>', 'name of the cluster'))
    .description(
      'The IAM policies of the controller, or of single capabilities; with --check, the actions that a policy lacks.\n\nExit code 3: the policy of --check lacks an action.',
    )
    .option('--capability <name>', 'print one policy for this capability only (repeatable)', collect, [])
    .option('--check <file>', 'list every action that this policy lacks, and what does not work without it')
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
    .option('--node-role-name <name>', 'IAM role of the nodes (default: KarpenterNodeRole-CLUSTER)')
    .addOption(
      new Option('--identity <kind>', 'how the pods of the controller get their IAM role')
        .choices(['pod-identity', 'irsa', 'none'])
        .default('pod-identity'),
    )
    .option('--oidc-issuer <url>', "for irsa: the cluster's OpenID Connect issuer")
    .option(
      '--into-cluster',
      'for an existing cluster: also create the access entry of the nodes and the Pod Identity association',
    )
    .addOption(new Option('-o, --output <format>', 'format').choices(['yaml', 'json']).default('yaml'))
    .action(async (options: CloudFormationOptions) => {
      const { runCloudFormation } = await import('./run-cloudformation.ts')
      runCloudFormation(options, tools.streams)
    })
}

const registerClusters = (command: Command, tools: VerbTools): void => {
  withHome(command.command('eksctl'))
    .description('A ClusterConfig for eksctl. Deploy the stack of kerf aws cloudformation first.')
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
      'Prices of instances by type and zone, with the source and age of each price. The last prices that the controller read come from its cluster.',
    )
    .option('--region <region>', 'region (default: AWS_REGION)')
    .option('--type <name>', 'only these instance types; * matches any text (repeatable)', collect, [])
    .option('--zone <name>', 'only spot prices of these zones (repeatable)', collect, [])
    .option('--live', 'query AWS now, with your credentials')
    .option('--aws-price-file <file>', 'JSON file with prices for use without access to AWS, as for kerf run')
    .option('--kubeconfig <file>', 'kubeconfig file of the cluster of the controller')
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
      'Launches two instances in your account, breaks and deletes them, checks that nothing is left, and writes a transcript of every call without account IDs, names and addresses. Before it starts, it prints what it will do and cost, and asks for confirmation.\n\nExit code 1: something is left, or the run was interrupted; 3: a check failed, or --against-fake found that the fake is wrong.',
    )
    .option('--region <region>', 'region (default: AWS_REGION)')
    .option('--node-role-name <name>', 'IAM role of the instances')
    .option(
      '--subnet-id <id>',
      'subnet to launch into, repeatable (default: the default subnets of the region)',
      collect,
      [],
    )
    .option(
      '--security-group-id <id>',
      'security group of the instances, repeatable (default: the default group of the VPC)',
      collect,
      [],
    )
    .option('--kubernetes-version <version>', 'Kubernetes version of the Amazon Linux image', '1.34')
    .option('--transcript <file>', 'file for the transcript of the calls (default: kerf-aws-verify-RUN.jsonl)')
    .option('--yes', 'do not ask for confirmation')
    .option('--clean-up <run>', 'only remove what an earlier run left behind')
    .option('--against-fake <file>', 'compare a transcript with the fake of the tests of Kerf, without calling AWS')
    .action(async (options: VerifyOptions) => {
      const [{ runVerify }, { verifyDeps }] = await Promise.all([
        import('../diagnostics/verify/run-verify.ts'),
        import('../diagnostics/verify/verify-deps.ts'),
      ])
      const stop = tools.stopSignals()
      try {
        tools.setExitCode(await runVerify(options, tools.streams, await verifyDeps(tools, stop.signal)))
      } finally {
        stop.dispose()
      }
    })
}

const registerInstanceTypes = (command: Command, tools: VerbTools): void => {
  command
    .command('instance-types')
    .description(
      'The instance types of a region, their zones and their prices, as a file for --instance-types of plan, explain, simulate, report and up. Queries AWS now, with your credentials (ec2:DescribeInstanceTypes, ec2:DescribeInstanceTypeOfferings, ec2:DescribeSpotPriceHistory, pricing:GetProducts), and changes nothing.',
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
 * Returns the function that adds `kerf aws`. The command prints the resources that an installation needs in the account, and prices of
 * instances. Only `prices --live`, `instance-types` and `verify` call AWS.
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
