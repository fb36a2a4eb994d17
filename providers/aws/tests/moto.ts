import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { freePort } from '@kerf/control-plane'
import { untilTrue } from '@kerf/control-plane/progress'
import { processorSeconds } from '../../../tests/support/costs/process-costs.ts'
import { pythonEnvironment } from './python-environment.ts'

const VERSION = '5.2.5'

/** Returns the path of a Python interpreter with moto, the AWS emulator. Installs moto on the first call on a machine. */
export const pythonWithMoto = (): string => join(pythonEnvironment(`moto[server]==${VERSION}`), 'bin', 'python')

/** The server of moto on loopback. */
export interface Moto {
  readonly port: number
  readonly child: ChildProcess
  stop(): Promise<void>
}

/** Starts the server. Rejects if it ends before it responds, or if it neither responds nor uses the processor. */
export const startMoto = async (amisFile: string): Promise<Moto> => {
  const python = pythonWithMoto()
  const port = await freePort()
  const child: ChildProcess = spawn(python, ['-m', 'moto.server', '-H', '127.0.0.1', '-p', String(port)], {
    stdio: 'ignore',
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', MOTO_AMIS_PATH: amisFile },
  })
  const ended = once(child, 'close')
  const answers = async (): Promise<boolean> => {
    if (child.exitCode !== null) throw new Error(`moto ended with exit code ${child.exitCode} before it answered`)
    return await fetch(`http://127.0.0.1:${port}/moto-api/data.json`).then(
      ({ ok }) => ok,
      () => false,
    )
  }
  try {
    // While Python imports moto, it uses processor time but prints nothing. Only whole seconds of processor time count as progress, because
    // an idle server uses less.
    const fingerprint = (): string => String(Math.floor(processorSeconds(child.pid === undefined ? [] : [child.pid])))
    await untilTrue(answers, { what: 'moto to answer', fingerprint, everyMs: 100 })
  } catch (error) {
    child.kill()
    throw error
  }
  return {
    port,
    child,
    stop: async () => {
      child.kill()
      await ended
    },
  }
}

/** Resets an emulated account to the state in which AWS creates it. Rejects if the emulator refuses. */
export const resetMoto = async (port: number): Promise<void> => {
  const { ok, status } = await fetch(`http://127.0.0.1:${port}/moto-api/reset`, { method: 'POST' })
  if (!ok) throw new Error(`moto did not reset: ${status}`)
}
