import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { freePort } from '@kerf/control-plane'
import { pythonEnvironment } from './python-environment.ts'

const VERSION = '5.2.5'

/** Installs moto, the emulator of AWS, on its first call on a machine. Returns a Python that has it. */
export const pythonWithMoto = (): string => join(pythonEnvironment(`moto[server]==${VERSION}`), 'bin', 'python')

/** moto's server on loopback. */
export interface Moto {
  readonly port: number
  readonly child: ChildProcess
  stop(): Promise<void>
}

const START = 60_000

/** Starts the server. Rejects if it ends before it answers, or does not answer within a minute. */
export const startMoto = async (amisFile: string): Promise<Moto> => {
  const python = pythonWithMoto()
  const port = await freePort()
  const child: ChildProcess = spawn(python, ['-m', 'moto.server', '-H', '127.0.0.1', '-p', String(port)], {
    stdio: 'ignore',
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', MOTO_AMIS_PATH: amisFile },
  })
  const ended = once(child, 'close')
  const end = performance.now() + START
  for (;;) {
    try {
      await fetch(`http://127.0.0.1:${port}/moto-api/data.json`)
      break
    } catch (error) {
      if (performance.now() > end || child.exitCode !== null) {
        child.kill()
        throw new Error('moto did not start', { cause: error })
      }
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
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

/** Makes an emulated account as empty as AWS hands it over. Rejects if the emulator refuses. */
export const resetMoto = async (port: number): Promise<void> => {
  const { ok, status } = await fetch(`http://127.0.0.1:${port}/moto-api/reset`, { method: 'POST' })
  if (!ok) throw new Error(`moto did not reset: ${status}`)
}
