import { Option } from 'commander'
import { ignoreDraRequestsOption } from '../plan/device-option.ts'
import type { Verb } from '../verb.ts'
import type { ExplainPodOptions } from './run-explain-pod.ts'

const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value]

/** `kerf explain pod`: why a pod waits, or why it got that node. */
export const explain: Verb = {
  name: 'explain',
  summary: 'why a pod waits and what would change it, or why it got its node; from files or a live cluster',
  register(program) {
    const command = program.command('explain').description(explain.summary)
    command
      .command('pod')
      .argument('<namespace/name>', 'the pod; without a namespace: default')
      .description(
        'For a waiting pod: what each NodePool says, how many offerings each constraint leaves, and which single change would place it.\n\nExit code 0: it has a place; 3: it has none.',
      )
      .option(
        '-f, --filename <file|dir>',
        'manifests of a cluster (repeatable); without it, the live cluster',
        collect,
        [],
      )
      .option(
        '--instance-types <file>',
        "machine catalogue in the format of Karpenter's KWOK provider (default: the built-in one)",
      )
      .addOption(
        new Option('-o, --output <format>', 'text for people, or data')
          .choices(['text', 'json', 'yaml'])
          .default('text'),
      )
      .addOption(ignoreDraRequestsOption())
      .option('--kubeconfig <file>', 'for a live cluster')
      .option('--context <name>', 'context of the kubeconfig')
      .action(async (pod: string, options: ExplainPodOptions) => {
        const { runExplainPod } = await import('./run-explain-pod.ts')
        process.exitCode = await runExplainPod(pod, options, {
          stdout: process.stdout,
          stderr: process.stderr,
          env: process.env,
        })
      })
  },
}
