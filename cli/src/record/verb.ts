import { InvalidArgumentError } from 'commander'
import type { Verb } from '../verb.ts'

const mebibytes = (text: string): number => {
  if (!/^\d+$/.test(text) || Number(text) === 0) throw new InvalidArgumentError('The size is a whole number of MiB.')
  return Number(text)
}

interface Options {
  readonly for?: string
  readonly mostSize: number
  readonly kubeconfig?: string
  readonly context?: string
}

/** `kerf record`: what happens in a live cluster, as a trace for `kerf simulate`. */
export const record: Verb = {
  name: 'record',
  summary: 'writes down what happens in a live cluster, for kerf simulate to play; only reads it',
  register(program) {
    program
      .command('record')
      .argument('<file>', 'where the recording goes; gzipped when the name ends with .gz')
      .description(
        `${record.summary}.\n\nSecrets, environments, commands and images are left out. Ctrl-C ends the recording and completes the file.`,
      )
      .option('--for <span>', 'how long; without it until Ctrl-C')
      .option('--most-size <MiB>', 'the recording ends when it has become so large', mebibytes, 64)
      .option('--kubeconfig <file>', 'which cluster')
      .option('--context <name>', 'context of the kubeconfig')
      .action(async (path: string, { kubeconfig, context, ...options }: Options) => {
        const { recordLive } = await import('./record-live.ts')
        await recordLive(path, options, {
          env: process.env,
          ...(kubeconfig === undefined ? {} : { kubeconfig }),
          ...(context === undefined ? {} : { context }),
        })
      })
  },
}
