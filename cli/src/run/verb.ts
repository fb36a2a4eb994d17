import type { Verb } from '../verb.ts'

export const run: Verb = {
  name: 'run',
  summary: 'run the autoscaler against a cluster, as the container image does',
  register(program) {
    program.command('run').description(run.summary)
  },
}
