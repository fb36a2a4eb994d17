import { InvalidArgumentError, Option } from 'commander'
import { withPermissions } from '../permissions-option.ts'
import type { Verb } from '../verb.ts'
import type { KeptOnRequest } from './lean-objects.ts'

const mebibytes = (text: string): number => {
  if (!/^\d+$/.test(text) || Number(text) === 0) throw new InvalidArgumentError('The size is a whole number of MiB.')
  return Number(text)
}

interface Options {
  readonly for?: string
  readonly mostSize: number
  readonly keep?: readonly KeptOnRequest[]
  readonly kubeconfig?: string
  readonly context?: string
}

/** `kerf record`: records a live cluster as a trace for `kerf simulate`. */
export const record: Verb = {
  name: 'record',
  summary: 'record events of a live cluster as a trace for kerf simulate; changes nothing in the cluster',
  register(program) {
    withPermissions(program.command('record'), async () => (await import('./record-role.ts')).recordRole())
      .argument('<file>', 'file of the recording; compressed if the name ends with .gz')
      .description(
        `${record.summary}.\n\nThe recording omits Secrets, environment variables, commands, images and free text; it keeps a label only if something selects by it. Ctrl-C stops the recording and completes the file.`,
      )
      .option('--for <duration>', 'how long to record (default: until Ctrl-C)')
      .option('--most-size <MiB>', 'stop recording at this size', mebibytes, 64)
      .addOption(
        new Option('--keep <what...>', 'also keep this free text; read the file before you share it').choices([
          'annotations',
          'labels',
        ]),
      )
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
