import { InvalidArgumentError, Option } from 'commander'
import { featureGatesOption } from '../cluster/feature-gates.ts'
import { instanceTypesOption, oldInstanceTypesOption } from '../cluster/instance-types.ts'
import { collect } from '../collect.ts'
import type { Verb } from '../verb.ts'
import type { SimulateOptions } from './simulate-options.ts'

const seed = (text: string): number => {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('The seed is a whole number.')
  return Number(text)
}

/** `kerf simulate`: what a cluster would cost over time, and how its pods would fare, in virtual time. */
export const simulate: Verb = {
  name: 'simulate',
  summary: "hours of a cluster's life in seconds: cost, how long pods are pending, and disruptions; touches no cluster",
  register(program) {
    program
      .command('simulate')
      .description(simulate.summary)
      .option('-f, --filename <file|dir>', 'NodePools and workloads, YAML or JSON (repeatable)', collect, [])
      .option(
        '--trace <file>',
        'what happens: scaling, spot interruptions, outages, prices; or a recording of kerf record',
      )
      .option('--for <duration>', 'how much virtual time passes (default: 24h, or the duration of the recording)')
      .option('--seed <n>', 'randomness: the same seed gives the same result', seed, 1)
      .option('--compare <file...>', 'two files of NodePools, each replaces those of -f')
      .addOption(instanceTypesOption())
      .addOption(oldInstanceTypesOption())
      .addOption(featureGatesOption())
      .option('--schema', 'print the JSON schema of trace files', false)
      .addOption(
        new Option('-o, --output <format>', 'table for people, html with plots, or data')
          .choices(['table', 'json', 'html'])
          .default('table'),
      )
      .action(async (options: SimulateOptions) => {
        const { runSimulate } = await import('./run-simulate.ts')
        const { stdout, stderr, env } = process
        await runSimulate(options, { stdout, stderr, env, now: () => performance.now() })
      })
  },
}
