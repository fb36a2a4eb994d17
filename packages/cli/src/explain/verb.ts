import { type Command, Option } from 'commander'
import { instanceTypesOption, regionOption } from '../cluster/instance-types.ts'
import { withFiles } from '../manifests/file-options.ts'
import { withPermissions } from '../permissions-option.ts'
import { ignoreDraRequestsOption } from '../plan/device-option.ts'
import { expectedPodsOption, withPlanningOptions } from '../plan/planning-options.ts'
import { standardStreams } from '../terminal/standard-streams.ts'
import type { Verb } from '../verb.ts'
import type { ExplainNodeOptions } from './run-explain-node.ts'
import type { ExplainPodOptions } from './run-explain-pod.ts'
import type { ExplainPoolOptions } from './run-explain-pool.ts'
import { type ExplainedKind, kindNames, parseTarget } from './target.ts'

type ExplainOptions = Omit<ExplainPodOptions & ExplainNodeOptions & ExplainPoolOptions, 'output'> & {
  readonly output: 'text' | 'table' | 'json' | 'yaml'
}

/** Adds the options of every `explain` command: the source of the cluster, and the output format. */
const withSource = (command: Command): Command =>
  withPermissions(withFiles(command), async () => (await import('../plan/plan-role.ts')).planRole('explain'))
    .addOption(instanceTypesOption())
    .addOption(regionOption())
    .addOption(ignoreDraRequestsOption())
    .option('--kubeconfig <file>', 'kubeconfig file of a live cluster')
    .option('--context <name>', 'context of the kubeconfig')
    .addOption(
      new Option('-o, --output <format>', 'output format (table is an older name of text)')
        .choices(['text', 'table', 'json', 'yaml'])
        .default('text'),
    )

const withPodOptions = (command: Command): Command =>
  withPlanningOptions(
    command
      .option('-n, --namespace <name>', 'namespace of the pod; you can also write NAMESPACE/NAME')
      .addOption(expectedPodsOption()),
  )

const withNodeOptions = (command: Command): Command =>
  command.option('--spot-to-spot', 'assume that the feature gate SpotToSpotConsolidation is on')

const streams = standardStreams()

const explainObject = async (kind: ExplainedKind, name: string, options: ExplainOptions): Promise<void> => {
  const output = options.output === 'table' ? 'text' : options.output
  switch (kind) {
    case 'pod': {
      const { runExplainPod } = await import('./run-explain-pod.ts')
      process.exitCode = await runExplainPod(name, { ...options, output }, streams)
      return
    }
    case 'node':
    case 'nodeclaim': {
      const { runExplainNode } = await import('./run-explain-node.ts')
      process.exitCode = await runExplainNode(
        name,
        { ...options, output: output === 'text' ? 'table' : output },
        streams,
      )
      return
    }
    case 'nodepool': {
      const { runExplainPool } = await import('./run-explain-pool.ts')
      process.exitCode = await runExplainPool(name, { ...options, output }, streams)
    }
  }
}

/**
 * Adds the subcommand, for example `kerf explain pod`, with kubectl's aliases. The short form `kerf explain pod/NAME` runs this
 * subcommand.
 */
const subcommand = (command: Command, kind: ExplainedKind, argument: string, help: string): Command => {
  const [name = kind, ...others] = kindNames[kind]
  return withSource(command.command(name))
    .aliases(others)
    .argument('<name>', argument)
    .description(help)
    .action((given: string, options: ExplainOptions) => explainObject(kind, given, options))
}

/** `kerf explain`: why a pod is pending or got its node, why a node is kept, and what a NodePool may launch. */
export const explain: Verb = {
  name: 'explain',
  summary: 'explain why a pod is pending or got its node, or why a node is kept, and what would change it (read-only)',
  register(program) {
    const command = program
      .command('explain')
      .helpCommand(false)
      .description(`${explain.summary}.\n\nName the object as for kubectl: pod NAME, or pod/NAME.`)
    withPodOptions(
      subcommand(
        command,
        'pod',
        'the pod, with or without its namespace before it',
        'For a pending pod: where kerf plan puts it, or why each NodePool cannot run it, how many offerings each constraint leaves, and which single change would make it schedulable.\n\nExit code 0: it is schedulable; 3: it is not.',
      ),
    )
    withNodeOptions(
      subcommand(
        command,
        'node',
        'the Node, or its NodeClaim',
        'For each disruption method: everything that blocks it for this node and how to unblock it, or what the method would do with the node.\n\nExit code 0: it is being disrupted, or would be in the next pass; 3: it is kept.',
      ),
    )
    withNodeOptions(
      subcommand(
        command,
        'nodeclaim',
        'the NodeClaim, or its Node',
        'The same as for its node.\n\nExit code 0: it is being disrupted, or would be in the next pass; 3: it is kept.',
      ),
    )
    subcommand(
      command,
      'nodepool',
      'the NodePool',
      'Whether this NodePool launches nodes for pods, and if not, why; how much of its limits is left; and how many offerings each of its requirements leaves.\n\nExit code 0: it launches nodes; 3: it launches none.',
    )
    withNodeOptions(withPodOptions(withSource(command.command('object', { isDefault: true, hidden: true }))))
      .argument('<type/name>', 'one of pod/NAME, node/NAME, nodeclaim/NAME, nodepool/NAME')
      .argument('[name]', 'name of the object, if the first argument is only the kind')
      .description('Explains the object of that kind and name.')
      .action((text: string, alone: string | undefined, options: ExplainOptions) => {
        const { kind, name } = parseTarget(alone === undefined ? text : `${text}/${alone}`)
        return explainObject(kind, name, options)
      })
  },
}
