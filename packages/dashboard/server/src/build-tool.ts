import { spawn } from 'node:child_process'
import { delimiter, dirname } from 'node:path'
import { dashboardErrors } from './dashboard-errors.ts'

/**
 * Runs one tool in the plugin's folder. If the tool fails or `signal` ends it, throws `DashboardBuild` with the end
 * of its output.
 */
export type RunTool = (plugin: string, command: string, args: readonly string[], signal?: AbortSignal) => Promise<void>

/** Runs the tool in a separate process. */
export const runTool: RunTool = async (plugin, command, args, signal) => {
  const child = spawn(command, args, {
    cwd: plugin,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      // Node's folder comes first, so that npm and its scripts run on the pinned Node.
      PATH: [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter),
      PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1',
      NODE_ENV: '',
    },
    ...(signal !== undefined && { signal }),
    // On Windows, npm is a batch file, which only a shell can run. The arguments contain no special characters.
    shell: process.platform === 'win32' && command === 'npm',
  })
  let output = ''
  const note = (text: string): void => {
    output = (output + text).slice(-20_000)
  }
  child.stdout.setEncoding('utf8').on('data', note)
  child.stderr.setEncoding('utf8').on('data', note)
  const code = await new Promise<number | string>((resolve) => {
    child.on('error', (error) => resolve(error.message))
    child.on('close', (status, killedBy) => resolve(status ?? String(killedBy)))
  })
  if (code !== 0) {
    const step = [command === process.execPath ? 'node' : command, ...args]
      .join(' ')
      .replaceAll(`${dirname(plugin)}/`, '')
    throw dashboardErrors.DashboardBuild({ step, cause: lastLines(output) || String(code) })
  }
}

const lastLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(-5)
    .join(' | ')
