import { UsageError } from '@kerf/provider-kit/command-line'
import { stopSignals } from '../process/stop-signals.ts'
import type { Verb } from '../verb.ts'

/** How long open requests may keep the process alive after its work is complete, in milliseconds. */
const LINGER = 1_000

/**
 * How long after the first Ctrl-C another one counts as a copy, in milliseconds. A second SIGTERM always counts as a second signal,
 * because it comes from a supervisor.
 */
const COPIES_WITHIN = { SIGINT: 500 }

/** Returns the flags as `kerf run --help` lists them. */
const flagHelp = async (): Promise<string> => {
  const { runSettings } = await import('./run-settings.ts')
  const rows = Object.values(runSettings).flatMap(({ flag, env, isSwitch, defaultText, meaning }) => {
    if (flag === undefined) return []
    const value = isSwitch ? '' : ' <value>'
    const notes = [env, defaultText === '' ? undefined : `default ${defaultText}`].filter((note) => note !== undefined)
    return [`  --${flag}${value}\n      ${meaning}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`]
  })
  return `\nFlags, each with its environment variable:\n${rows.join('\n')}\n`
}

export const run: Verb = {
  name: 'run',
  summary: 'run the autoscaler against a cluster, as the container image does',
  register(program) {
    const command = program
      .command('run')
      .description(
        'Run the autoscaler against a cluster until it is stopped.\n\n  kerf run --kubeconfig ~/.kube/config --leader-election-namespace kube-system\n  kerf run --help',
      )
      .usage('[FLAGS]')
      // Flags follow Go's rules, as in Karpenter: `-name` is the same as `--name`, and a boolean flag takes a value only after `=`.
      .argument('[flags...]')
      .allowUnknownOption()
      .helpOption(false)
    command.action(async (args: readonly string[]) => {
      const { parseSettings, readFlags } = await import('@kerf/runtime')
      const { runSettings } = await import('./run-settings.ts')
      if (args.some((arg) => arg === '--help' || arg === '-h' || arg === 'help')) {
        process.stdout.write(command.helpInformation() + (await flagHelp()))
        return
      }
      const { flags, rest } = readFlags(runSettings, args)
      if (rest.length > 0) throw new UsageError(`unexpected argument ${JSON.stringify(rest[0])}; see: kerf run --help`)
      const { settings, warnings } = parseSettings(runSettings, process.env, flags)
      for (const warning of warnings) process.stderr.write(`kerf: ${warning}\n`)
      const { runProcess } = await import('./run-process.ts')
      const { signal: stop } = stopSignals({ copiesWithin: COPIES_WITHIN })
      try {
        await runProcess(settings, { env: process.env, flags }, stop)
      } catch (error) {
        // The stop signal arrived before the controllers ran. It cancelled the pending steps, so this is not an error.
        if (!stop.aborted || error !== stop.reason) throw error
      } finally {
        // A process that has lost its Lease must end even if a request hangs.
        setTimeout(() => process.exit(), LINGER).unref()
      }
    })
  },
}
