import { createInterface } from 'node:readline/promises'
import { CliError, UsageError } from '@kerf/provider-kit/command-line'
import type { KubeClient } from '@kerf/runtime'
import { connect } from '../../cluster/connect.ts'
import { KindDirectory } from '../../manifests/kind-directory.ts'
import type { PlanStreams } from '../../plan/run-plan.ts'
import type { PlanPhase } from '../plan/migration-plan.ts'
import { stepText } from '../plan/plan-page.ts'
import { readPlan } from '../plan/read-plan.ts'
import { readRecord } from './migration-record.ts'
import { findPhase, runPhase, undoPhase } from './run-phase.ts'

export interface ApplyOptions {
  readonly phase: number
  readonly dryRun: boolean
  readonly undo: boolean
  readonly yes: boolean
  readonly kubeconfig?: string
  readonly context?: string
}

const shown = (phase: PlanPhase, done: number, undo: boolean): string =>
  [
    `Phase ${phase.phase}: ${phase.name}`,
    undo ? `Undo: ${phase.wayBack}.` : phase.why,
    '',
    ...(phase.steps.length === 0
      ? ['nothing has to be done']
      : phase.steps.map((step, index) => `  ${index < done ? 'done' : '    '}  ${index + 1}. ${stepText(step)}`)),
    '',
  ].join('\n')

const ask = async (question: string, streams: PlanStreams): Promise<boolean> => {
  if (streams.stdout.isTTY !== true || !process.stdin.isTTY)
    throw new UsageError(
      'standard input is not a terminal; --yes answers every question with yes, including whether the manual steps are done',
    )
  const lines = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `)).trim())
  } finally {
    lines.close()
  }
}

const doneOf = async (client: KubeClient, phase: number): Promise<number> =>
  (await readRecord(client))?.phases[phase]?.done ?? 0

/** Runs `kerf migrate apply`: shows a phase. With `--dry-run=false`, it also asks for confirmation and performs the phase. */
export const runApply = async (
  folder: string,
  options: ApplyOptions,
  streams: PlanStreams,
  signal: AbortSignal,
): Promise<void> => {
  const { plan, files } = await readPlan(folder)
  const phase = findPhase({ plan }, options.phase)
  const { client, clock } = connect({ env: streams.env, kubeconfig: options.kubeconfig, context: options.context })
  try {
    streams.stdout.write(shown(phase, await doneOf(client, options.phase), options.undo))
    if (options.dryRun) {
      streams.stdout.write('Nothing was changed; --dry-run=false applies the phase.\n')
      return
    }
    if (
      !options.yes &&
      !(await ask(options.undo ? `Undo phase ${options.phase}?` : `Do phase ${options.phase}?`, streams))
    )
      throw new CliError('nothing was done')
    const tools = {
      client,
      clock,
      kinds: new KindDirectory(client),
      plan,
      file: (name: string) => files.get(name) ?? '',
      print: (line: string) => {
        streams.stdout.write(`${line}\n`)
      },
      byHand: async (commands: readonly string[]) => {
        streams.stdout.write(`Do this by hand:\n${commands.map((command) => `  ${command}\n`).join('')}`)
        if (!options.yes && !(await ask('Is it done?', streams)))
          throw new CliError('the manual steps are not done; do them, and run the same command again')
      },
      signal,
    }
    if (options.undo) await undoPhase(tools, options.phase)
    else await runPhase(tools, options.phase)
    streams.stdout.write(
      options.undo
        ? `Phase ${options.phase} is undone.\n`
        : `Phase ${options.phase} is done. Continue when ${phase.goOnWhen}.\n`,
    )
  } finally {
    await client.close()
  }
}
