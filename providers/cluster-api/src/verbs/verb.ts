import { collect } from '@kerf/provider-kit/command-line'
import type { Command } from 'commander'
import { standardStreams } from '../terminal/standard-streams.ts'
import type { Verb } from '../verb.ts'
import type { InstanceTypesOptions } from './run-instance-types.ts'

const registerInstanceTypes = (command: Command): void => {
  command
    .command('instance-types')
    .description(
      'The instance types that the MachineDeployments of a management cluster offer, as a file for --instance-types of plan, simulate and up. Only reads. What is wrong with single MachineDeployments is said on standard error.',
    )
    .option('--kubeconfig <file>', 'the management cluster (default: as kubectl)')
    .option('--context <name>', 'context of the kubeconfig')
    .option('--cluster <namespace/name>', 'the Cluster, where the management cluster has several')
    .option(
      '--selector <key=value>',
      'label of the MachineDeployments (repeatable; default: the label node.cluster.x-k8s.io/karpenter-member, empty)',
      collect,
      [],
    )
    .action(async (options: InstanceTypesOptions) => {
      const [{ runInstanceTypes }, { connect }] = await Promise.all([
        import('./run-instance-types.ts'),
        import('../cluster/connect.ts'),
      ])
      const { kubeconfig, context } = options
      const { client, connection } = connect({ env: process.env, kubeconfig, context })
      try {
        const streams = standardStreams()
        await runInstanceTypes(options, streams, { client, address: connection.server }, new AbortController().signal)
      } finally {
        await client.close()
      }
    })
}

/** `kerf cluster-api`: tools for an installation on Cluster API. */
export const clusterApi: Verb = {
  name: 'cluster-api',
  summary: 'instance types of a Cluster API management cluster, as a file for plan, simulate and up',
  register(program) {
    registerInstanceTypes(program.command('cluster-api').description(clusterApi.summary))
  },
}
