import type { Command } from 'commander'
import { standardStreams } from '../terminal/standard-streams.ts'
import type { Verb } from '../verb.ts'
import type { OperateOptions } from './operate.ts'

/** Adds the flags that select the cluster. */
const withCluster = (command: Command): Command =>
  command
    .option('--kubeconfig <file>', 'kubeconfig file; default: the file that kubectl uses')
    .option('--context <name>', 'context of the kubeconfig')

const withOwner = (command: Command, lasts: string): Command =>
  withCluster(command)
    .option('--for <duration>', 'duration, such as 30m or 2h', lasts)
    .option('--owner <name>', 'name of the person responsible; default: the user name from the environment')
    .option('--reason <text>', 'reason, for others to read', '')

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
  summary: 'stop voluntary disruption of one NodePool, or of all, for a limited time',
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
  summary: 'stop launches from a NodePool for a limited time',
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
  summary: 'consolidate one NodePool, or all, without waiting for consolidateAfter',
  register(program) {
    const text = `${consolidate.summary}. Budgets, PodDisruptionBudgets and do-not-disrupt still apply.\n\n  kerf consolidate general --now`
    withOwner(program.command('consolidate').description(text), '10m')
      .argument('[pool]', 'name of the NodePool; default: all')
      .requiredOption('--now', 'required: confirms that nodes may be disrupted before consolidateAfter has passed')
      .action((pool: string | undefined, options: OperateOptions) => perform('consolidate', pool, options))
  },
}

/** `kerf resume`: ends the effect of `kerf pause`, `kerf cordon-pool` and `kerf consolidate --now`. */
export const resume: Verb = {
  name: 'resume',
  summary: 'end a pause, a cordon or a consolidation before its time is up',
  register(program) {
    withCluster(program.command('resume').description(`${resume.summary}.\n\n  kerf resume general`))
      .argument('[pool]', 'name of the NodePool; default: all')
      .action((pool: string | undefined, options: OperateOptions) => perform('resume', pool, options))
  },
}
