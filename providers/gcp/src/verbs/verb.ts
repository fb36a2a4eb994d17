import type { VerbTools } from '@kerf/provider-contract'
import { addVerifyFlags, verifyAction } from '@kerf/provider-kit/command-line'
import { type Command, Option } from 'commander'
import type { VerifyOptions } from '../diagnostics/verify/run-verify.ts'
import type { RolesOptions } from './run-roles.ts'

const registerRoles = (command: Command, tools: VerbTools): void => {
  command
    .command('roles')
    .description(
      'The IAM role of the controller, generated from the calls that the code makes, with its service account and bindings: as commands of gcloud, as Terraform, or the role alone as YAML or JSON; with --check, the permissions that a role lacks.\n\nExit code 3: the role of --check lacks a permission.',
    )
    .option('--project <id>', 'project of the cluster (default: PROJECT_ID)')
    .option('--cluster-name <name>', 'name of the GKE cluster (default: CLUSTER_NAME)')
    .option('--role-id <id>', 'ID of the custom role (default: karpenter_CLUSTER)')
    .option('--controller-account <name>', 'name of the service account of the controller (default: karpenter-CLUSTER)')
    .option('--node-service-account <address>', 'service account of the nodes (default: that of Compute Engine)')
    .option('--network-project <id>', 'host project of a Shared VPC (default: the project of the cluster)')
    .option('--namespace <name>', 'namespace of the controller', 'kube-system')
    .option('--service-account <name>', 'service account of Kubernetes of the controller', 'karpenter')
    .option('--check <file>', 'list every permission that this role lacks, and what does not work without it')
    .addOption(
      new Option('-o, --output <format>', 'default: gcloud, for --check table').choices([
        ...['gcloud', 'terraform', 'yaml', 'json', 'table'],
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
      'Checks that the project and the cluster have what Kerf needs: credentials, permissions, the GKE cluster, a node pool whose start can be copied, instance types, images and what the GCENodeClasses select. Read-only. Uses the credentials that kerf run would have here. The settings are those of kerf run.\n\nExit code 1: Google Cloud rejected the credentials; 3: another check failed.',
    )
    .option('--project <id>', 'project of the cluster (default: PROJECT_ID)')
    .option('--cluster-name <name>', 'name of the GKE cluster (default: CLUSTER_NAME)')
    .option('--location <name>', 'region or zone of the cluster (default: CLUSTER_LOCATION)')
  addVerifyFlags(verify).action(
    verifyAction(tools, async (options: VerifyOptions, process) => {
      const [{ runVerify }, { connectGcp }] = await Promise.all([
        import('../diagnostics/verify/run-verify.ts'),
        import('../api/connect-gcp.ts'),
      ])
      return runVerify(options, tools.streams, { ...process, connect: (settings) => connectGcp(settings, process) })
    }),
  )
}

/** Returns the verb `kerf gcp`, which prints the resources that an installation needs in the project. Only `verify` calls Google Cloud. */
export const gcpVerb =
  (tools: VerbTools) =>
  (command: Command): void => {
    registerRoles(command, tools)
    registerVerify(command, tools)
  }
