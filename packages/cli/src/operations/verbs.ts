import type { Command } from 'commander'
import { standardStreams } from '../terminal/standard-streams.ts'
import type { Verb } from '../verb.ts'
import type { OperateOptions } from './operate.ts'

/** Adds the flags that select the cluster. */
const withCluster = (command: Command): Command =>
  command
    .option('--kubeconfig <file>', 'default: the one that kubectl would use')
    .option('--context <name>', 'context of the kubeconfig')

const withOwner = (command: Command, lasts: string): Command =>
  withCluster(command)
    .option('--for <duration>', 'how long, such as 30m or 2h', lasts)
    .option('--owner <name>', 'who asks; default: the name of the user in the environment')
    .option('--reason <text>', 'why', '')

const perform = async (
  operation: 'pause' | 'cordon' | 'consolidate' | 'resume',
  pool: string | undefined,
  options: OperateOptions,
): Promise<void> => {
  const { operate } = await import('./operate.ts')
  await operate(operation, pool, options, standardStreams())
}

/** `kerf pause`: stops voluntary disruption for some time. */
export const pause: Verb = {
  name: 'pause',
  summary: 'no voluntary disruption of a NodePool, or of all, for a while; with an owner, and ended by itself',
  register(program) {
    const text = `${pause.summary}.\n\n  kerf pause general --for 2h --owner alice --reason "roll-out of the shop"`
    withOwner(program.command('pause').description(text), '1h')
      .argument('[pool]', 'name of the NodePool; default: all')
      .action((pool: string | undefined, options: OperateOptions) => perform('pause', pool, options))
  },
}

/** `kerf cordon-pool`: stops launches for some time. */
export const cordonPool: Verb = {
  name: 'cordon-pool',
  summary: 'no launches from a NodePool for a while; with an owner, and ended by itself',
  register(program) {
    const text = `${cordonPool.summary}.\n\n  kerf cordon-pool general --for 2h --owner alice`
    withOwner(program.command('cordon-pool').description(text), '1h')
      .argument('<pool>', 'name of the NodePool')
      .action((pool: string, options: OperateOptions) => perform('cordon', pool, options))
  },
}

/** `kerf consolidate --now`: consolidates without waiting for consolidateAfter. */
export const consolidate: Verb = {
  name: 'consolidate',
  summary: 'consolidate a NodePool, or all, without the wait of consolidateAfter',
  register(program) {
    const text = `${consolidate.summary}. Budgets, PodDisruptionBudgets and do-not-disrupt hold.\n\n  kerf consolidate general --now`
    withOwner(program.command('consolidate').description(text), '10m')
      .argument('[pool]', 'name of the NodePool; default: all')
      .requiredOption('--now', 'say so: nodes that would have been left alone for longer are disrupted')
      .action((pool: string | undefined, options: OperateOptions) => perform('consolidate', pool, options))
  },
}

/** `kerf resume`: ends the effect of the other three commands. */
export const resume: Verb = {
  name: 'resume',
  summary: 'ends what pause, cordon-pool and consolidate have begun',
  register(program) {
    withCluster(program.command('resume').description(`${resume.summary}.\n\n  kerf resume general`))
      .argument('[pool]', 'name of the NodePool; default: all')
      .action((pool: string | undefined, options: OperateOptions) => perform('resume', pool, options))
  },
}
