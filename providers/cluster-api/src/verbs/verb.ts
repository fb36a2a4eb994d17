import type { VerbTools } from '@kerf/provider-contract'
import { collect } from '@kerf/provider-kit/command-line'
import type { Command } from 'commander'
import type { InstanceTypesOptions } from './run-instance-types.ts'

const registerInstanceTypes = (command: Command, tools: VerbTools): void => {
  command
    .command('instance-types')
    .description(
      'The instance types that the MachineDeployments of a management cluster offer, as a file for --instance-types of plan, simulate and up. Read-only. Problems of single MachineDeployments go to standard error.',
    )
    .option('--kubeconfig <file>', 'kubeconfig file of the management cluster (default: the file that kubectl uses)')
    .option('--context <name>', 'context of the kubeconfig')
    .option('--cluster <namespace/name>', 'the Cluster, if the management cluster has several')
    .option(
      '--selector <key=value>',
      'label of the MachineDeployments, repeatable (default: the label node.cluster.x-k8s.io/karpenter-member, empty)',
      collect,
      [],
    )
    .action(async (options: InstanceTypesOptions) => {
      const { runInstanceTypes } = await import('./run-instance-types.ts')
      const { kubeconfig, context } = options
      const cluster = await tools.connect({ kubeconfig, context })
      try {
        await runInstanceTypes(options, tools.streams, cluster, new AbortController().signal)
      } finally {
        await cluster.close()
      }
    })
}

/** Returns the command `kerf cluster-api`, which contains tools for an installation on Cluster API. */
export const clusterApiVerb =
  (tools: VerbTools) =>
  (command: Command): void =>
    registerInstanceTypes(command, tools)
