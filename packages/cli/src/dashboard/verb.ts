import { collect } from '@kerf/provider-kit/command-line'
import { InvalidArgumentError } from 'commander'
import type { Verb } from '../verb.ts'
import type { DashboardVerbOptions } from './run-dashboard.ts'

const port = (text: string): number => {
  const value = Number(text)
  if (text.trim() === '' || !Number.isInteger(value) || value < 0 || value > 65535)
    throw new InvalidArgumentError('The port must be a whole number from 0 to 65535.')
  return value
}

/** `kerf dashboard`: serves Headlamp with Kerf's plugin from this process, for an existing cluster. */
export const dashboard: Verb = {
  name: 'dashboard',
  summary: 'open Headlamp with Kerf’s plugin in the browser, for any cluster with NodePools',
  register(program) {
    program
      .command('dashboard')
      .description(
        `${dashboard.summary}\n\nServes on loopback. The printed URL contains a random token: anyone who has it can act as the user of the kubeconfig.`,
      )
      .option('--kubeconfig <file>', 'kubeconfig file; default: the file that kubectl uses')
      .option(
        '--context <name>',
        'context of the kubeconfig (repeatable: several clusters in one dashboard)',
        collect,
        [],
      )
      .option('--port <port>', 'port on loopback; 0 picks a free port', port, 0)
      .option('--address <address>', 'address to listen on instead of loopback', '127.0.0.1')
      .action(async (options: DashboardVerbOptions) => {
        const { runDashboard } = await import('./run-dashboard.ts')
        process.exitCode = await runDashboard(options, {
          stdout: process.stdout,
          stderr: process.stderr,
          env: process.env,
        })
      })
  },
}
