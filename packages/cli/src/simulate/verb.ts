import { collect } from '@kerf/provider-kit/command-line'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { featureGatesOption } from '../cluster/feature-gates.ts'
import { instanceTypesOption, regionOption } from '../cluster/instance-types.ts'
import { withFiles } from '../manifests/file-options.ts'
import { validationOption } from '../manifests/validation-option.ts'
import { withPermissions } from '../permissions-option.ts'
import { ignoreDraRequestsOption } from '../plan/device-option.ts'
import { nodeOverheadOption, withPlanningOptions } from '../plan/planning-options.ts'
import { standardStreams } from '../terminal/standard-streams.ts'
import type { Verb } from '../verb.ts'
import type { RemoveOptions } from './run-remove.ts'
import type { SimulateOptions } from './simulate-options.ts'

const seed = (text: string): number => {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('The seed is a whole number.')
  return Number(text)
}

/** Adds `kerf simulate remove node`, which shows where the pods of the given nodes would run. It reads a cluster and changes nothing. */
const registerRemove = (simulate: Command): void => {
  const remove = simulate
    .command('remove')
    .helpCommand(false)
    .description('predict the effect of removing nodes, from a live cluster or files (read-only)')
  const node = withFiles(remove.command('node'))
    .aliases(['nodes', 'nodeclaim', 'nodeclaims'])
    .argument('<name...>', 'the Nodes, or their NodeClaims')
    .description(
      'Where each pod of these nodes would go, if the controller decided one second after kubectl delete.\n\nExit code 0: every pod can be rescheduled; 3: some pods cannot.',
    )
    .addOption(instanceTypesOption())
    .addOption(regionOption())
    .addOption(ignoreDraRequestsOption())
    .option('--kubeconfig <file>', 'kubeconfig file of a live cluster')
    .option('--context <name>', 'context of the kubeconfig')
    .addOption(new Option('-o, --output <format>', 'output format').choices(['text', 'json', 'yaml']).default('text'))
  withPermissions(node, async () => (await import('../plan/plan-role.ts')).planRole('simulate'))
  withPlanningOptions(node).action(async (names: readonly string[], options: RemoveOptions) => {
    const { runRemove } = await import('./run-remove.ts')
    const { stdout, stderr, env } = standardStreams()
    process.exitCode = await runRemove(names, options, { stdout, stderr, env })
  })
}

/** `kerf simulate`: simulates, in virtual time, the cost of a cluster and the effects on its pods. */
export const simulate: Verb = {
  name: 'simulate',
  summary: 'simulate hours of cluster life in seconds: cost, pending time of pods, and disruptions; touches no cluster',
  register(program) {
    const command = program.command('simulate').helpCommand(false).enablePositionalOptions()
    command
      .description(simulate.summary)
      .option('-f, --filename <file|dir>', 'NodePools and workloads, YAML or JSON (repeatable)', collect, [])
      .addOption(validationOption())
      .option(
        '--trace <file>',
        'trace of events (scaling, spot interruptions, outages, prices), or a recording of kerf record',
      )
      .option('--for <duration>', 'virtual time to simulate (default: 24h, or the duration of the recording)')
      .option('--seed <n>', 'random seed; the same seed gives the same result', seed, 1)
      .option('--compare <file...>', 'compare two files of NodePools; each replaces the NodePools of -f')
      .addOption(instanceTypesOption())
      .addOption(regionOption())
      .addOption(featureGatesOption())
      .addOption(nodeOverheadOption())
      .addOption(
        new Option(
          '--plan-expected-pods <setting>',
          'on: plan for the pods that ReplicaSets, Jobs and other owners still have to create (default: off)',
        ).choices(['off', 'on']),
      )
      .option('--schema', 'print the JSON schema of trace files', false)
      .addOption(
        new Option('-o, --output <format>', 'output format; html has charts')
          .choices(['table', 'json', 'html'])
          .default('table'),
      )
      .action(async (options: SimulateOptions) => {
        const { runSimulate } = await import('./run-simulate.ts')
        const { stdout, stderr, env } = standardStreams()
        await runSimulate(options, { stdout, stderr, env, now: () => performance.now() })
      })
    registerRemove(command)
  },
}
