import { type Command, Option } from 'commander'
import { instanceTypesOption, regionOption } from '../cluster/instance-types.ts'
import { withFiles } from '../manifests/file-options.ts'
import { withPermissions } from '../permissions-option.ts'
import { ignoreDraRequestsOption } from '../plan/device-option.ts'
import { standardStreams } from '../terminal/standard-streams.ts'
import type { Verb } from '../verb.ts'
import type { PolicyOptions } from './policy-options.ts'
import type { FenceOptions } from './run-fence.ts'

const withSource = (command: Command): Command =>
  withPermissions(withFiles(command), async () => (await import('../plan/plan-role.ts')).planRole('policy'))
    .addOption(instanceTypesOption())
    .addOption(regionOption())
    .addOption(ignoreDraRequestsOption())
    .option('--kubeconfig <file>', 'kubeconfig file of a live cluster')
    .option('--context <name>', 'context of the kubeconfig')
    .addOption(new Option('-o, --output <format>', 'output format').choices(['text', 'json']).default('text'))

const streams = standardStreams()

/** `kerf policy`: which policies a cluster has, what they do now, and what is wrong with them. */
export const policy: Verb = {
  name: 'policy',
  summary: 'show the policies of a cluster, what they do now, and what is wrong with them (read-only)',
  register(program) {
    const command = program.command('policy').helpCommand(false).description(`${policy.summary}.`)
    withSource(command.command('list'))
      .description('Every policy, its sections, and whether it is applied.')
      .action(async (options: PolicyOptions) => {
        const { runPolicyList } = await import('./run-list.ts')
        await runPolicyList(options, streams)
      })
    withSource(command.command('explain'))
      .description(
        'Shows the headroom of each ceiling, which declared prices are in force, which pods may use which NodePool, and which pending pods wait for a policy.\n\nExit code 0: no pod waits for a policy; 3: some do.',
      )
      .action(async (options: PolicyOptions) => {
        const { runPolicyExplain } = await import('./run-explain.ts')
        process.exitCode = await runPolicyExplain(options, streams)
      })
    withPermissions(withFiles(command.command('fence')), async () =>
      (await import('../plan/plan-role.ts')).planRole('policy'),
    )
      .description(
        'Prints the admission policies that keep other pods off the NodePools with an access section, for kubectl apply.\n\nExit code 0: every such NodePool has a fence; 3: some have no taint, so they have none.',
      )
      .addOption(instanceTypesOption())
      .addOption(regionOption())
      .option(
        '--exempt-namespace <name...>',
        'namespaces in which no pod is refused, for example those of node agents (default: kube-system)',
      )
      .option('--kubeconfig <file>', 'kubeconfig file of a live cluster')
      .option('--context <name>', 'context of the kubeconfig')
      .action(async (options: FenceOptions) => {
        const { runPolicyFence } = await import('./run-fence.ts')
        process.exitCode = await runPolicyFence(options, streams)
      })
    withSource(command.command('lint'))
      .description(
        'Policies that are refused, that have no effect, or that block more than their author may expect.\n\nExit code 0: nothing found; 3: something found.',
      )
      .action(async (options: PolicyOptions) => {
        const { runPolicyLint } = await import('./run-lint.ts')
        process.exitCode = await runPolicyLint(options, streams)
      })
  },
}
