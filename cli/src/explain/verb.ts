import { type Command, Option } from 'commander'
import { instanceTypesOption, oldInstanceTypesOption } from '../cluster/instance-types.ts'
import { collect } from '../collect.ts'
import { ignoreDraRequestsOption } from '../plan/device-option.ts'
import type { Verb } from '../verb.ts'
import type { ExplainNodeOptions } from './run-explain-node.ts'
import type { ExplainPodOptions } from './run-explain-pod.ts'

/** Where the cluster is: what every `explain` asks for. */
const withSource = (command: Command): Command =>
  command
    .option(
      '-f, --filename <file|dir>',
      'manifests of a cluster (repeatable); without it, the live cluster',
      collect,
      [],
    )
    .addOption(instanceTypesOption())
    .addOption(oldInstanceTypesOption())
    .addOption(ignoreDraRequestsOption())
    .option('--kubeconfig <file>', 'for a live cluster')
    .option('--context <name>', 'context of the kubeconfig')

const streams = { stdout: process.stdout, stderr: process.stderr, env: process.env }

/** `kerf explain pod`: why a pod is pending, or why it got that node. `kerf explain node`: why a node is kept. */
export const explain: Verb = {
  name: 'explain',
  summary:
    'why a pod is pending or got its node, why a node is kept, and what would change it; from files or a live cluster',
  register(program) {
    const command = program.command('explain').description(explain.summary)
    withSource(command.command('pod'))
      .argument('<namespace/name>', 'the pod; without a namespace: default')
      .description(
        'For a pending pod: why each NodePool cannot run it, how many offerings each constraint leaves, and which single change would make it schedulable.\n\nExit code 0: it is schedulable; 3: it is not.',
      )
      .addOption(
        new Option('-o, --output <format>', 'text for people, or data')
          .choices(['text', 'json', 'yaml'])
          .default('text'),
      )
      .action(async (pod: string, options: ExplainPodOptions) => {
        const { runExplainPod } = await import('./run-explain-pod.ts')
        process.exitCode = await runExplainPod(pod, options, streams)
      })
    withSource(command.command('node'))
      .argument('<name>', 'the Node, or its NodeClaim')
      .description(
        'For each disruption method, everything that keeps this node, and what would change it; or what the method would do with it.\n\nExit code 0: it is being disrupted, or would be in the next pass; 3: it is kept.',
      )
      .addOption(
        new Option('-o, --output <format>', 'a table for people, or data')
          .choices(['table', 'json', 'yaml'])
          .default('table'),
      )
      .option('--spot-to-spot', 'as with the feature gate SpotToSpotConsolidation')
      .action(async (name: string, options: ExplainNodeOptions) => {
        const { runExplainNode } = await import('./run-explain-node.ts')
        process.exitCode = await runExplainNode(name, options, streams)
      })
  },
}
