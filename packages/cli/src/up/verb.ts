import { standardStreams } from '../terminal/standard-streams.ts'
import type { Verb } from '../verb.ts'
import { declareUpOptions, type UpOptions } from './up-options.ts'

/** `kerf up`: runs a cluster with Kerf and shows what happens in it. */
export const up: Verb = {
  name: 'up',
  summary: 'start a cluster with Kerf in this terminal and show how pods get their nodes',
  register(program) {
    declareUpOptions(program.command('up').description(up.summary)).action(async (options: UpOptions) => {
      const { runUp } = await import('./run-up.ts')
      process.exitCode = await runUp(options, {
        stdin: process.stdin,
        ...standardStreams(),
      })
    })
  },
}
